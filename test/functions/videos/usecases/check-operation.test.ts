import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UpstreamError, type UpstreamFault } from '../../../../functions/upstream/domain/faults.ts';
import { upstreamPauses } from '../../../../functions/upstream/domain/process-pauses.ts';
import type { OperationState } from '../../../../functions/upstream/domain/video-generator.ts';
import type { StepMessage } from '../../../../functions/videos/domain/step-queue.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { NO_LOAD } from '../../../../functions/videos/domain/worker-capacity.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import type { Worker } from '../../../../functions/videos/usecases/worker.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const SUBMITTED = NOW - 60_000;
const LEASE = NOW + 20_000;
const PENDING = { state: 'pending' } as const;
const BLOCKED = { code: 'content_blocked', message: 'no' } as const;
const refusal = (fault: UpstreamFault, httpStatus: number) => new UpstreamError(fault, 'no', { httpStatus });
const FORBIDDEN = refusal('operator', 403);

const generating: Task = aTask({
  status: 'in_progress',
  createdAt: SUBMITTED,
  submittedAt: SUBMITTED,
  operation: 'operations/1',
  upstream: { name: 'default', definition: '{}', hasPlace: false },
  work: { kind: 'check', dueAt: LEASE },
});
const stepMessage = (task: Task, leaseUntil = LEASE, name = 'default'): StepMessage => ({
  taskId: task.id,
  account: task.account,
  step: task.step,
  poll: {
    operation: 'operations/1',
    upstream: { name, definition: '{}' },
    submittedAt: SUBMITTED,
    leaseUntil,
  },
});

/** A worker whose operation is in the given state, and which records what it does with the table. */
const watch = async (
  state: OperationState | Error,
  message: StepMessage,
  task = generating,
  change: Partial<Worker> = {},
) => {
  const world = buildWorker(task);
  const { worker, stores } = world;
  const used: string[] = [];
  const sends: { readonly message: StepMessage; readonly delay: number }[] = [];
  const cancels: unknown[] = [];
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
          return (change.tasks ?? worker.tasks).advance(next);
        },
      },
      queue: { ...worker.queue, send: async (sent, delay) => void sends.push({ message: sent, delay }) },
      generator: {
        ...worker.generator,
        check: async () => {
          checks += 1;
          if (state instanceof Error) throw state;
          return state;
        },
        cancel: async (...given) => {
          cancels.push(given);
          throw FORBIDDEN;
        },
        open: () => Promise.reject(FORBIDDEN),
      },
    },
    message,
  );
  return { ...world, used, sends, cancels, checks, after: stores.tasks.find(task.id) };
};

describe('a check within its lease', () => {
  test('without news reads and writes nothing and sends the same message again', async () => {
    const message = stepMessage(generating);
    const { used, sends, after } = await watch(PENDING, message);
    assert.deepEqual([used, sends, after], [[], [{ message, delay: 3000 }], generating]);
  });

  for (const [name, outcome, code] of [
    ['that finds a failure', { state: 'failed', error: BLOCKED }, 'content_blocked'],
    ['of an operation that is not found', refusal('operator', 404), 'upstream_unavailable'],
    ['that the upstream rejects', refusal('rejected', 400), 'upstream_rejected'],
  ] as const)
    test(`${name} calls the upstream once and ends the task`, async () => {
      const { used, checks, after, logged } = await watch(outcome, stepMessage(generating));
      const { id: taskId, account, request } = generating;
      assert.equal(after?.error?.code, code);
      assert.deepEqual(logged.at(-1), ['task failed', { taskId, account, model: request.model, code }]);
      assert.deepEqual([checks, used[0]], [1, 'find']);
    });

  test('is retried after a temporary fault, which counts as an attempt', async () => {
    const error = new UpstreamError('failing', 'no', { httpStatus: 503, retryAfterSeconds: 30 });
    const { sends, after, logged } = await watch(error, stepMessage(generating));
    const fields = { taskId: generating.id, fault: 'failing', httpStatus: 503 };
    assert.deepEqual(logged, [['check failed', fields]]);
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
    assert.deepEqual([used, sends, after], [[], [{ message, delay: 50_000 }], generating]);
    assert.equal((await watch(busyFor(0), message)).sends[0]?.delay, 3000);
  });

  test('waits while its upstream is busy for all, but not longer than its lease', async () => {
    const message = stepMessage(generating);
    const elsewhere = stepMessage(generating, LEASE, 'other');
    for (const [seconds, asked] of [
      [20, 0],
      [51, 1],
    ] as const) {
      const pauses = upstreamPauses(() => NOW);
      const check = async (state: OperationState | Error, sent = message) =>
        (await watch(state, sent, generating, { pauses })).checks;
      for (const state of [busyFor(20), busyFor(20), PENDING, ...Array(3).fill(busyFor(seconds))])
        assert.equal(await check(state), 1);
      assert.deepEqual([await check(PENDING), await check(PENDING, elsewhere)], [asked, 1]);
    }
  });

  test('is made once a minute while tasks wait for the workers', async () => {
    const delays = [NOW, NOW + 1].map(async (heldUntil) => {
      const current = async (age: number) => (age === 120_000 ? { ...NO_LOAD, heldUntil } : NO_LOAD);
      const load = { current, hold: async () => {} };
      const { sends } = await watch(PENDING, stepMessage(generating), generating, { load });
      return sends[0]?.delay;
    });
    assert.deepEqual(await Promise.all(delays), [3000, 60_000]);
  });

  test('is repeated by the queue after an unknown error', async () => {
    await assert.rejects(watch(new Error('out of memory'), stepMessage(generating)), /out of memory/);
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
  ['finds the operation pending', PENDING, undefined],
  ['finds a video whose file is refused', { state: 'done', source: { kind: 'inline' } }, NOW],
  ['meets a temporary fault', refusal('failing', 500), undefined],
] as const)
  test(`a check that ${name} resets the refusals`, async () => {
    const refused = { ...generating, refusedSince: NOW - 10 * MINUTE };
    const message = { taskId: refused.id, step: refused.step };
    const { after } = await watch(state, message, refused);
    assert.deepEqual([after?.status, after?.refusedSince], ['in_progress', refusedSince]);
  });

describe('a check after its lease', () => {
  test('renews the lease with a new step, which ends duplicate chains of messages', async () => {
    const { used, sends, after } = await watch(PENDING, stepMessage(generating, NOW));
    assert.deepEqual(used, ['find', 'advance']);
    assert.deepEqual(after?.work, { kind: 'check', dueAt: NOW + 60_000 });
    assert.equal(after?.step, generating.step + 1);
    const renewed = { ...stepMessage(generating, NOW + 60_000), step: generating.step + 1 };
    assert.deepEqual(sends, [{ message: renewed, delay: 3000 }]);
  });

  test('sends nothing if another worker has renewed it', async () => {
    const { tasks } = buildWorker(generating).worker;
    const lost = { tasks: { ...tasks, advance: async () => false } };
    const { sends } = await watch(PENDING, stepMessage(generating, NOW), generating, lost);
    assert.deepEqual(sends, []);
  });
});

test('a task that is still pending after 30 minutes fails, even if its upstream does not stop it', async () => {
  const old = { ...generating, submittedAt: NOW - 30 * 60_000 };
  const message = { taskId: old.id, step: old.step };
  const { after, checks, cancels, counted, failures } = await watch(PENDING, message, old);
  const error = { code: 'generation_timeout', message: 'The generator did not finish within 30 minutes.' };
  assert.deepEqual([after?.error, checks, counted], [error, 1, ['ended']]);
  assert.deepEqual(cancels, [['operations/1', generating.upstream]]);
  assert.deepEqual(failures, [['upstream operation not cancelled', { taskId: old.id }]]);
});
