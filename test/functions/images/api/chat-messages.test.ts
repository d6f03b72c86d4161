import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { splitMarkdownImages } from '../../../../functions/images/api/chat-messages.ts';

describe('markdown images', () => {
  const TABLE: readonly (readonly [text: string, words: string, addresses: string[]])[] = [
    ['A fox', 'A fox', []],
    ['A ![image](data:image/png;base64,AA==) fox', 'A  fox', ['data:image/png;base64,AA==']],
    ['![](DATA:image/png,1)![a](data:image/x,2)', '', ['DATA:image/png,1', 'data:image/x,2']],
    ['![a](https://example.com/fox.png)', '![a](https://example.com/fox.png)', []],
    ['[a](data:image/png,1)', '[a](data:image/png,1)', []],
    ['![a](data:image/png,1 2)', '![a](data:image/png,1 2)', []],
    ['![a](data:image/)', '![a](data:image/)', []],
    ['![a](data:image/png,1', '![a](data:image/png,1', []],
    ['![a ![b](data:image/x)', '', ['data:image/x']],
    ['](data:image/![b](data:image/y)', '](data:image/', ['data:image/y']],
  ];
  for (const [text, words, addresses] of TABLE)
    test(`are taken out of ${JSON.stringify(text)}`, () => {
      assert.deepEqual(splitMarkdownImages(text), { words, addresses });
    });

  test('are the same as a simple but slow regular expression finds', () => {
    const slow = /!\[[^\]]*\]\((data:image\/[^)\s]+)\)/gi;
    const pieces = ['![', ']', '](', '](data:image/', '![](data:image/', ')', ' ', 'x', '!', '[', '('];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((chosen) => chosen.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        assert.deepEqual(splitMarkdownImages(text), {
          words: text.replace(slow, ''),
          addresses: Array.from(text.matchAll(slow), ([, address]) => address),
        });
      }),
      { numRuns: 5000, seed: 20_261_115 },
    );
  });
});
