import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DueTask } from '../../../../functions/videos/domain/ports.ts';
import { minuteAt } from '../../../../functions/videos/domain/queue-age.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { sweep } from '../../../../functions/videos/usecases/sweep.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { emptyQueue, MemoryQueueAges } from '../../../support/in-memory/queue-ages.ts';

const GRACE = 60_000;
const RUN = { graceMs: GRACE, stopAt: NOW + 40_000 };
const due = (id: string, change: Partial<Task> = {}): Task =>
  aTask({ id, work: { kind: 'check', dueAt: NOW - GRACE - 1 }, ...change });

test('only work that is overdue by more than the graceMs is put back on the queue', async () => {
  const { worker, sent } = buildWorker(
    due('late'),
    due('in time', { work: { kind: 'check', dueAt: NOW - GRACE } }),
    due('done', { work: undefined }),
  );
  await sweep({ ...worker, ...emptyQueue(), ...RUN });
  assert.deepEqual(sent, [{ taskId: 'late', account: 'account', step: 3 }]);
});

test('work that was put back is not put back again within the minute', async () => {
  const { worker, sent } = buildWorker(due('late'));
  await sweep({ ...worker, ...emptyQueue(), ...RUN });
  await sweep({ ...worker, ...emptyQueue(), ...RUN });
  assert.equal(sent.length, 1);
});

test('a task that cannot be put off keeps no other waiting', async () => {
  const { worker, sent, errors } = buildWorker(due('broken'), due('late'));
  const { tasks } = worker;
  const postpone = (task: DueTask, at: number) =>
    task.id === 'broken' ? Promise.reject(new Error('no')) : tasks.postpone(task, at);
  await sweep({ ...worker, ...emptyQueue(), ...RUN, tasks: { ...tasks, postpone } });
  assert.deepEqual(sent, [{ taskId: 'late', account: 'account', step: 3 }]);
  assert.deepEqual(errors, ['not swept']);
});

test('a message that the queue refuses keeps no other waiting, and is told', async () => {
  const { worker, sent, errors, logged } = buildWorker(due('refused'), due('late'));
  const sendAll: typeof worker.queue.sendAll = async (messages) => {
    const [refused = [], taken = []] = [true, false].map((isRefused) =>
      messages.filter(({ taskId }) => (taskId === 'refused') === isRefused),
    );
    await worker.queue.sendAll(taken);
    return refused;
  };
  await sweep({ ...worker, ...emptyQueue(), ...RUN, queue: { sendAll } });
  assert.deepEqual(sent, [{ taskId: 'late', account: 'account', step: 3 }]);
  assert.deepEqual(errors, ['not swept']);
  assert.deepEqual(logged, [['swept', { requeued: 1, left: 0 }]]);
});

test('a queue that takes nothing is told for each task', async () => {
  const { worker, errors, logged } = buildWorker(due('one'), due('two'));
  const sendAll = () => Promise.reject(new Error('no queue'));
  await sweep({ ...worker, ...emptyQueue(), ...RUN, queue: { sendAll } });
  assert.deepEqual(errors, ['not swept', 'not swept']);
  assert.deepEqual(logged, [['swept', { requeued: 0, left: 0 }]]);
});

test('a due index that breaks off fails the sweep for all to see, after what it gave is done', async () => {
  const { worker, sent } = buildWorker(due('late'));
  const { tasks } = worker;
  const breaking = async function* (before: number) {
    yield* tasks.due(before);
    throw new Error('the index cannot be read');
  };
  await assert.rejects(
    sweep({ ...worker, ...emptyQueue(), ...RUN, tasks: { ...tasks, due: breaking } }),
    /cannot be read/,
  );
  assert.deepEqual(sent, [{ taskId: 'late', account: 'account', step: 3 }]);
});

describe('a sweep of 1,000 overdue tasks', () => {
  const many = () => buildWorker(...Array.from({ length: 1000 }, (_, number) => due(`task ${number}`)));

  test('puts each back once, in messages of ten and with no more than 10 calls at once', async () => {
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

  test('that runs out of time stops, and says how many are left for the next', async () => {
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

describe('a sweep of a queue that is not empty', () => {
  const MINUTE = minuteAt(NOW);
  const HOUR_AGO = NOW - 3_600_000;
  const NOTHING = { onTime: false, late: new Map<string, number>() };
  const dueAt = (id: string, at: number): Task => due(id, { work: { kind: 'submit', dueAt: at } });
  const build = (...tasks: readonly Task[]) => {
    const world = buildWorker(...tasks);
    const ages = new MemoryQueueAges();
    const waiting = { depth: { waiting: async () => 7 }, ages };
    return { ...world, ages, run: () => sweep({ ...world.worker, ...waiting, ...RUN }) };
  };

  test('leaves alone what may be behind the oldest message that workers receive', async () => {
    const { ages, run, sent } = build(
      dueAt('waiting', HOUR_AGO - GRACE),
      dueAt('lost', HOUR_AGO - GRACE - 1),
    );
    await ages.record(MINUTE - 1, { onTime: true, late: new Map([['1', HOUR_AGO]]) });
    await ages.record(MINUTE, { onTime: true, late: new Map([['2', HOUR_AGO + 1]]) });
    await run();
    assert.deepEqual(
      sent.map(({ taskId }) => taskId),
      ['lost'],
    );
  });

  test('finds within two minutes what is lost while messages are received on time', async () => {
    const { ages, run, sent } = build(
      dueAt('waiting', NOW - 60_000 - GRACE),
      dueAt('lost', NOW - 60_000 - GRACE - 1),
    );
    await ages.record(MINUTE, { ...NOTHING, onTime: true });
    await run();
    assert.deepEqual(
      sent.map(({ taskId }) => taskId),
      ['lost'],
    );
  });

  test('sends nothing while workers receive nothing, and records since when', async () => {
    const { ages, run, sent, logged } = build(dueAt('waiting', HOUR_AGO));
    await ages.record(MINUTE - 2, { ...NOTHING, onTime: true });
    await run();
    assert.deepEqual(sent, []);
    assert.deepEqual(logged, [['sweep held back', { waiting: 7 }]]);
    assert.equal((await ages.read(MINUTE))?.stalledSince, NOW);
  });

  test('carries on the time since which workers receive nothing', async () => {
    const { ages, run } = build();
    await ages.record(MINUTE - 1, { ...NOTHING, stalledSince: HOUR_AGO });
    await run();
    assert.equal((await ages.read(MINUTE))?.stalledSince, HOUR_AGO);
  });
});
