import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FETCH_DEADLINE,
  GENERATION_DEADLINE,
  QUEUE_DEADLINE,
} from '../../../../functions/videos/domain/schedule.ts';
import {
  isClaimed,
  isDeleted,
  isTerminal,
  TASK_STATUSES,
  type Task,
  type TaskStatus,
  WORK_KINDS,
} from '../../../../functions/videos/domain/task.ts';
import * as moves from '../../../../functions/videos/domain/transitions.ts';
import { aTask } from '../../../support/builders/task.ts';

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

describe('a move writes all that changes with it', () => {
  const task = aTask({
    status: 'in_progress',
    createdAt: 1000,
    submittedAt: 2000,
    generatedAt: 3000,
    refusedSince: 3500,
    operation: 'operations/0',
  });
  const SOURCE = { kind: 'inline' } as const;
  const FILE = { key: 'videos/1.mp4', bytes: 9 };
  const CHARGE = { seconds: 6, unitPrice: '0.40', amount: '2.40', currency: 'USD' };
  const ERROR = { code: 'internal', message: 'broken' } as const;
  const queued = { ...task, status: 'queued', submittedAt: undefined, generatedAt: undefined } as const;
  const ended = { ...task, status: 'completed' } as const;

  const MOVES: readonly (readonly [name: string, from: Task, to: Task, change: Partial<Task>])[] = [
    [
      'claimSubmit',
      queued,
      moves.claimSubmit(queued, 5000),
      { work: { kind: 'submitting', dueAt: 5000 }, openSubmits: 2 },
    ],
    [
      'submitted',
      queued,
      moves.submitted(queued, 'operations/1', 5000, 6000),
      {
        status: 'in_progress',
        work: { kind: 'check', dueAt: 6000 },
        operation: 'operations/1',
        submittedAt: 5000,
        attempts: 0,
      },
    ],
    [
      'submitRefused',
      queued,
      moves.submitRefused(queued, 5000),
      { work: { kind: 'submit', dueAt: 5000 }, attempts: 3, openSubmits: 0 },
    ],
    [
      'submitUnanswered',
      queued,
      moves.submitUnanswered(queued, 5000),
      { work: { kind: 'submit', dueAt: 5000 }, attempts: 3 },
    ],
    [
      'submitPostponed',
      queued,
      moves.submitPostponed(queued, 5000),
      { work: { kind: 'submit', dueAt: 5000 } },
    ],
    [
      'stillGenerating',
      task,
      moves.stillGenerating(task, 5000),
      { work: { kind: 'check', dueAt: 5000 }, attempts: 0, refusedSince: undefined },
    ],
    [
      'checkFailed',
      task,
      moves.checkFailed(task, 5000, 4000),
      { work: { kind: 'check', dueAt: 5000 }, attempts: 3, refusedSince: 4000 },
    ],
    [
      'generated',
      task,
      moves.generated(task, SOURCE, 5000, 6000),
      {
        work: { kind: 'fetching', dueAt: 6000 },
        source: SOURCE,
        generatedAt: 5000,
        attempts: 0,
        refusedSince: undefined,
      },
    ],
    ['claimFetch', task, moves.claimFetch(task, 5000), { work: { kind: 'fetching', dueAt: 5000 } }],
    [
      'fetchFailed',
      task,
      moves.fetchFailed(task, 5000, undefined),
      { work: { kind: 'fetch', dueAt: 5000 }, attempts: 3, refusedSince: undefined },
    ],
    ['fetchPostponed', task, moves.fetchPostponed(task, 5000), { work: { kind: 'fetch', dueAt: 5000 } }],
    [
      'completed',
      task,
      moves.completed(task, { file: FILE, charge: CHARGE, now: 5000, expiresAt: 9000 }),
      {
        status: 'completed',
        work: { kind: 'settle', dueAt: 5000 },
        file: FILE,
        charge: CHARGE,
        completedAt: 5000,
        expiresAt: 9000,
      },
    ],
    [
      'failed',
      task,
      moves.failed(task, ERROR, 5000),
      { status: 'failed', work: { kind: 'settle', dueAt: 5000 }, failedAt: 5000, error: ERROR },
    ],
    ['settled', ended, moves.settled(ended), { work: undefined }],
    ['deletionAsked', ended, moves.deletionAsked(ended, 5000), { work: { kind: 'delete', dueAt: 5000 } }],
  ];
  for (const [name, from, to, change] of MOVES)
    test(`${name} changes ${Object.keys(change).join(', ')} and the step`, () => {
      assert.deepEqual(to, { ...from, ...change, step: 4 });
    });

  test('a new task is queued, and due at once', () => {
    const { id, account, keyId, fingerprint, request } = task;
    assert.deepEqual(moves.newTask({ id, account, keyId, createdAt: 7, fingerprint, request }), {
      id,
      account,
      keyId,
      createdAt: 7,
      fingerprint,
      request,
      reservation: undefined,
      status: 'queued',
      step: 0,
      work: { kind: 'submit', dueAt: 7 },
      attempts: 0,
      openSubmits: 0,
      operation: undefined,
      submittedAt: undefined,
      generatedAt: undefined,
      refusedSince: undefined,
      source: undefined,
      file: undefined,
      completedAt: undefined,
      failedAt: undefined,
      expiresAt: undefined,
      charge: undefined,
      error: undefined,
    });
  });
});
