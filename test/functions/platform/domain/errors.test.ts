import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError, ERRORS } from '../../../../functions/platform/domain/errors.ts';

/** The codes with the same status, type and native status; a final one is not worth a retry. */
const CODES = {
  '400 invalid_request_error INVALID_ARGUMENT':
    'invalid_request INVALID_ARGUMENT unknown_parameter invalid_image remote_image_not_supported ' +
    'remote_image_not_loaded not_offered upstream_rejected content_blocked',
  '400 invalid_request_error INVALID_ARGUMENT, final': 'webhook_unreachable',
  '401 authentication_error UNAUTHENTICATED': 'invalid_api_key session_renewal_required',
  '403 invalid_request_error PERMISSION_DENIED': 'insufficient_permissions',
  '404 invalid_request_error NOT_FOUND': 'not_found model_not_found video_not_found file_not_found',
  '409 invalid_request_error FAILED_PRECONDITION, final':
    'video_not_ready video_failed video_completed video_in_progress file_not_ready idempotency_key_reused ' +
    'webhook_endpoint_limit webhook_endpoint_disabled share_limit collection_limit webhook_delivery_in_progress',
  '409 invalid_request_error ABORTED': 'concurrent_update request_in_progress',
  '410 invalid_request_error NOT_FOUND': 'video_expired',
  '413 invalid_request_error INVALID_ARGUMENT': 'request_too_large',
  '415 invalid_request_error INVALID_ARGUMENT': 'unsupported_media_type',
  '429 rate_limit_error RESOURCE_EXHAUSTED': 'rate_limited',
  '429 insufficient_quota RESOURCE_EXHAUSTED, final': 'insufficient_quota',
  '502 server_error INTERNAL, final': 'image_not_converted',
  '503 server_error UNAVAILABLE': 'upstream_unavailable overloaded',
  '503 server_error UNAVAILABLE, final': 'model_unavailable',
  '500 server_error INTERNAL': 'internal',
};

test('each code has its status, its type and its status in the native API', () => {
  const found: Record<string, string> = {};
  for (const code of Object.values(CODES).flatMap((codes) => codes.split(' '))) {
    const row = Object.entries(ERRORS).find(([name]) => name === code)?.[1] ?? assert.fail(code);
    const { http, type, status, ...rest } = row;
    const group = `${http} ${type} ${status}${'retry' in rest ? ', final' : ''}`;
    found[group] = group in found ? `${found[group]} ${code}` : code;
  }
  assert.deepEqual(found, CODES);
});

test('a DomainError has the field, the wait, the rate limit and the cause', () => {
  const cause = new Error('socket');
  const rateLimit = { limit: 5, remaining: 0, resetSeconds: 30 };
  const options = { param: 'a', retryAfterSeconds: 7, rateLimit, cause };
  const fail = () => {
    throw new DomainError('rate_limited', 'one\ntwo', options);
  };
  assert.throws(fail, { name: 'DomainError', message: 'one two', code: 'rate_limited', ...options });
});
test("an error's message is one line of at most 1000 characters", () => {
  assert.equal(new DomainError('invalid_request', 'a\r\nb\u2028c\u0000d').message, 'a b c d');
  const { message } = new DomainError('invalid_request', `a${'🦊'.repeat(1000)}`);
  assert.equal(message, `a${'🦊'.repeat(499)}`);
});
