import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allDone, stopBefore } from '../../../../functions/platform/runtime/schedule.ts';

test('a scheduled run begins nothing new in its last 15 seconds', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  assert.equal(stopBefore({ getRemainingTimeInMillis: () => 55_000 }), 1_040_000);
});

test('a run ends when all of its parts have ended, and with the error of the one that failed', async () => {
  let isOtherDone = false;
  const other = new Promise<void>((resolve) =>
    setImmediate(() => {
      isOtherDone = true;
      resolve();
    }),
  );
  await assert.rejects(allDone([Promise.reject(new Error('one part fails')), other]), /one part fails/);
  assert.equal(isOtherDone, true);
});
