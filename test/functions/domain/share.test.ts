import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBegin, rungsOf } from '../../../functions/domain/share.ts';

/** What accounts hold that begin in turns for as long as they may. */
const filled = (workers: number, accounts: number): number[] => {
  const rungs = rungsOf(workers);
  const held = Array.from({ length: accounts }, () => 0);
  const total = () => held.reduce((sum, each) => sum + each, 0);
  for (let begun = true; begun; ) {
    begun = false;
    held.forEach((own, account) => {
      if (total() >= workers || !mayBegin(rungs, own, total())) return;
      held[account] = own + 1;
      begun = true;
    });
  }
  return held;
};

const CASES: readonly (readonly [workers: number, accounts: number, held: readonly number[]])[] = [
  [2, 1, [1]],
  [3, 1, [1]],
  [10, 1, [5]],
  [10, 2, [4, 3]],
  [10, 3, [3, 3, 2]],
  [10, 9, [1, 1, 1, 1, 1, 1, 1, 1, 1]],
  [400, 1, [200]],
  [1000, 1, [500]],
];
for (const [workers, accounts, held] of CASES)
  test(`of ${workers} workers, ${accounts} slow accounts hold ${held}`, () => {
    assert.deepEqual(filled(workers, accounts), held);
  });

test('whatever the number of workers, slow accounts leave one free until there are as many of them', () => {
  for (let workers = 2; workers <= 1000; workers += 1)
    for (const accounts of [1, 2, 3].filter((count) => count < workers)) {
      const total = filled(workers, accounts).reduce((sum, each) => sum + each, 0);
      assert.ok(total < workers, `${accounts} accounts hold ${total} of ${workers}`);
    }
});

test('an account that holds nothing may always begin', () => {
  assert.ok(mayBegin(rungsOf(10), 0, 1000));
});

test('there are twelve rungs at most, evenly spaced, and each leaves as many workers free as it allows', () => {
  assert.deepEqual(rungsOf(6), [
    { own: 1, all: 5 },
    { own: 2, all: 4 },
    { own: 3, all: 3 },
  ]);
  assert.deepEqual(
    rungsOf(100).map(({ own }) => own),
    [4, 8, 12, 16, 20, 25, 29, 33, 37, 41, 45, 50],
  );
  assert.deepEqual(rungsOf(100).at(-1), { own: 50, all: 50 });
});
