import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import type { StepMessage, WorkDone } from '../../../../functions/videos/domain/step-queue.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { isCrowded, NO_LOAD, type WorkerLoad } from '../../../../functions/videos/domain/worker-capacity.ts';
import { serveLines } from '../../../../functions/videos/usecases/serve-lines.ts';
import { aTask } from '../../../support/builders/task.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { loadsPort, MemoryQueueAges, MemoryWorkerLoads } from '../../../support/in-memory/queue-ages.ts';
import { linePort, MemoryPool } from '../../../support/in-memory/upstreams.ts';

const MODEL = 'video-3.1-generate-preview';
const FAST = 'video-3.1-fast-generate-preview';
const HOUR = 3_600_000;
const { request } = aTask();

const waiting = (id: string, ticket: number, change: Partial<Task> = {}): Task =>
  aTask({ id, ticket, account: id.slice(0, 1), work: { kind: 'wait', dueAt: NOW + HOUR }, ...change });

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const LIMITED = anUpstream('a', { submitsPerMinute: 3 });

const build = (tasks: readonly Task[], upstreams: readonly Upstream[] = [LIMITED]) => {
  const world = buildWorker(...tasks);
  const pool = new MemoryPool();
  pool.setLine(MODEL, { until: NOW + 1000, served: 0 });
  const line = linePort(pool, world.stores.tasks);
  const loads = new MemoryWorkerLoads();
  const ages = new MemoryQueueAges();
  const sends: { readonly message: StepMessage; readonly delay: number }[] = [];
  const dependencies = {
    line,
    upstreams,
    readState: async () => pool.read(),
    loads: loadsPort(loads),
    ages,
    depth: { waiting: async () => 0 },
    workers: 10,
    maxWaitMs: HOUR,
    queue: { send: async (message: StepMessage, delay: number) => void sends.push({ message, delay }) },
    logger: world.worker.logger,
    now: () => NOW,
    stopAt: NOW + HOUR,
  };
  const sent = () => sends.map(({ message }) => message.taskId);
  const left = (model: string) => world.stores.tasks.waiting(model).map(({ id }) => id);
  return { ...world, pool, loads, ages, line, sends, sent, left, dependencies };
};

describe('the sweeper', () => {
  test('calls as many tasks as fit, in the order of their tickets', async () => {
    const { dependencies, sends, left, pool, loads, logged } = build([
      waiting('c1', 3),
      waiting('a1', 1),
      waiting('b2', 4),
      waiting('b1', 2),
    ]);
    loads.load = { ...NO_LOAD, rate: 40 };
    await serveLines(dependencies);
    const called = [...'abc'].map((account) => ({ taskId: `${account}1`, account, step: 3 }));
    const wanted = called.map((message) => ({ message, delay: 0 }));
    assert.deepEqual(sends, wanted);
    assert.deepEqual([loads.load.rate, loads.load.waiting], [21.5, 1], 'the mean, and the one that is left');
    assert.deepEqual(left(MODEL), ['b2']);
    assert.deepEqual(pool.read().lines.get(MODEL), { until: NOW + 150_000, served: 3 });
    assert.deepEqual(logged, [['line served', { model: MODEL, served: 3, left: true }]]);
  });

  test('is due again a minute after the start, before the task counts as forgotten', async () => {
    const { dependencies, stores, pool } = build([waiting('a1', 1)]);
    for (const name of ['one', 'two', 'three']) pool.entry('a').starts.set(name, NOW - 20_000);
    await serveLines(dependencies);
    assert.deepEqual(stores.tasks.due(NOW + 100_499), []);
    assert.deepEqual(stores.tasks.due(NOW + 100_500), [{ id: 'a1', step: 3, sweeps: 0 }]);
  });

  test('ends an empty line, and remembers the ticket that was served', async () => {
    const { dependencies, pool, logged } = build([waiting('a1', 7), waiting('a2', 8)]);
    await serveLines(dependencies);
    assert.deepEqual(pool.read().lines.get(MODEL), { until: NOW + 5000, served: 8 });
    assert.deepEqual(logged, [['line served', { model: MODEL, served: 2, left: false }]]);
  });

  test('finds a task whose line was never noted, and notes no line without a task', async () => {
    const { dependencies, logged, sent } = build([
      waiting('a1', 1, { request: { ...request, model: FAST } }),
    ]);
    await serveLines(dependencies);
    assert.deepEqual(sent(), ['a1']);
    assert.deepEqual(logged, [
      ['line served', { model: MODEL, served: 0, left: false }],
      ['line served', { model: FAST, served: 1, left: false }],
    ]);
  });

  test('uses every upstream that offers the model', async () => {
    const other = anUpstream('b', { submitsPerMinute: 5, models: { [MODEL]: null } });
    const tasks = numbers(9).map((index) => waiting(`a${index}`, index));
    const alone = build(tasks, [LIMITED, other]);
    await serveLines(alone.dependencies);
    assert.equal(alone.sends.length, 3);
    const both = build(tasks, [LIMITED, anUpstream('b', { submitsPerMinute: 5 })]);
    await serveLines(both.dependencies);
    assert.equal(both.sends.length, 8);
  });

  test('calls a task whose deadline has passed, even without room', async () => {
    const late = { work: { kind: 'wait', dueAt: NOW } } as const;
    const { dependencies, sent, pool } = build([waiting('a1', 1), waiting('a2', 2, late)]);
    pool.entry('a').isDisabled = true;
    await serveLines(dependencies);
    assert.deepEqual(sent(), ['a2']);
    assert.equal(pool.read().lines.get(MODEL)?.served, 0);
  });

  test('loses no task if a message cannot be sent', async () => {
    const { dependencies, stores, failures, sent } = build([waiting('a1', 1), waiting('a2', 2)]);
    const send: typeof dependencies.queue.send = (message, delay) =>
      message.taskId === 'a1'
        ? Promise.reject(new Error('throttled'))
        : dependencies.queue.send(message, delay);
    await serveLines({ ...dependencies, queue: { send } });
    assert.deepEqual([sent(), failures], [['a2'], [['line not served', { taskId: 'a1' }]]]);
    // The sweeper finds it when it is due.
    const due = stores.tasks.due(NOW + 60_001).map(({ id }) => id);
    assert.deepEqual(due, ['a1', 'a2']);
  });

  test('leaves a task in line if it cannot be called', async () => {
    const { dependencies, failures, left } = build([waiting('a1', 1)]);
    const call = () => Promise.reject(new Error('throttled'));
    await serveLines({ ...dependencies, line: { ...dependencies.line, call } });
    assert.deepEqual([left(MODEL), failures], [['a1'], [['line not served', { taskId: 'a1' }]]]);
  });

  test('gives the start of a task that has moved on to the next one', async () => {
    const upstreams = [anUpstream('a', { submitsPerMinute: 1 })];
    const { dependencies, sent, line } = build([waiting('a1', 1), waiting('a2', 2)], upstreams);
    const call: typeof line.call = async (task, dueAt) =>
      task.id === 'a1' ? undefined : line.call(task, dueAt);
    await serveLines({ ...dependencies, line: { ...line, call } });
    assert.deepEqual(sent(), ['a2']);
  });

  test('stops in time, and leaves the rest to the next run', async () => {
    const { dependencies, sent, pool } = build(numbers(3).map((index) => waiting(`a${index}`, index)));
    let time = NOW;
    const send = async (...given: Parameters<typeof dependencies.queue.send>) => {
      time += 1000;
      await dependencies.queue.send(...given);
    };
    await serveLines({ ...dependencies, queue: { send }, now: () => time, stopAt: NOW + 2000 });
    assert.deepEqual(sent(), ['a0', 'a1']);
    assert.deepEqual(pool.read().lines.get(MODEL), { until: NOW + 2000 + 150_000, served: 1 });
  });
});

describe('the sweeper with an upstream without limits', () => {
  const UNLIMITED = [anUpstream('a')];
  const many = (count: number) => numbers(count).map((index) => waiting(`a${index}`, index));
  /** Two workers that need three seconds for a task. */
  const serve = async (
    tasks: readonly Task[],
    {
      work,
      load = {},
      messages = 0,
    }: { work?: Partial<WorkDone>; load?: Partial<WorkerLoad>; messages?: number },
  ) => {
    const world = build(tasks, UNLIMITED);
    world.loads.load = { ...NO_LOAD, ...load };
    const done = { busyMs: 120_000, messages: 100, started: 40, ended: 40, ...work };
    await world.ages.record(NOW / 60_000 - 1, { onTime: true, late: new Map(), work: done });
    await serveLines({ ...world.dependencies, workers: 2, depth: { waiting: async () => messages } });
    return world;
  };

  test('calls as many tasks as the workers can finish, spread over the minute', async () => {
    const { sends, loads, left } = await serve(many(100), {});
    // 40 in a minute, and a reserve of 10 seconds.
    assert.equal(sends.length, 46);
    const delays = sends.map(({ delay }) => delay);
    assert.deepEqual([delays[0], delays[1], delays[24]], [0, 0, 30_000]);
    assert.equal(left(MODEL).length, 54);
    assert.equal(loads.load.heldUntil, NOW + 150_000);
    assert.equal(loads.load.served.get(MODEL), 45);
  });

  test('leaves the time of the workers to the checks and fetches that wait', async () => {
    // 100 messages of 1.2 seconds are a minute of both workers.
    assert.equal((await serve(many(100), { messages: 100 })).sends.length, 6);
    assert.equal((await serve(many(100), { messages: 1000 })).sends.length, 0);
  });

  test('starts few tasks while the upstream accepts none, and at most doubles the starts of a minute', async () => {
    assert.equal((await serve(many(100), { work: { started: 0, ended: 0 } })).sends.length, 20);
    assert.equal((await serve(many(100), { work: { started: 10, ended: 70 } })).sends.length, 40);
  });

  test('lets new tasks start as soon as the line is empty', async () => {
    const { loads } = await serve(many(10), { load: { heldUntil: NOW + 90_000 } });
    assert.equal(loads.load.heldUntil, 0);
  });

  test('reads and writes nothing more if no task waits', async () => {
    const { dependencies, loads } = build([], UNLIMITED);
    const unexpected = () => Promise.reject(new Error('not expected'));
    await serveLines({
      ...dependencies,
      loads: { ...dependencies.loads, save: unexpected },
      ages: { read: unexpected },
      depth: { waiting: unexpected },
    });
    assert.equal(loads.load, NO_LOAD);
  });

  test('notes the accounts whose next video would wait longer than an hour', async () => {
    const noisy = numbers(3000).map((index) => waiting(`a${index}`, index + 1));
    const quiet = numbers(30).map((index) => waiting(`b${index}`, index + 1));
    const { loads } = await serve([...noisy, ...quiet], { load: { waiting: 5000 } });
    const isRefused = (account: string) => isCrowded(loads.load, account, NOW + 60_000);
    // 40 in a minute are 2,400 in an hour.
    assert.deepEqual(['a', 'b', 'c'].map(isRefused), [true, false, false]);
    // Nobody knows how long videos wait if the sweeper does not run.
    const minutes = [3, 4].map((minute) => isCrowded(loads.load, 'a', NOW + minute * 60_000));
    assert.deepEqual(minutes, [true, false]);
  });
});
