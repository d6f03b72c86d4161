import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mayBegin, slotShares, workerShares } from '../../../../functions/platform/domain/fair-share.ts';
import { UpstreamError } from '../../../../functions/upstream/domain/faults.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import type { Worker } from '../../../../functions/videos/usecases/worker.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
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
  assert.deepEqual(
    workerShares(100).usual.levels.map(({ own }) => own),
    [4, 8, 12, 16, 20, 25, 29, 33, 37, 41, 45, 50],
  );
  assert.deepEqual(workerShares(100).usual.levels.at(-1), { own: 50, all: 50 });
});

/** The share of one account of ten workers. */
const WHOLE_SHARE = 5;

type World = ReturnType<typeof buildWorker>;

const holdShare = ({ stores }: World, account: string): void => {
  for (let step = 0; step < WHOLE_SHARE; step += 1)
    stores.slowSteps.begin({ owner: account, id: `other ${step}`, until: NOW + 60_000 }, NOW);
};

const run = async (world: World, task: Task, change: Partial<Worker> = {}) => {
  await advanceTask({ ...world.worker, ...change }, { taskId: task.id, step: task.step });
  return world.stores.tasks.find(task.id);
};

const waiting = aTask({
  status: 'queued',
  createdAt: NOW - 1000,
  attempts: 0,
  openSubmits: 0,
  operation: undefined,
  submittedAt: undefined,
  work: { kind: 'submit', dueAt: NOW - 1000 },
});

describe('a submit', () => {
  test('is postponed under a new step if its account has used up its share', async () => {
    const world = buildWorker(waiting);
    holdShare(world, waiting.account);
    const after = await run(world, waiting);
    assert.deepEqual(after, {
      ...waiting,
      step: waiting.step + 1,
      work: { kind: 'submit', dueAt: NOW + 2000 },
    });
    assert.deepEqual(world.asked, []);
    assert.deepEqual(world.logged, [['share used up', { owner: waiting.account, id: waiting.id }]]);
    assert.deepEqual(world.sent, [{ taskId: waiting.id, account: waiting.account, step: waiting.step + 1 }]);
  });

  test('is not delayed by another account', async () => {
    const world = buildWorker(waiting);
    holdShare(world, 'somebody else');
    await assert.rejects(run(world, waiting), /submit was not expected/);
    assert.deepEqual(world.asked, ['submit']);
  });

  test('releases its share, however it ends', async () => {
    const outcomes = [
      () => Promise.resolve('operations/1'),
      () => Promise.reject(new UpstreamError('busy', 'no')),
      () => Promise.reject(new Error('a bug')),
    ];
    for (const submit of outcomes) {
      const world = buildWorker(waiting);
      const held: number[] = [];
      const generator = {
        ...world.worker.generator,
        submit: () => {
          held.push(world.stores.slowSteps.running(NOW).length);
          return submit();
        },
      };
      await run(world, waiting, { generator }).catch(() => undefined);
      assert.deepEqual([...held, world.stores.slowSteps.running(NOW).length], [1, 0]);
    }
  });

  test('proceeds if the steps cannot be counted, and logs the error', async () => {
    const world = buildWorker(waiting);
    const fail = () => Promise.reject(new Error('throttled'));
    const generator = { ...world.worker.generator, submit: async () => 'operations/1' };
    const after = await run(world, waiting, { generator, slowSteps: { begin: fail, end: fail } });
    assert.equal(after?.status, 'in_progress');
    const logged = ['share not counted', { owner: waiting.account, id: waiting.id }];
    assert.deepEqual(world.failures, [logged, logged]);
  });
});

describe('a fetch', () => {
  const ready = aTask({
    status: 'in_progress',
    operation: 'operations/1',
    submittedAt: NOW - 60_000,
    work: { kind: 'check', dueAt: NOW },
  });

  /** Fetches a video with a pause between its parts; `counted` is the number of steps during the fetch. */
  const fetchIn = async (world: World, task: Task, milliseconds: number) => {
    let now = NOW;
    let counted = 0;
    const open = async function* () {
      const video = wholeMp4();
      yield video.subarray(0, 8);
      now += milliseconds;
      yield video.subarray(8, 16);
      counted = world.stores.slowSteps.running(now).length;
      yield video.subarray(16);
    };
    const generator: Worker['generator'] = {
      ...world.worker.generator,
      check: async () => ({ state: 'done', source: { kind: 'address', uri: '/files/1' } }),
      open: async () => open(),
    };
    const after = await run(world, task, { generator, now: () => now });
    return { after, counted, left: world.stores.slowSteps.running(now).length };
  };

  test('needs no share within 3 seconds', async () => {
    const world = buildWorker(ready);
    holdShare(world, ready.account);
    const { after } = await fetchIn(world, ready, 3000);
    assert.equal(after?.status, 'completed');
  });

  test('counts as a slow step after 3 seconds, until it ends', async () => {
    const { after, counted, left } = await fetchIn(buildWorker(ready), ready, 3001);
    assert.deepEqual([after?.status, counted, left], ['completed', 1, 0]);
  });

  test('stops after 3 seconds if its account has used up its share, and is retried', async () => {
    const world = buildWorker(ready);
    holdShare(world, ready.account);
    const { after, left } = await fetchIn(world, ready, 3001);
    assert.deepEqual(
      [after?.status, after?.work?.kind, after?.attempts, left],
      ['in_progress', 'fetch', 0, 5],
    );
    assert.deepEqual(world.stores.media.keys(), []);
    const later = await fetchIn(world, after ?? ready, 0);
    assert.equal(later.after?.work?.kind, 'fetch');
    const { after: done } = await fetchIn(buildWorker(after ?? ready), after ?? ready, 60_000);
    assert.equal(done?.status, 'completed');
  });
});
