import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FETCH_DEADLINE,
  GENERATION_DEADLINE,
  QUEUE_DEADLINE,
} from '../../../../functions/videos/domain/schedule.ts';
import { TASK_STATUSES, type Task, type TaskStatus } from '../../../../functions/videos/domain/task.ts';
import * as transitions from '../../../../functions/videos/domain/transitions.ts';
import { aTask } from '../../../support/builders/task.ts';

const UPSTREAM = { name: 'studio', hasPlace: true };

const NOW = 50_000;
const CHARGE = { seconds: 6, unitPrice: null, amount: null, currency: null };
const RESULT = { file: { key: 'videos/1.mp4', bytes: 9 }, charge: CHARGE, now: NOW, expiresAt: NOW + 1 };
const ERROR = { code: 'internal', message: 'no' } as const;

type Transition = (task: Task) => Task;

type Ends = Partial<Record<TaskStatus, TaskStatus>>;

/** The status after each transition, by the status before; all others are illegal. */
const TABLE: readonly (readonly [name: string, transition: Transition, ends: Ends])[] = [
  ['submitted', (task) => transitions.submitted(task, 'op', NOW, NOW + 1), { queued: 'in_progress' }],
  ['completed', (task) => transitions.completed(task, RESULT), { in_progress: 'completed' }],
  ['failed', (task) => transitions.failed(task, ERROR, NOW), { queued: 'failed', in_progress: 'failed' }],
  ['cancelled', (task) => transitions.cancelled({ ...task, openSubmits: 0 }, NOW), { queued: 'failed' }],
  [
    'deletionRequested',
    (task) => transitions.deletionRequested(task, NOW),
    { completed: 'completed', failed: 'failed' },
  ],
];

describe('transitions of a task', () => {
  for (const [name, transition, ends] of TABLE)
    for (const status of TASK_STATUSES) {
      const end = ends[status];
      test(`${name} ${end === undefined ? 'is illegal for' : `leads to ${end} from`} ${status}`, () => {
        if (end === undefined) assert.throws(() => transition(aTask({ status })), /cannot/);
        else assert.equal(transition(aTask({ status })).status, end);
      });
    }
});

describe('postponed work', () => {
  const far = 10 * FETCH_DEADLINE;
  const dueAt = (task: Task): number | undefined => task.work?.dueAt;

  test('is due at the deadline of the queue at the latest', () => {
    assert.equal(dueAt(transitions.submitRefused(aTask(), far)), 1000 + QUEUE_DEADLINE);
    assert.equal(dueAt(transitions.submitUnanswered(aTask(), far)), 1000 + QUEUE_DEADLINE);
  });
  test('is due at the deadline of the generation at the latest', () => {
    const task = aTask({ status: 'in_progress', submittedAt: 2000 });
    assert.equal(dueAt(transitions.checkFailed(task, far, undefined)), 2000 + FETCH_DEADLINE);
    assert.equal(dueAt(transitions.stillGenerating(task, far)), 2000 + GENERATION_DEADLINE);
  });
  test('is due at the deadline of the fetch at the latest', () => {
    const task = aTask({ status: 'in_progress', submittedAt: 2000, generatedAt: 3000 });
    assert.equal(dueAt(transitions.fetchFailed(task, far, undefined)), 3000 + FETCH_DEADLINE);
  });
});

describe('every change of a transition', () => {
  const task = aTask({
    status: 'in_progress',
    createdAt: 1000,
    submittedAt: 2000,
    generatedAt: 3000,
    refusedSince: 3500,
    operation: 'operations/0',
    ticket: 12,
    upstream: { name: 'studio', hasPlace: true },
  });
  const LEFT = { name: 'studio', hasPlace: false };
  const SOURCE = { kind: 'inline' } as const;
  const COST = { amount: '1.2', currency: 'USD' };
  const file = { key: 'videos/1.mp4', bytes: 9 };
  const charge = { seconds: 6, unitPrice: '0.40', amount: '2.40', currency: 'USD' };
  const error = { code: 'internal', message: 'broken' } as const;
  const queued = { ...task, status: 'queued', submittedAt: undefined, generatedAt: undefined } as const;
  const fetching: Task = {
    ...task,
    upstream: { ...UPSTREAM, definition: '{}' },
    source: { kind: 'address', uri: 'https://studio.test/1.mp4' },
  };
  const ended = { ...task, status: 'completed' } as const;

  const work = (kind: NonNullable<Task['work']>['kind']) => ({ work: { kind, dueAt: 5000 } });

  const CHANGES: Readonly<Record<string, readonly [from: Task, to: Task, change: Partial<Task>]>> = {
    claimSubmit: [
      queued,
      transitions.claimSubmit(queued, 5000, UPSTREAM),
      { ...work('submitting'), openSubmits: 2, upstream: UPSTREAM },
    ],
    submitted: [
      queued,
      transitions.submitted(queued, 'operations/1', 5000, 6000),
      {
        status: 'in_progress',
        work: { kind: 'check', dueAt: 6000 },
        operation: 'operations/1',
        submittedAt: 5000,
        attempts: 0,
        ticket: undefined,
      },
    ],
    submitRefused: [
      queued,
      transitions.submitRefused(queued, 5000),
      { ...work('submit'), attempts: 3, openSubmits: 0, upstream: undefined },
    ],
    submitUnanswered: [
      queued,
      transitions.submitUnanswered(queued, 5000),
      { ...work('submit'), attempts: 3, upstream: undefined, lostPlace: 'studio' },
    ],
    submitPostponed: [queued, transitions.submitPostponed(queued, 5000), work('submit')],
    submitPaused: [queued, transitions.submitPaused(queued, 5000), { ...work('submit'), attempts: 3 }],
    submitInLine: [
      queued,
      transitions.submitInLine(queued, 7, 'workers'),
      { work: { kind: 'wait', dueAt: 1000 + 6 * 3_600_000 }, ticket: 7, waitsFor: 'workers' },
    ],
    stillGenerating: [
      task,
      transitions.stillGenerating(task, 5000),
      { ...work('check'), attempts: 0, refusedSince: undefined },
    ],
    checkFailed: [
      task,
      transitions.checkFailed(task, 5000, 4000),
      { ...work('check'), attempts: 3, refusedSince: 4000 },
    ],
    generated: [
      task,
      transitions.generated(task, { source: SOURCE, cost: COST }, 5000, 6000),
      {
        work: { kind: 'fetching', dueAt: 6000 },
        upstream: LEFT,
        source: SOURCE,
        upstreamCost: COST,
        generatedAt: 5000,
        attempts: 0,
        refusedSince: undefined,
      },
    ],
    claimFetch: [task, transitions.claimFetch(task, 5000), work('fetching')],
    fetchFailed: [
      task,
      transitions.fetchFailed(task, 5000, undefined),
      { ...work('fetch'), attempts: 3, refusedSince: undefined },
    ],
    fetchPostponed: [task, transitions.fetchPostponed(task, 5000), work('fetch')],
    completed: [
      fetching,
      transitions.completed(fetching, { file, charge, now: 5000, expiresAt: 9000 }),
      {
        ...{ status: 'completed', ...work('settle'), file, charge, completedAt: 5000, expiresAt: 9000 },
        ...{ upstream: { ...UPSTREAM, definition: undefined }, source: undefined },
      },
    ],
    failed: [
      fetching,
      transitions.failed(fetching, error, 5000),
      {
        ...{ status: 'failed', ...work('settle'), ticket: undefined, failedAt: 5000, error },
        ...{ upstream: { ...LEFT, definition: undefined }, source: undefined },
      },
    ],
    claimRepeat: [queued, transitions.claimRepeat(queued, 5000), work('submitting')],
    retentionChanged: [
      ended,
      transitions.retentionChanged({ ...ended, expiresAt: 8000 }, 9000, 5000),
      { ...work('retain'), expiresAt: 9000, inputsExpireAt: 8000 },
    ],
    settled: [ended, transitions.settled(ended), { work: undefined }],
    deletionRequested: [ended, transitions.deletionRequested(ended, 5000), work('delete')],
  };
  for (const [name, [from, to, change]] of Object.entries(CHANGES))
    test(`${name} changes ${Object.keys(change).join(', ')} and the step`, () => {
      assert.deepEqual(to, { ...from, ...change, step: 4 });
    });
});
