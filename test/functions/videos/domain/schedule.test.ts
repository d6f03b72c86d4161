import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  checkDelay,
  generationDeadline,
  paidRetryDelay,
  retryDelay,
  shareDelay,
  sweepDelay,
  taskDeadline,
} from '../../../../functions/videos/domain/schedule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('the retry delay', () => {
  for (const [attempts, random, asked, seconds] of [
    [0, 0, undefined, 2],
    [1, 0, undefined, 4],
    [5, 0, undefined, 64],
    [7, 0, undefined, 256],
    [8, 0, undefined, 300],
    [2000, 0, undefined, 300],
    [0, 0.5, undefined, 2.25],
    [8, 1, undefined, 375],
    [0, 0, 34, 34],
    [0, 0, 1, 2],
    [8, 0, 34, 300],
    [0, 0, 0, 2],
  ] as const)
    test(`is ${seconds} s after ${attempts} attempts with jitter ${random} if the upstream asks for ${asked ?? 'nothing'}`, () => {
      assert.equal(retryDelay(attempts, random, asked), seconds * SECOND);
    });
});

describe('the check delay', () => {
  for (const [elapsed, random, seconds] of [
    [0, 0, 2],
    [0, 0.99, 2],
    [32, 0.99, 2],
    [60, 0.24, 3],
    [60, 0.25, 4],
    [128, 0.99, 8],
    [1800, 0, 8],
  ] as const)
    test(`is ${seconds} s after ${elapsed} s, rounded with ${random}`, () => {
      assert.equal(checkDelay(elapsed * SECOND, random), seconds * SECOND);
    });
});

test('a video that is paid for is asked for at least twice a minute at first', () => {
  const delays = [0, 3, 4, 59, 60].map((attempts) => paidRetryDelay(attempts, 0, undefined) / SECOND);
  assert.deepEqual(delays, [2, 16, 30, 30, 300]);
});

test('a video that is paid for is not postponed for more than ten minutes', () => {
  const delays = [1, 599, 600, 601, 86_400].map((asked) => paidRetryDelay(0, 0, asked) / SECOND);
  assert.deepEqual(delays, [2, 599, 600, 600, 600]);
});

test('sweeps of the same step wait 2, 4, 8 … minutes, at most an hour', () => {
  const delays = [0, 1, 2, 5, 6, 50].map((sweeps) => sweepDelay(sweeps) / MINUTE);
  assert.deepEqual(delays, [2, 4, 8, 60, 60, 60]);
});

test('a task has 6 hours to be submitted, 24 hours to be generated and 24 hours to be fetched', () => {
  const created = { createdAt: 7, submittedAt: undefined, generatedAt: undefined };
  assert.equal(taskDeadline(created), 7 + 360 * MINUTE);
  assert.equal(taskDeadline({ ...created, submittedAt: 9 }), 9 + 24 * 60 * MINUTE);
  assert.equal(generationDeadline({ ...created, submittedAt: 9 }), 9 + 30 * MINUTE);
  assert.equal(taskDeadline({ ...created, submittedAt: 9, generatedAt: 11 }), 11 + 24 * 60 * MINUTE);
});

describe('the delay of work whose account uses its share of the workers', () => {
  for (const [waited, random, seconds] of [
    [0, 0, 2],
    [4, 0, 2],
    [10, 0, 5],
    [60, 0, 30],
    [3600, 0, 30],
    [10, 1, 6.25],
  ] as const)
    test(`is ${seconds} s after ${waited} s with jitter ${random}`, () => {
      assert.equal(shareDelay(waited * SECOND, random), seconds * SECOND);
    });
});
