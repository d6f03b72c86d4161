import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachItem } from '../../../console/library/for-each-item.ts';
import type { LibraryItem } from '../../../console/library/items.ts';

const items: readonly LibraryItem[] = ['a', 'b', 'c'].map((id) => ({
  kind: 'video',
  id,
  createdAt: 0,
  video: Object({ id }),
}));

test('an action on several items goes on after a failure and says which items failed', async () => {
  const progress: number[] = [];
  const { done, failed } = await forEachItem(
    items,
    async ({ id }) => {
      if (id === 'b') throw new Error('still generating');
    },
    (count) => progress.push(count),
  );
  assert.deepEqual(
    done.map(({ id }) => id),
    ['a', 'c'],
  );
  assert.deepEqual(
    failed.map(({ item, error }) => [item.id, error.message]),
    [['b', 'still generating']],
  );
  assert.deepEqual(progress, [1, 2, 3]);
});
