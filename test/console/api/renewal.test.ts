import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRenewal } from '../../../console/api/renewal.ts';

test('is due from the time that the session says', () => {
  let now = 99_999;
  const { isDue } = createRenewal({ now: () => now, renewAt: () => 100, renew: async () => {} });
  assert.equal(isDue(), false);
  now = 100_000;
  assert.equal(isDue(), true);
});

test('is never due while no session is known', () => {
  const { isDue } = createRenewal({ now: () => 1e15, renewAt: () => undefined, renew: async () => {} });
  assert.equal(isDue(), false);
});

test('is shared by concurrent requests', async () => {
  let count = 0;
  const { run } = createRenewal({
    now: () => 0,
    renewAt: () => 0,
    renew: async () => {
      count += 1;
    },
  });
  assert.deepEqual(await Promise.all([run(), run()]), [true, true]);
  assert.equal(count, 1);
  await run();
  assert.equal(count, 2);
});

test('waits a minute after a failure', async () => {
  let now = 1000;
  const { isDue, run } = createRenewal({
    now: () => now,
    renewAt: () => 1,
    renew: () => Promise.reject(new Error('no provider')),
  });
  assert.equal(await run(), false);
  assert.equal(isDue(), false);
  now = 60_999;
  assert.equal(isDue(), false);
  now = 61_000;
  assert.equal(isDue(), true);
});
