import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { truncate } from '../../../../functions/platform/domain/truncate.ts';

describe('a truncated text', () => {
  const TABLE = [
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab🦊', 3, 'ab'],
    ['ab🦊', 4, 'ab🦊'],
    ['a🦊b', 3, 'a🦊'],
    ['🦊', 1, ''],
  ] as const;
  for (const [text, most, cut] of TABLE)
    test(`of ${text} at ${most} is '${cut}'`, () => assert.equal(truncate(text, most), cut));
});

test("an error's message is one line of at most 1000 characters", () => {
  assert.equal(new DomainError('invalid_request', 'a\r\nb\u2028c\u0000d').message, 'a b c d');
  const { message } = new DomainError('invalid_request', `a${'🦊'.repeat(1000)}`);
  assert.equal(message, `a${'🦊'.repeat(499)}`);
});
