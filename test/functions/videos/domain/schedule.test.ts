import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conflictDelay } from '../../../../functions/platform/domain/errors.ts';
import {
  CHECK_LEASE,
  checkDelay,
  deadlineOf,
  generationDeadlineOf,
  LEFTOVER_AGE,
  MAX_OPEN_SUBMITS,
  REFUSAL_DEADLINE,
  retryDelay,
  SUBMIT_CLAIM,
  SUBMIT_TIMEOUT,
  shareDelay,
  sweepDelay,
} from '../../../../functions/videos/domain/schedule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('delay of a retry', () => {
  const RETRIES: readonly (readonly [
    attempts: number,
    random: number,
    asked: number | undefined,
    seconds: number,
  ])[] = [
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
  ];
  for (const [attempts, random, asked, seconds] of RETRIES)
    test(`is ${seconds} s after ${attempts} tries, with jitter ${random}, where ${asked ?? 'nothing'} is asked`, () => {
      assert.equal(retryDelay(attempts, random, asked), seconds * SECOND);
    });
});

describe('delay of a check', () => {
  const CHECKS: readonly (readonly [elapsed: number, random: number, seconds: number])[] = [
    [0, 0, 2],
    [0, 0.99, 2],
    [32, 0.99, 2],
    [60, 0.24, 3],
    [60, 0.25, 4],
    [128, 0.99, 8],
    [1800, 0, 8],
  ];
  for (const [elapsed, random, seconds] of CHECKS)
    test(`is ${seconds} s when ${elapsed} s have passed, rounded with ${random}`, () => {
      assert.equal(checkDelay(elapsed * SECOND, random), seconds * SECOND);
    });
});

test('sweeps of the same step wait 2, 4, 8 … minutes, and never longer than an hour', () => {
  assert.deepEqual(
    [0, 1, 2, 5, 6, 50].map((sweeps) => sweepDelay(sweeps) / MINUTE),
    [2, 4, 8, 60, 60, 60],
  );
});

test('a task has 6 hours to be submitted, a day to be asked after, and a day to be fetched', () => {
  const created = { createdAt: 7, submittedAt: undefined, generatedAt: undefined };
  assert.equal(deadlineOf(created), 7 + 360 * MINUTE);
  assert.equal(deadlineOf({ ...created, submittedAt: 9 }), 9 + 24 * 60 * MINUTE);
  assert.equal(generationDeadlineOf({ ...created, submittedAt: 9 }), 9 + 30 * MINUTE);
  assert.equal(deadlineOf({ ...created, submittedAt: 9, generatedAt: 11 }), 11 + 24 * 60 * MINUTE);
});

test('a generation of a task without a submission counts from its creation', () => {
  const created = { createdAt: 7, submittedAt: undefined, generatedAt: undefined };
  assert.equal(generationDeadlineOf(created), 7 + 30 * MINUTE);
});

test('a claim on a submit outlasts the submit by 20 seconds, and a task is submitted twice at most', () => {
  assert.deepEqual([SUBMIT_TIMEOUT, SUBMIT_CLAIM, MAX_OPEN_SUBMITS], [40_000, 60_000, 2]);
});

test('checks follow each other without a write for a minute', () => {
  assert.equal(CHECK_LEASE, 60_000);
});

describe('delay of work whose account has its share of the workers', () => {
  for (const [waited, random, seconds] of [
    [0, 0, 2],
    [4, 0, 2],
    [10, 0, 5],
    [60, 0, 30],
    [3600, 0, 30],
    [10, 1, 6.25],
  ] as const)
    test(`is ${seconds} s when it has waited ${waited} s, with jitter ${random}`, () => {
      assert.equal(shareDelay(waited * SECOND, random), seconds * SECOND);
    });
});

test('a check or a file must be refused for 10 minutes, and an input lie about for an hour, before either is given up', () => {
  assert.deepEqual([REFUSAL_DEADLINE, LEFTOVER_AGE], [10 * MINUTE, 60 * MINUTE]);
});

test('writers who met pause at random, twice as long each time and up to a second', () => {
  const pauses = [1, 2, 3, 6, 20].map((tries) => conflictDelay(tries, 1));
  assert.deepEqual(pauses, [50, 100, 200, 1000, 1000]);
  assert.deepEqual([conflictDelay(6, 0), conflictDelay(6, 0.25)], [0, 250]);
});
