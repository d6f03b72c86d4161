import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBegin, slotShares, workerShares } from '../../../../functions/platform/domain/share.ts';

/** What accounts hold that begin in turns for as long as they may. */
const filled = (workers: number, accounts: number, share = workerShares(workers).usual): number[] => {
  const held = Array.from({ length: accounts }, () => 0);
  const total = () => held.reduce((sum, each) => sum + each, 0);
  for (let begun = true; begun; ) {
    begun = false;
    held.forEach((own, account) => {
      if (total() >= workers || !mayBegin(share, { own, part: 0, all: total() })) return;
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
  assert.ok(mayBegin(workerShares(10).usual, { own: 0, part: 0, all: 1000 }));
});

const SLOTS: readonly (readonly [
  workers: number,
  accounts: number,
  usual: readonly number[],
  failing: readonly number[],
])[] = [
  [2, 1, [1], [1]],
  [2, 2, [1, 0], [1, 0]],
  [3, 1, [1], [1]],
  [10, 1, [3], [2]],
  [10, 2, [2, 2], [1, 1]],
  [10, 3, [2, 1, 1], [1, 1, 1]],
  [10, 10, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]],
  [40, 1, [10], [5]],
];
for (const [workers, accounts, usual, failing] of SLOTS)
  test(`of the slots of ${workers} workers, ${accounts} accounts hold ${usual}, or ${failing} where they fail`, () => {
    const shares = slotShares(workers);
    assert.deepEqual(filled(workers, accounts, shares.usual), usual);
    assert.deepEqual(filled(workers, accounts, shares.failing), failing);
  });

test('slots are half of the workers at most, however many accounts want them', () => {
  for (let workers = 2; workers <= 1000; workers += 1)
    for (const share of Object.values(slotShares(workers))) {
      const total = filled(workers, 20, share).reduce((sum, each) => sum + each, 0);
      assert.ok(total >= 1 && total <= workers / 2, `${total} of ${workers}`);
    }
});

test('a part of an owner holds about half of what the owner may hold', () => {
  const { usual, failing } = slotShares(10);
  assert.deepEqual([usual.part, failing.part], [2, 1]);
  assert.equal(mayBegin(usual, { own: 1, part: 1, all: 1 }), true);
  assert.equal(mayBegin(usual, { own: 2, part: 2, all: 2 }), false);
  assert.equal(mayBegin(usual, { own: 2, part: 0, all: 2 }), true);
});

test('there are twelve rungs at most, evenly spaced, and each leaves as many workers free as it allows', () => {
  assert.deepEqual(workerShares(6).usual.rungs, [
    { own: 1, all: 5 },
    { own: 2, all: 4 },
    { own: 3, all: 3 },
  ]);
  assert.deepEqual(
    workerShares(100).usual.rungs.map(({ own }) => own),
    [4, 8, 12, 16, 20, 25, 29, 33, 37, 41, 45, 50],
  );
  assert.deepEqual(workerShares(100).usual.rungs.at(-1), { own: 50, all: 50 });
});
