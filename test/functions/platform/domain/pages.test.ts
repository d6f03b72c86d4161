import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPage } from '../../../../functions/platform/domain/pages.ts';

for (const [all, items, hasMore] of [
  ['', '', false],
  ['a', 'a', false],
  ['ab', 'ab', false],
  ['abc', 'ab', true],
] as const)
  test(`the first two of "${all}" are "${items}", and hasMore is ${hasMore}`, async () => {
    const letters = async function* () {
      yield* all;
    };
    assert.deepEqual(await firstPage(letters(), 2), { items: [...items], hasMore });
  });
