import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { concurrencyLimit } from '../../../lib/sample-generator/render-queue.ts';

test('runs no more tasks at once than the limit, in order, and goes on after a failure', async () => {
  const run = concurrencyLimit(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const tasks = Array.from({ length: 7 }, (_, index) =>
    run(async () => {
      started.push(index);
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      if (index === 3) throw new Error('broken');
      return index;
    }),
  );
  const results = await Promise.allSettled(tasks);
  assert.equal(most, 2);
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(
    results.map(({ status }) => status === 'fulfilled'),
    [true, true, true, false, true, true, true],
  );
});
