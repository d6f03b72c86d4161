import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from '../../../../functions/platform/domain/errors.ts';
import { type DialectName, errorResponses } from '../../../../functions/platform/openapi/error-responses.ts';

const GATEWAY = ['request_too_large', 'rate_limited', 'overloaded', 'internal'] as const;
const OTHERS = ['invalid_request', 'not_found', 'insufficient_quota', 'upstream_unavailable'] as const;

/** The codes whose errors have one of two forms. */
const withTwoForms = (dialect: DialectName) =>
  [...OTHERS, ...GATEWAY].filter((code) => {
    const { content } = Object(errorResponses(dialect, [code])[ERRORS[code].http]);
    return 'anyOf' in content['application/json'].schema;
  });

test('errors that the gateway sends too have both forms in the native API', () => {
  assert.deepEqual(withTwoForms('openAi'), []);
  assert.deepEqual(withTwoForms('native'), GATEWAY);
});
