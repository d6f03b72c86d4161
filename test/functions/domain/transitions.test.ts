import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FETCH_DEADLINE, GENERATION_DEADLINE, QUEUE_DEADLINE } from '../../../functions/domain/schedule.ts';
import {
  isClaimed,
  isDeleted,
  isTerminal,
  TASK_STATUSES,
  type Task,
  type TaskStatus,
  WORK_KINDS,
} from '../../../functions/domain/task.ts';
import * as moves from '../../../functions/domain/transitions.ts';
import { aTask } from '../../support/builders/task.ts';

const NOW = 50_000;
const CHARGE = { seconds: 6, unitPrice: null, amount: null, currency: null };
const RESULT = { file: { key: 'videos/1.mp4', bytes: 9 }, charge: CHARGE, now: NOW, expiresAt: NOW + 1 };
const ERROR = { code: 'internal', message: 'no' } as const;

/** A status from which a move is legal, where it is not from queued. */
const LEGAL_STATUS: Record<string, TaskStatus> = { completed: 'in_progress', deletionAsked: 'failed' };

type Move = (task: Task) => Task;

/** Where each move leads from each status; undefined is an illegal one. */
const TABLE: readonly (readonly [
  name: string,
  move: Move,
  ends: readonly [
    queued: TaskStatus | undefined,
    in_progress: TaskStatus | undefined,
    completed: TaskStatus | undefined,
    failed: TaskStatus | undefined,
  ],
])[] = [
  [
    'submitted',
    (task) => moves.submitted(task, 'op', NOW, NOW + 1),
    ['in_progress', undefined, undefined, undefined],
  ],
  ['completed', (task) => moves.completed(task, RESULT), [undefined, 'completed', undefined, undefined]],
  ['failed', (task) => moves.failed(task, ERROR, NOW), ['failed', 'failed', undefined, undefined]],
  ['deletionAsked', (task) => moves.deletionAsked(task, NOW), [undefined, undefined, 'completed', 'failed']],
];

describe('moves of a task', () => {
  for (const [name, move, ends] of TABLE)
    for (const [position, status] of TASK_STATUSES.entries()) {
      const end = ends[position];
      test(`${name} ${end === undefined ? 'is illegal for' : `leads to ${end} from`} ${status}`, () => {
        if (end === undefined) assert.throws(() => move(aTask({ status })), /cannot/);
        else assert.equal(move(aTask({ status })).status, end);
      });
    }

  const STEADY: readonly (readonly [name: string, move: Move])[] = [
    ['claimSubmit', (task) => moves.claimSubmit(task, NOW)],
    ['submitRefused', (task) => moves.submitRefused(task, NOW)],
    ['submitUnanswered', (task) => moves.submitUnanswered(task, NOW)],
    ['stillGenerating', (task) => moves.stillGenerating(task, NOW)],
    ['generated', (task) => moves.generated(task, { kind: 'inline' }, NOW, NOW + 1)],
    ['claimFetch', (task) => moves.claimFetch(task, NOW)],
    ['checkFailed', (task) => moves.checkFailed(task, NOW, undefined)],
    ['fetchFailed', (task) => moves.fetchFailed(task, NOW, undefined)],
    ['settled', moves.settled],
  ];
  for (const [name, move] of STEADY)
    test(`${name} keeps the status`, () => {
      for (const status of TASK_STATUSES) assert.equal(move(aTask({ status })).status, status);
    });

  test('every move goes one step on and leaves its task as it was', () => {
    for (const [name, move] of [...TABLE, ...STEADY]) {
      const task = aTask({ status: LEGAL_STATUS[name] ?? 'queued' });
      const before = structuredClone(task);
      assert.equal(move(task).step, task.step + 1, name);
      assert.deepEqual(task, before);
    }
  });
});

describe('submits of which nobody knows', () => {
  const openAfter = (move: Move): number => move(aTask({ openSubmits: 1 })).openSubmits;

  test('a claim counts one more, before the call', () => {
    assert.equal(
      openAfter((task) => moves.claimSubmit(task, NOW)),
      2,
    );
  });
  test('a refusal takes it back', () => {
    assert.equal(
      openAfter((task) => moves.submitRefused(task, NOW)),
      0,
    );
  });
  test('no answer leaves it counted', () => {
    assert.equal(
      openAfter((task) => moves.submitUnanswered(task, NOW)),
      1,
    );
  });
});

describe('work that waits', () => {
  const far = 10 * FETCH_DEADLINE;
  const dueAt = (task: Task): number | undefined => task.work?.dueAt;

  test('is due at the deadline of the queue at the latest', () => {
    assert.equal(dueAt(moves.submitRefused(aTask(), far)), 1000 + QUEUE_DEADLINE);
    assert.equal(dueAt(moves.submitUnanswered(aTask(), far)), 1000 + QUEUE_DEADLINE);
  });
  test('is due at the deadline of the generation at the latest', () => {
    const task = aTask({ status: 'in_progress', submittedAt: 2000 });
    assert.equal(dueAt(moves.checkFailed(task, far, undefined)), 2000 + FETCH_DEADLINE);
    assert.equal(dueAt(moves.stillGenerating(task, far)), 2000 + GENERATION_DEADLINE);
  });
  test('is due at the deadline of the fetch at the latest', () => {
    const task = aTask({ status: 'in_progress', submittedAt: 2000, generatedAt: 3000 });
    assert.equal(dueAt(moves.fetchFailed(task, far, undefined)), 3000 + FETCH_DEADLINE);
  });
  test('is due when it is asked for before that', () => {
    assert.equal(dueAt(moves.submitRefused(aTask(), NOW)), NOW);
  });
  test('claims hold for as long as they say, past a deadline too', () => {
    const task = aTask({ status: 'in_progress', submittedAt: 2000 });
    assert.equal(dueAt(moves.claimFetch(task, far)), far);
  });
});

describe('what a task is', () => {
  test('only completed and failed tasks have ended', () => {
    assert.deepEqual(
      TASK_STATUSES.filter((status) => isTerminal(aTask({ status }))),
      ['completed', 'failed'],
    );
  });
  test('only submitting and fetching are claims, and only until their time', () => {
    const claimed = (now: number) =>
      WORK_KINDS.filter((kind) => isClaimed(aTask({ work: { kind, dueAt: NOW } }), now));
    assert.deepEqual(claimed(NOW - 1), ['submitting', 'fetching']);
    assert.deepEqual(claimed(NOW), []);
  });
  test('a task is deleted from the moment that its deletion is asked for', () => {
    const task = aTask({ status: 'failed' });
    assert.equal(isDeleted(task), false);
    assert.equal(isDeleted(moves.deletionAsked(task, NOW)), true);
  });
});
