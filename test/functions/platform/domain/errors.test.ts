import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';

describe('DomainError', () => {
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
});

test("an error's message is one line of at most 1000 characters", () => {
  assert.equal(new DomainError('invalid_request', 'a\r\nb\u2028c\u0000d').message, 'a b c d');
  const { message } = new DomainError('invalid_request', `a${'🦊'.repeat(1000)}`);
  assert.equal(message, `a${'🦊'.repeat(499)}`);
});
