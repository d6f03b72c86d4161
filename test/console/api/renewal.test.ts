import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRenewal } from '../../../console/api/renewal.ts';

for (const [now, renewAt, expected] of [
  [99_999, 100, false],
  [100_000, 100, true],
  // No session is known.
  [1e15, undefined, false],
] as const)
  test(`is ${expected ? '' : 'not '}due at ${now} if the session says ${renewAt}`, () => {
    const { isDue } = createRenewal({ now: () => now, renewAt: () => renewAt, renew: async () => {} });
    assert.equal(isDue(), expected);
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
