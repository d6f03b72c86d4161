import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_WORK } from '../../../../functions/videos/domain/step-queue.ts';
import { crowdedSlots, estimateTaskMs } from '../../../../functions/videos/domain/worker-capacity.ts';

describe('the worker time of a task', () => {
  for (const [title, work, expected] of [
    ['stays as it is known if few tasks were in work', { busyMs: 60_000, started: 9, ended: 10 }, 3000],
    ['approaches what was measured', { busyMs: 120_000, started: 60, ended: 60 }, 2500],
    ['is bounded below', { busyMs: 100, started: 20, ended: 0 }, 1550],
    ['counts half a task for a start', { busyMs: 120_000, started: 120, ended: 0 }, 2500],
    ['is bounded above', { busyMs: 9_000_000, started: 20, ended: 0 }, 31_500],
  ] as const)
    test(title, () => {
      assert.equal(estimateTaskMs(3000, { ...NO_WORK, messages: 1, ...work }), expected);
    });
});

describe('the length of the line', () => {
  const STEADY = { rate: 10, maxWaitMs: 60_000, waitingMessages: 0, waitingBefore: 100, now: 0 };

  const crowded = (tasks: readonly string[], change: Partial<typeof STEADY> = {}) =>
    crowdedSlots(tasks, { ...STEADY, ...change }).size;

  test('says nothing while the rate is unknown', () => {
    assert.equal(crowded(Array(1000).fill('a'), { rate: 0 }), 0);
  });

  test('refuses an account when its last task waits longer than the limit, not when it waits as long', () => {
    const line = Array<string>(10).fill('a');
    assert.deepEqual([crowded(line), crowded([...line, 'b'])], [0, 1]);
  });

  test('counts messages that wait, and grows as it did in the last minute', () => {
    const line = Array<string>(6).fill('a');
    assert.deepEqual(
      [crowded(line), crowded(line, { waitingMessages: 5 }), crowded(line, { waitingBefore: 0 })],
      [0, 1, 1],
    );
  });
});
