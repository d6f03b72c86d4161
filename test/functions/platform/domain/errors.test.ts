import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DomainError,
  type ErrorCode,
  invalidField,
  listed,
} from '../../../../functions/platform/domain/errors.ts';

type Row = readonly [code: ErrorCode, http: number, type: string, status: string, mayRetry: boolean];

const INVALID = 'invalid_request_error';
const ROWS: readonly Row[] = [
  ['invalid_request', 400, INVALID, 'INVALID_ARGUMENT', true],
  ['INVALID_ARGUMENT', 400, INVALID, 'INVALID_ARGUMENT', true],
  ['invalid_image', 400, INVALID, 'INVALID_ARGUMENT', true],
  ['remote_image_not_supported', 400, INVALID, 'INVALID_ARGUMENT', true],
  ['not_offered', 400, INVALID, 'INVALID_ARGUMENT', true],
  ['upstream_rejected', 400, INVALID, 'INVALID_ARGUMENT', true],
  ['content_blocked', 400, INVALID, 'INVALID_ARGUMENT', true],
  ['webhook_unreachable', 400, INVALID, 'INVALID_ARGUMENT', false],
  ['invalid_api_key', 401, 'authentication_error', 'UNAUTHENTICATED', true],
  ['insufficient_permissions', 403, INVALID, 'PERMISSION_DENIED', true],
  ['not_found', 404, INVALID, 'NOT_FOUND', true],
  ['model_not_found', 404, INVALID, 'NOT_FOUND', true],
  ['video_not_found', 404, INVALID, 'NOT_FOUND', true],
  ['file_not_found', 404, INVALID, 'NOT_FOUND', true],
  ['video_not_ready', 409, INVALID, 'FAILED_PRECONDITION', false],
  ['video_failed', 409, INVALID, 'FAILED_PRECONDITION', false],
  ['video_completed', 409, INVALID, 'FAILED_PRECONDITION', false],
  ['video_in_progress', 409, INVALID, 'FAILED_PRECONDITION', false],
  ['file_not_ready', 409, INVALID, 'FAILED_PRECONDITION', false],
  ['idempotency_key_reused', 409, INVALID, 'FAILED_PRECONDITION', false],
  ['webhook_endpoint_limit', 409, INVALID, 'FAILED_PRECONDITION', false],
  ['webhook_endpoint_disabled', 409, INVALID, 'FAILED_PRECONDITION', false],
  ['webhook_delivery_in_progress', 409, INVALID, 'FAILED_PRECONDITION', false],
  ['video_expired', 410, INVALID, 'NOT_FOUND', true],
  ['request_too_large', 413, INVALID, 'INVALID_ARGUMENT', true],
  ['unsupported_media_type', 415, INVALID, 'INVALID_ARGUMENT', true],
  ['rate_limited', 429, 'rate_limit_error', 'RESOURCE_EXHAUSTED', true],
  ['insufficient_quota', 429, 'insufficient_quota', 'RESOURCE_EXHAUSTED', false],
  ['upstream_unavailable', 503, 'server_error', 'UNAVAILABLE', true],
  ['internal', 500, 'server_error', 'INTERNAL', true],
];

describe('DomainError', () => {
  for (const [code, http, type, status, mayRetry] of ROWS)
    test(`${code} is ${http} ${type}, ${status} in the native API`, () => {
      const { row } = new DomainError(code, 'no');
      assert.deepEqual([row.http, row.type, row.status, row.retry !== false], [http, type, status, mayRetry]);
    });

  test('has the field, the wait, the rate limit and the cause', () => {
    const cause = new Error('socket');
    const rateLimit = { limit: 5, remaining: 0, resetSeconds: 30 };
    const error = new DomainError('rate_limited', 'one\ntwo', {
      param: 'a',
      retryAfterSeconds: 7,
      rateLimit,
      cause,
    });
    assert.deepEqual(
      [
        error.name,
        error.message,
        error.code,
        error.param,
        error.retryAfterSeconds,
        error.rateLimit,
        error.cause,
      ],
      ['DomainError', 'one two', 'rate_limited', 'a', 7, rateLimit, cause],
    );
  });

  test('has no field, wait, rate limit or cause by default', () => {
    const { param, retryAfterSeconds, rateLimit, cause } = new DomainError('internal', 'no');
    assert.deepEqual([param, retryAfterSeconds, rateLimit, cause], [null, undefined, undefined, undefined]);
  });

  test('invalidField sets the field', () => {
    const { code, param, message } = invalidField('seed', 'seed is no number.');
    assert.deepEqual([code, param, message], ['invalid_request', 'seed', 'seed is no number.']);
  });
});

test('listed joins values with commas', () => {
  assert.equal(listed([4, 6, '8']), '4, 6, 8');
});

test("an error's message is one line of at most 1000 characters", () => {
  assert.equal(new DomainError('invalid_request', 'a\r\nb\u2028c\u0000d').message, 'a b c d');
  const { message } = new DomainError('invalid_request', `a${'🦊'.repeat(1000)}`);
  assert.equal(message, `a${'🦊'.repeat(499)}`);
});
