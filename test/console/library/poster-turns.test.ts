import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitForTurn } from '../../../console/library/poster-turns.ts';

test('four posters load at a time; the next starts when one has loaded, failed or is gone', () => {
  const started: number[] = [];
  const ends = [0, 1, 2, 3, 4, 5, 6].map((number) => waitForTurn(() => started.push(number)));
  assert.deepEqual(started, [0, 1, 2, 3]);
  ends[1]?.();
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
  // It is gone before its turn.
  ends[5]?.();
  ends[0]?.();
  assert.deepEqual(started, [0, 1, 2, 3, 4, 6]);
  // Ending twice frees one place.
  ends[0]?.();
  const late = waitForTurn(() => started.push(7));
  assert.deepEqual(started, [0, 1, 2, 3, 4, 6]);
  for (const end of ends) end();
  assert.deepEqual(started, [0, 1, 2, 3, 4, 6, 7]);
  late();
});
