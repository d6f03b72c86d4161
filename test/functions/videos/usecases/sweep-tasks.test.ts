import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_WORK, toMinute } from '../../../../functions/videos/domain/step-queue.ts';
import type { DueTask, Task } from '../../../../functions/videos/domain/task.ts';
import { sweep } from '../../../../functions/videos/usecases/sweep-tasks.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { emptyQueue, MemoryQueueAges } from '../../../support/in-memory/queue-ages.ts';

const GRACE = 60_000;
const RUN = { graceMs: GRACE, stopAt: NOW + 40_000 };
const due = (id: string, change: Partial<Task> = {}): Task =>
  aTask({ id, work: { kind: 'check', dueAt: NOW - GRACE }, ...change });

test('requeues only work that is overdue by the grace period', async () => {
  const { worker, sent } = buildWorker(
    due('late'),
    due('in time', { work: { kind: 'check', dueAt: NOW - GRACE + 1 } }),
    due('done', { work: undefined }),
  );
  await sweep({ ...worker, ...emptyQueue(), ...RUN });
  assert.deepEqual(sent, [{ taskId: 'late', account: 'account', step: 3 }]);
});

test('requeues other tasks if one cannot be postponed', async () => {
  const { worker, sent, failures } = buildWorker(due('broken'), due('late'));
  const { tasks } = worker;
  const postpone = (task: DueTask, at: number) =>
    task.id === 'broken' ? Promise.reject(new Error('no')) : tasks.postpone(task, at);
  await sweep({ ...worker, ...emptyQueue(), ...RUN, tasks: { ...tasks, postpone } });
  assert.deepEqual(sent, [{ taskId: 'late', account: 'account', step: 3 }]);
  assert.deepEqual(failures, [['task not swept', { taskId: 'broken', step: 3 }]]);
});

test('requeues other tasks if the queue refuses one, and logs it', async () => {
  const { worker, sent, failures, logged } = buildWorker(due('refused'), due('late'));
  const sendAll: typeof worker.queue.sendAll = async (messages) => {
    const [refused = [], taken = []] = [true, false].map((isRefused) =>
      messages.filter(({ taskId }) => (taskId === 'refused') === isRefused),
    );
    await worker.queue.sendAll(taken);
    return refused;
  };
  await sweep({ ...worker, ...emptyQueue(), ...RUN, queue: { sendAll } });
  assert.deepEqual(sent, [{ taskId: 'late', account: 'account', step: 3 }]);
  assert.deepEqual(failures, [['task not swept', { taskId: 'refused', step: 3 }]]);
  assert.deepEqual(logged, [['swept', { requeued: 1, left: 0 }]]);
});

describe('a sweep of 1,000 overdue tasks', () => {
  const many = () => buildWorker(...Array.from({ length: 1000 }, (_, number) => due(`task ${number}`)));

  test('requeues each task once, ten to a batch and with at most 10 concurrent calls', async () => {
    const { worker, sent } = many();
    const { tasks, queue } = worker;
    let [atOnce, most, largest] = [0, 0, 0];
    await sweep({
      ...worker,
      ...emptyQueue(),
      ...RUN,
      tasks: {
        ...tasks,
        postpone: async (task, at) => {
          atOnce += 1;
          most = Math.max(most, atOnce);
          await new Promise((resolve) => setImmediate(resolve));
          atOnce -= 1;
          return tasks.postpone(task, at);
        },
      },
      queue: {
        sendAll: (messages) => {
          largest = Math.max(largest, messages.length);
          return queue.sendAll(messages);
        },
      },
    });
    assert.equal(new Set(sent.map(({ taskId }) => taskId)).size, 1000);
    assert.equal(sent.length, 1000);
    assert.equal(largest, 10);
    assert.equal(most, 10);
  });

  test('stops when the time is up and logs how many are left', async () => {
    const { worker, sent, logged } = many();
    let now = NOW;
    const postpone: typeof worker.tasks.postpone = (task, at) => {
      now += 100;
      return worker.tasks.postpone(task, at);
    };
    const tasks = { ...worker.tasks, postpone };
    await sweep({ ...worker, ...emptyQueue(), tasks, now: () => now, graceMs: GRACE, stopAt: NOW + 40_000 });
    assert.ok(sent.length >= 400 && sent.length < 500, `${sent.length} were sent`);
    assert.deepEqual(logged, [['swept', { requeued: sent.length, left: 1000 - sent.length }]]);
  });
});

describe('a sweep while messages are waiting', () => {
  const MINUTE = toMinute(NOW);
  const HOUR_AGO = NOW - 3_600_000;
  const NOTHING = { onTime: false, late: new Map<string, number>() };
  const dueAt = (id: string, at: number): Task => due(id, { work: { kind: 'submit', dueAt: at } });
  const build = (...tasks: readonly Task[]) => {
    const world = buildWorker(...tasks);
    const ages = new MemoryQueueAges();
    const waiting = { depth: { waiting: async () => 7 }, ages };
    return { ...world, ages, run: () => sweep({ ...world.worker, ...waiting, ...RUN }) };
  };

  for (const [title, receivedUntil, late] of [
    ['skips tasks whose message may still be in the queue', HOUR_AGO, [HOUR_AGO, HOUR_AGO + 1]],
    ['finds lost messages within two minutes if workers receive messages on time', NOW - 60_000, []],
  ] as const)
    test(title, async () => {
      const { ages, run, sent } = build(
        dueAt('waiting', receivedUntil - GRACE + 1),
        dueAt('lost', receivedUntil - GRACE),
      );
      await ages.record(MINUTE, { ...NOTHING, onTime: true });
      for (const [index, readyAt] of late.entries())
        await ages.record(MINUTE - 1 + index, { onTime: true, late: new Map([[String(index), readyAt]]) });
      await run();
      const ids = sent.map(({ taskId }) => taskId);
      assert.deepEqual(ids, ['lost']);
    });

  test('sends nothing while workers receive nothing, and records since when', async () => {
    const { ages, run, sent, logged } = build(dueAt('waiting', HOUR_AGO));
    await ages.record(MINUTE - 2, { ...NOTHING, onTime: true });
    await run();
    assert.deepEqual(sent, []);
    assert.deepEqual(logged, [['sweep skipped', { waiting: 7 }]]);
    assert.deepEqual(await ages.read(MINUTE), { ...NOTHING, stalledSince: NOW, work: NO_WORK });
  });

  test('keeps the time since which workers receive nothing', async () => {
    const { ages, run } = build();
    await ages.record(MINUTE - 1, { ...NOTHING, stalledSince: HOUR_AGO });
    await run();
    assert.equal((await ages.read(MINUTE))?.stalledSince, HOUR_AGO);
  });
});
