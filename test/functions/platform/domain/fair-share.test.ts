import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  mayBegin,
  ShareUsedUp,
  type SlowSteps,
  slotShares,
  withinShare,
  withinShareWhenSlow,
  workerShares,
} from '../../../../functions/platform/domain/fair-share.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import type { Worker } from '../../../../functions/videos/usecases/worker.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW as TIME } from '../../../support/builders/worker.ts';
import { MemorySlowSteps, slowStepsPort } from '../../../support/in-memory/slow-steps.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';

/** Lets accounts begin steps in turn while they may; returns how many each holds. */
const fill = (workers: number, accounts: number, share = workerShares(workers).usual): number[] => {
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

for (const [workers, accounts, held] of [
  [2, 1, [1]],
  [3, 1, [1]],
  [10, 1, [5]],
  [10, 2, [4, 3]],
  [10, 3, [3, 3, 2]],
  [10, 9, [1, 1, 1, 1, 1, 1, 1, 1, 1]],
  [400, 1, [200]],
  [1000, 1, [500]],
] as const)
  test(`${accounts} slow accounts hold ${held} of ${workers} workers`, () => {
    assert.deepEqual(fill(workers, accounts), held);
  });

test('fewer slow accounts than workers leave a worker free', () => {
  for (let workers = 2; workers <= 1000; workers += 1)
    for (const accounts of [1, 2, 3].filter((count) => count < workers)) {
      const total = fill(workers, accounts).reduce((sum, each) => sum + each, 0);
      assert.ok(total < workers, `${accounts} accounts hold ${total} of ${workers}`);
    }
});

test('an account without slow steps may always begin one', () => {
  assert.ok(mayBegin(workerShares(10).usual, { own: 0, part: 0, all: 1000 }));
});

for (const [workers, accounts, usual, failing] of [
  [2, 1, [1], [1]],
  [2, 2, [1, 0], [1, 0]],
  [3, 1, [1], [1]],
  [10, 1, [3], [2]],
  [10, 2, [2, 2], [1, 1]],
  [10, 3, [2, 1, 1], [1, 1, 1]],
  [10, 10, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]],
  [40, 1, [10], [5]],
] as const)
  test(`${accounts} accounts hold ${usual} slots of ${workers} workers, or ${failing} if their endpoints fail`, () => {
    const shares = slotShares(workers);
    assert.deepEqual(fill(workers, accounts, shares.usual), usual);
    assert.deepEqual(fill(workers, accounts, shares.failing), failing);
  });

test('slots take at most half of the workers', () => {
  for (let workers = 2; workers <= 1000; workers += 1)
    for (const share of Object.values(slotShares(workers))) {
      const total = fill(workers, 20, share).reduce((sum, each) => sum + each, 0);
      assert.ok(total >= 1 && total <= workers / 2, `${total} of ${workers}`);
    }
});

test('one endpoint may hold about half of the share of its account', () => {
  const { usual, failing } = slotShares(10);
  assert.deepEqual([usual.part, failing.part], [2, 1]);
  assert.equal(mayBegin(usual, { own: 1, part: 1, all: 1 }), true);
  assert.equal(mayBegin(usual, { own: 2, part: 2, all: 2 }), false);
  assert.equal(mayBegin(usual, { own: 2, part: 0, all: 2 }), true);
});

test('shares have at most twelve evenly spaced levels, each of which leaves as many workers free as it allows', () => {
  assert.deepEqual(workerShares(6).usual.levels, [
    { own: 1, all: 5 },
    { own: 2, all: 4 },
    { own: 3, all: 3 },
  ]);
  const levels = workerShares(100).usual.levels.map(({ own }) => own);
  assert.deepEqual(levels, [4, 8, 12, 16, 20, 25, 29, 33, 37, 41, 45, 50]);
  assert.deepEqual(workerShares(100).usual.levels.at(-1), { own: 50, all: 50 });
});

const NOW = 1000;
const STEP = { owner: 'acme', id: 'task_1' };

/** A worker beside `others` steps of the same account, of which five are its share. */
const worker = (others: number, broken: Partial<SlowSteps> = {}) => {
  const steps = new MemorySlowSteps();
  for (let step = 0; step < others; step += 1)
    steps.begin({ ...STEP, id: `other ${step}`, until: NOW + 60_000 }, NOW);
  const clock = { now: NOW };
  const logged: unknown[] = [];
  const sharer = {
    slowSteps: { ...slowStepsPort(steps), ...broken },
    logger: {
      info: (...line: unknown[]) => void logged.push(line),
      error: (event: string, _: unknown, fields: object = {}) => void logged.push([event, fields]),
    },
    now: () => clock.now,
  };
  return { sharer, clock, logged, held: () => steps.running(clock.now).length };
};

describe('withinShare', () => {
  const run = async (world: ReturnType<typeof worker>, fails = false) => {
    const done: string[] = [];
    const work = async () => {
      done.push(`works as one of ${world.held()}`);
      if (fails) throw new Error('a bug');
    };
    const postpone = async () => void done.push('waits');
    await withinShare(world.sharer, STEP, 60_000, { work, postpone }).catch(({ message }) =>
      done.push(message),
    );
    return [...done, `leaves ${world.held()}`];
  };

  test('counts the work while it runs, however it ends', async () => {
    assert.deepEqual(await run(worker(4)), ['works as one of 5', 'leaves 4']);
    assert.deepEqual(await run(worker(4), true), ['works as one of 5', 'a bug', 'leaves 4']);
  });

  test('postpones work for which no share is left', async () => {
    const world = worker(5);
    assert.deepEqual(await run(world), ['waits', 'leaves 5']);
    assert.deepEqual(world.logged, [['share used up', STEP]]);
  });

  test('works without a share if the steps cannot be counted, and logs the error', async () => {
    const fail = () => Promise.reject(new Error('throttled'));
    const world = worker(0, { begin: fail, end: fail });
    assert.deepEqual(await run(world), ['works as one of 0', 'leaves 0']);
    const line = ['share not counted', STEP];
    assert.deepEqual(world.logged, [line, line]);
  });
});

for (const [title, others, milliseconds, counts] of [
  ['needs no share within 3 seconds', 5, 3000, [5, 5, 5]],
  ['counts after 3 seconds, until it ends', 0, 3001, [0, 1, 1]],
  ['is aborted after 3 seconds without a share', 5, 3001, [5]],
] as const)
  test(`a video ${title}`, async (context) => {
    const { sharer, clock, held } = worker(others);
    const begin = context.mock.method(sharer.slowSteps, 'begin');
    const video = async function* () {
      yield new Uint8Array(1);
      clock.now += milliseconds;
      yield new Uint8Array(1);
      yield new Uint8Array(1);
    };
    const counted: number[] = [];
    const read = async () => {
      for await (const _ of withinShareWhenSlow(sharer, STEP, 60_000, video())) counted.push(held());
    };
    if (counts.length < 3) await assert.rejects(read(), ShareUsedUp);
    else await read();
    assert.deepEqual([counted, held()], [[...counts], others]);
    assert.equal(begin.mock.callCount(), milliseconds > 3000 ? 1 : 0);
  });

test('a task whose fetch is aborted fetches again later, without having lost an attempt', async () => {
  const task = aTask({
    status: 'in_progress',
    operation: 'operations/1',
    submittedAt: TIME - 60_000,
    work: { kind: 'check', dueAt: TIME },
  });
  const { worker: built, stores } = buildWorker(task);
  let now = TIME;
  const open = async function* () {
    now += 3001;
    yield wholeMp4();
  };
  const generator: Worker['generator'] = {
    ...built.generator,
    check: async () => ({ state: 'done', source: { kind: 'address', uri: '/files/1' } }),
    open: async () => open(),
  };
  const slowSteps = { begin: async () => false, end: async () => {} };
  const changed = { ...built, generator, slowSteps, now: () => now };
  await advanceTask(changed, { taskId: task.id, step: task.step });
  const after = stores.tasks.find(task.id);
  assert.deepEqual([after?.status, after?.work?.kind, after?.attempts], ['in_progress', 'fetch', 0]);
  assert.deepEqual(stores.media.keys(), []);
});
