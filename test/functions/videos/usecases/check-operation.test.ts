import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UpstreamError, type UpstreamFault } from '../../../../functions/upstream/domain/faults.ts';
import type { OperationState } from '../../../../functions/upstream/domain/video-generator.ts';
import type { StepMessage } from '../../../../functions/videos/domain/step-queue.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import type { Worker } from '../../../../functions/videos/usecases/worker.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const SUBMITTED = NOW - 60_000;
const LEASE = NOW + 20_000;
const FORBIDDEN = new UpstreamError('operator', 'no', { httpStatus: 403 });

const generating: Task = aTask({
  status: 'in_progress',
  createdAt: SUBMITTED,
  submittedAt: SUBMITTED,
  operation: 'operations/1',
  upstream: { name: 'default', definition: '{}', hasPlace: false },
  work: { kind: 'check', dueAt: LEASE },
});
const stepMessage = (task: Task, leaseUntil = LEASE): StepMessage => ({
  taskId: task.id,
  account: task.account,
  step: task.step,
  poll: {
    operation: 'operations/1',
    upstream: { name: 'default', definition: '{}' },
    submittedAt: SUBMITTED,
    leaseUntil,
  },
});

/** A worker whose operation is in the given state, and which records what it does with the table. */
const watch = async (
  state: OperationState | UpstreamError,
  message: StepMessage,
  task = generating,
  change: Partial<Worker> = {},
) => {
  const world = buildWorker(task);
  const { worker, stores } = world;
  const used: string[] = [];
  const sends: { readonly message: StepMessage; readonly delay: number }[] = [];
  let checks = 0;
  await advanceTask(
    {
      ...worker,
      ...change,
      tasks: {
        ...worker.tasks,
        find: (id) => {
          used.push('find');
          return worker.tasks.find(id);
        },
        advance: (next) => {
          used.push('advance');
          return worker.tasks.advance(next);
        },
      },
      queue: { ...worker.queue, send: async (sent, delay) => void sends.push({ message: sent, delay }) },
      generator: {
        ...worker.generator,
        check: async () => {
          checks += 1;
          if (state instanceof UpstreamError) throw state;
          return state;
        },
        open: () => Promise.reject(FORBIDDEN),
      },
    },
    message,
  );
  return { used, sends, checks, errors: world.errors, after: stores.tasks.find(task.id) };
};

describe('a check within its lease', () => {
  test('without news reads and writes nothing and sends the same message again', async () => {
    const message = stepMessage(generating);
    const { used, sends, after } = await watch({ state: 'pending' }, message);
    assert.deepEqual(used, []);
    assert.deepEqual(sends, [{ message, delay: 3000 }]);
    assert.deepEqual(after, generating);
  });

  for (const [name, outcome, code] of [
    [
      'that finds a failure',
      { state: 'failed', error: { code: 'content_blocked', message: 'no' } },
      'content_blocked',
    ],
    [
      'of an operation that is not found',
      new UpstreamError('operator', 'gone', { httpStatus: 404 }),
      'upstream_unavailable',
    ],
    [
      'that the upstream rejects',
      new UpstreamError('rejected', 'no', { httpStatus: 400 }),
      'upstream_rejected',
    ],
  ] as const)
    test(`${name} calls the upstream once and ends the task`, async () => {
      const { used, checks, after } = await watch(outcome, stepMessage(generating));
      assert.equal(after?.error?.code, code);
      assert.deepEqual([checks, used[0]], [1, 'find']);
    });

  test('is retried after a temporary fault, which counts as an attempt', async () => {
    const error = new UpstreamError('failing', 'no', { httpStatus: 503, retryAfterSeconds: 30 });
    const { sends, after } = await watch(error, stepMessage(generating));
    assert.deepEqual(
      [after?.attempts, after?.work],
      [generating.attempts + 1, { kind: 'check', dueAt: NOW + 30_000 }],
    );
    assert.deepEqual(sends, [
      { message: { taskId: generating.id, account: 'account', step: 4 }, delay: 30_000 },
    ]);
  });

  const busyFor = (retryAfterSeconds: number) =>
    new UpstreamError('busy', 'slow down', { httpStatus: 429, retryAfterSeconds });

  test('is delayed by a busy upstream without a write', async () => {
    const message = stepMessage(generating);
    const { used, sends, after } = await watch(busyFor(50), message);
    assert.deepEqual(used, []);
    assert.deepEqual(after, generating);
    assert.deepEqual(sends, [{ message, delay: 50_000 }]);
  });

  test('is spread by up to a quarter, so that tasks do not return at once', async () => {
    const { sends } = await watch(busyFor(40), stepMessage(generating), generating, { random: () => 1 });
    assert.equal(sends[0]?.delay, 50_000);
    const late = await watch(busyFor(50.0005), stepMessage(generating));
    assert.deepEqual(late.used, ['find', 'advance']);
  });
});

const MINUTE = 60_000;
const OPERATOR_EVENT = 'upstream needs the operator';
const refusal = (fault: UpstreamFault, httpStatus: number) => new UpstreamError(fault, 'no', { httpStatus });

for (const [error, code, events] of [
  [refusal('operator', 401), 'upstream_unavailable', [OPERATOR_EVENT]],
  [refusal('exhausted', 429), 'rate_limited', ['upstream quota used up']],
] as const)
  test(`a check that is refused with ${error.httpStatus} tells the operator, and fails after 10 minutes`, async () => {
    for (const [before, since, isOver] of [
      [undefined, NOW, false],
      [NOW - 10 * MINUTE + 1, NOW - 10 * MINUTE + 1, false],
      [NOW - 10 * MINUTE, undefined, true],
    ] as const) {
      const refused = { ...generating, refusedSince: before };
      const { after, sends, errors } = await watch(error, stepMessage(generating), refused);
      assert.deepEqual(
        [after?.error?.code, sends.length, errors],
        isOver ? [code, 0, events] : [undefined, 1, events],
      );
      if (!isOver) assert.deepEqual([after?.status, after?.refusedSince], ['in_progress', since]);
    }
  });

for (const [name, state, refusedSince] of [
  ['finds the operation pending', { state: 'pending' }, undefined],
  ['finds a video whose file is refused', { state: 'done', source: { kind: 'inline' } }, NOW],
  ['meets a temporary fault', new UpstreamError('failing', 'no', { httpStatus: 500 }), undefined],
] as const)
  test(`a check that ${name} resets the refusals`, async () => {
    const refused = { ...generating, refusedSince: NOW - 10 * MINUTE };
    const message = { taskId: refused.id, step: refused.step };
    const { after } = await watch(state, message, refused);
    assert.deepEqual([after?.status, after?.refusedSince], ['in_progress', refusedSince]);
  });

describe('a check after its lease', () => {
  test('renews the lease with a new step, which ends duplicate chains of messages', async () => {
    const { used, sends, after } = await watch({ state: 'pending' }, stepMessage(generating, NOW));
    assert.deepEqual(used, ['find', 'advance']);
    assert.deepEqual(after?.work, { kind: 'check', dueAt: NOW + 60_000 });
    assert.equal(after?.step, generating.step + 1);
    const renewed = { ...stepMessage(generating, NOW + 60_000), step: generating.step + 1 };
    assert.deepEqual(sends, [{ message: renewed, delay: 3000 }]);
  });
});

test('a task that is still pending after 30 minutes fails', async () => {
  const old = { ...generating, submittedAt: NOW - 30 * 60_000 };
  const { after, checks } = await watch({ state: 'pending' }, { taskId: old.id, step: old.step }, old);
  assert.deepEqual([after?.error?.code, checks], ['generation_timeout', 1]);
});
