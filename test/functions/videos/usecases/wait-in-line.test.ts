import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import type { StepMessage } from '../../../../functions/videos/domain/step-queue.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { callNext, joinLine, serveLines } from '../../../../functions/videos/usecases/wait-in-line.ts';
import { aTask } from '../../../support/builders/task.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
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
  const sends: { readonly message: StepMessage; readonly delay: number }[] = [];
  const dependencies = {
    line,
    upstreams,
    readState: async () => pool.read(),
    queue: { send: async (message: StepMessage, delay: number) => void sends.push({ message, delay }) },
    logger: world.worker.logger,
    now: () => NOW,
    stopAt: NOW + HOUR,
  };
  const sent = () => sends.map(({ message }) => message.taskId);
  const left = (model: string) => world.stores.tasks.waiting(model).map(({ id }) => id);
  return { ...world, messages: world.sent, pool, line, sends, sent, left, dependencies };
};

describe('the sweeper', () => {
  test('calls as many tasks as fit, in the order of their tickets', async () => {
    const { dependencies, sends, left, pool, logged } = build([
      waiting('c1', 3),
      waiting('a1', 1),
      waiting('b2', 4),
      waiting('b1', 2),
    ]);
    await serveLines(dependencies);
    assert.deepEqual(
      sends,
      ['a1', 'b1', 'c1'].map((taskId) => ({
        message: { taskId, account: taskId.slice(0, 1), step: 3 },
        delay: 0,
      })),
    );
    assert.deepEqual(left(MODEL), ['b2']);
    assert.deepEqual(pool.read().lines.get(MODEL), { until: NOW + 150_000, served: 3 });
    assert.deepEqual(logged, [['line served', { model: MODEL, served: 3, left: true }]]);
  });

  test('spreads the calls over the times at which starts renew', async () => {
    const { dependencies, sends, pool } = build(numbers(5).map((index) => waiting(`a${index}`, index)));
    pool
      .entry('a')
      .starts.set('one', NOW - 50_000)
      .set('two', NOW - 15_000);
    await serveLines(dependencies);
    assert.deepEqual(
      sends.map(({ delay }) => delay),
      [0, 10_500, 45_500],
    );
  });

  test('is due again a minute after the start, before the task counts as forgotten', async () => {
    const { dependencies, stores, pool } = build([waiting('a1', 1)]);
    for (const name of ['one', 'two', 'three']) pool.entry('a').starts.set(name, NOW - 20_000);
    await serveLines(dependencies);
    assert.deepEqual(stores.tasks.due(NOW + 100_500), []);
    assert.deepEqual(stores.tasks.due(NOW + 100_501), [{ id: 'a1', step: 3, sweeps: 0 }]);
  });

  test('ends an empty line, and remembers the ticket that was served', async () => {
    const { dependencies, pool, logged } = build([waiting('a1', 7), waiting('a2', 8)]);
    await serveLines(dependencies);
    assert.deepEqual(pool.read().lines.get(MODEL), { until: NOW + 5000, served: 8 });
    assert.deepEqual(logged, [['line served', { model: MODEL, served: 2, left: false }]]);
  });

  test('reads no line that has never had a task', async () => {
    const { dependencies, logged } = build([waiting('a1', 1, { request: { ...request, model: FAST } })]);
    await serveLines(dependencies);
    assert.deepEqual(logged, [['line served', { model: MODEL, served: 0, left: false }]]);
  });

  test('serves two lines in turn, and together no more than fit', async () => {
    const fast = { request: { ...request, model: FAST } } as const;
    const { dependencies, pool, sent, left } = build([
      ...numbers(4).map((index) => waiting(`a${index}`, index)),
      ...numbers(4).map((index) => waiting(`f${index}`, index, fast)),
    ]);
    pool.setLine(FAST, { until: NOW + 1000 });
    await serveLines(dependencies);
    assert.deepEqual(sent(), ['a0', 'f0', 'a1']);
    assert.deepEqual(
      [left(MODEL), left(FAST)],
      [
        ['a2', 'a3'],
        ['f1', 'f2', 'f3'],
      ],
    );
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
    const { dependencies, stores, errors, sent } = build([waiting('a1', 1), waiting('a2', 2)]);
    const send: typeof dependencies.queue.send = (message, delay) =>
      message.taskId === 'a1'
        ? Promise.reject(new Error('throttled'))
        : dependencies.queue.send(message, delay);
    await serveLines({ ...dependencies, queue: { send } });
    assert.deepEqual([sent(), errors], [['a2'], ['line not served']]);
    // The sweeper finds it when it is due.
    assert.deepEqual(
      stores.tasks.due(NOW + 60_001).map(({ id }) => id),
      ['a1', 'a2'],
    );
  });

  test('leaves a task in line if it cannot be called', async () => {
    const { dependencies, errors, left } = build([waiting('a1', 1)]);
    const call = () => Promise.reject(new Error('throttled'));
    await serveLines({ ...dependencies, line: { ...dependencies.line, call } });
    assert.deepEqual([left(MODEL), errors], [['a1'], ['line not served']]);
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

describe('a task that joins the line', () => {
  const join = async (task: Task, line: Parameters<typeof joinLine>[2]) => {
    const world = build([task]);
    await joinLine({ ...world.worker, line: world.line }, task, line);
    return { ...world, after: world.stores.tasks.find(task.id) };
  };
  const queued = aTask({ createdAt: NOW, work: { kind: 'submit', dueAt: NOW } });

  test('gets a ticket, and waits until its deadline without a message', async () => {
    const { after, messages, logged } = await join(queued, { until: NOW + HOUR, served: 4 });
    assert.deepEqual([after?.ticket, after?.work], [5, { kind: 'wait', dueAt: NOW + 6 * HOUR }]);
    assert.deepEqual(messages, []);
    assert.equal(logged.at(-1)?.[0], 'task waits in line');
  });

  test('keeps the ticket that it has', async () => {
    const { after } = await join({ ...queued, ticket: 2 }, { until: NOW + HOUR, served: 4 });
    assert.equal(after?.ticket, 2);
  });

  for (const [title, line, until] of [
    ['holds back others when it is the first', undefined, NOW + 150_000],
    ['extends the time in which others are held back', { until: NOW + 74_999, served: 0 }, NOW + 150_000],
    ['writes nothing if the line is held long enough', { until: NOW + 75_000, served: 0 }, NOW + 1000],
  ] as const)
    test(title, async () => {
      const { pool } = await join(queued, line);
      assert.equal(pool.read().lines.get(MODEL)?.until, until);
    });
});

describe('a video that leaves its place', () => {
  const call = async (hasPlace: boolean, canServe: boolean | Error) => {
    const world = build([waiting('a1', 1), waiting('a2', 2)]);
    const { worker, line } = world;
    const freeForLine = async () => {
      if (canServe instanceof Error) throw canServe;
      return canServe ? [anUpstream('a')] : [];
    };
    const left = aTask({ operation: 'operations/1', upstream: { name: 'a', hasPlace } });
    await callNext({ ...worker, line, pool: { ...worker.pool, freeForLine } }, left);
    return world;
  };

  test('makes room for the next task in line', async () => {
    const { messages, stores } = await call(true, true);
    assert.deepEqual(messages, [{ taskId: 'a1', account: 'a', step: 3 }]);
    assert.deepEqual(
      stores.tasks.waiting(MODEL).map(({ id }) => id),
      ['a2'],
    );
  });

  test('calls nobody without room, and if it had no place', async () => {
    for (const [hasPlace, canServe] of [
      [true, false],
      [false, true],
    ] as const)
      assert.equal((await call(hasPlace, canServe)).stores.tasks.waiting(MODEL).length, 2);
  });

  test('is stored even if nobody can be called', async () => {
    const { errors } = await call(true, new Error('throttled'));
    assert.deepEqual(errors, ['line not served']);
  });
});
