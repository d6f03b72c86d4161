import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isName } from '../../../../functions/platform/domain/name.ts';

test('a name has 1 to 100 characters and no control characters', () => {
  for (const [text, accepted] of [
    ['ci', true],
    ['Büro 2 – 🦊', true],
    ['🦊'.repeat(100), true],
    ['🦊'.repeat(101), false],
    ['x'.repeat(101), false],
    ['', false],
    [' ', false],
    ['a\nb', false],
    ['a\n', false],
    ['\u001b[31mred', false],
    ['a\u0085b', false],
  ] as const)
    assert.equal(isName(text), accepted, JSON.stringify(text));
});
