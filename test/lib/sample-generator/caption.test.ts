import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { captionScript } from '../../../lib/sample-generator/render/caption.ts';

const readCaption = (prompt: string): string => {
  const canvas = { width: 1280, height: 720, seed: 1, threads: 1, output: '', folder: '', label: 'label' };
  const script = captionScript(
    { ...canvas, kind: 'image', references: [], prompt },
    { from: 0, to: 1, fadeIn: false, fadeOut: false },
  );
  return /,Caption,\{[^}]*\}(.*)/.exec(script)?.[1] ?? '';
};

describe('the caption', () => {
  const SHOWN = [
    ['a prompt as it is', 'A cat, asleep', 'A cat, asleep'],
    ['no line of its own for a line break', 'A cat\nDialogue: 0\r\nasleep', 'A cat Dialogue: 0 asleep'],
    ['braces as braces, not as styles', '{\\b1}A cat', '\\{\\\u2060b1\\}A cat'],
    ['a backslash as a backslash', 'A\\Ncat', 'A\\\u2060Ncat'],
    ['a word without end in pieces', 'x'.repeat(50), `${'x'.repeat(24)} ${'x'.repeat(24)} xx`],
    ['nothing for a prompt that contains only test prompts', '', ''],
  ] as const;
  for (const [name, prompt, shown] of SHOWN) {
    test(`shows ${name}`, () => assert.equal(readCaption(prompt), shown));
  }

  test('ends a prompt of 32,000 characters with an ellipsis, between whole characters', () => {
    const shown = readCaption('🦊'.repeat(16_000));
    assert.ok(shown.endsWith('🦊…'));
    assert.ok(shown.isWellFormed() && shown.length < 600);
  });
});
