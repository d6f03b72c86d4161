import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { NO_LOAD } from '../../../../functions/videos/domain/worker-capacity.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import { callNext, joinLine, joinLineIfBusy } from '../../../../functions/videos/usecases/wait-in-line.ts';
import { aTask } from '../../../support/builders/task.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';
import { aVertex } from '../../../support/builders/upstream-kinds.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { linePort, MemoryPool } from '../../../support/in-memory/upstreams.ts';

const MODEL = 'video-3.1-generate-preview';
const HOUR = 3_600_000;

const waiting = (id: string, ticket: number, change: Partial<Task> = {}): Task =>
  aTask({ id, ticket, account: id.slice(0, 1), work: { kind: 'wait', dueAt: NOW + HOUR }, ...change });

const build = (...tasks: readonly Task[]) => {
  const world = buildWorker(...tasks);
  const pool = new MemoryPool();
  pool.setLine(MODEL, { until: NOW + 1000, served: 0 });
  return { ...world, messages: world.sent, pool, line: linePort(pool, world.stores.tasks) };
};

describe('a task that joins the line', () => {
  const join = async (task: Task, line: Parameters<typeof joinLine>[2]) => {
    const world = build(task);
    await joinLine({ ...world.worker, line: world.line }, task, line);
    return { ...world, after: world.stores.tasks.find(task.id) };
  };
  const queued = aTask({ createdAt: NOW, work: { kind: 'submit', dueAt: NOW } });

  test('gets a ticket, and waits until its deadline without a message', async () => {
    const { after, messages, logged } = await join(queued, { until: NOW + HOUR, served: 4 });
    assert.deepEqual(
      [after?.ticket, after?.work, after?.waitsFor],
      [5, { kind: 'wait', dueAt: NOW + 6 * HOUR }, 'upstream'],
    );
    assert.deepEqual(messages, []);
    const fields = { taskId: queued.id, account: 'account', model: MODEL };
    assert.deepEqual(logged.at(-1), ['task waits in line', fields]);
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

describe('a new task while the workers are busy', () => {
  const queued = aTask({ createdAt: NOW, work: { kind: 'submit', dueAt: NOW } });
  const start = async (heldUntil: number, waitedMs: number) => {
    const world = build(queued);
    const holds: number[] = [];
    const hold = async (until: number) => {
      await nextTurn();
      holds.push(until);
    };
    const load = { ...NO_LOAD, heldUntil, served: new Map([[MODEL, 7]]) };
    const watch = { current: async () => load, hold };
    const hasJoined = await joinLineIfBusy(
      { ...world.worker, line: world.line, load: watch },
      queued,
      waitedMs,
    );
    return { ...world, hasJoined, holds, after: world.stores.tasks.find(queued.id) };
  };

  test('starts at once if none waits and its message was received in time', async () => {
    const { hasJoined, holds, after } = await start(NOW, 29_999);
    assert.deepEqual([hasJoined, holds, after?.work?.kind], [false, [], 'submit']);
  });

  test('joins the line of those that wait, behind the tickets that were served', async () => {
    const { hasJoined, holds, after } = await start(NOW + 75_000, 0);
    assert.deepEqual([hasJoined, holds, after?.work?.kind], [true, [], 'wait']);
    assert.deepEqual([after?.ticket, after?.waitsFor], [8, 'workers']);
  });

  test('holds back others if its own message has waited for half a minute', async () => {
    const { hasJoined, holds, after } = await start(0, 30_000);
    assert.deepEqual([hasJoined, holds, after?.work?.kind], [true, [NOW + 150_000], 'wait']);
  });
});

describe('a task that was called out of the line', () => {
  const retry = async (attempts: number) => {
    const work = { kind: 'submit', dueAt: NOW } as const;
    const task = aTask({ createdAt: NOW, work, ticket: 3, openSubmits: 0, attempts });
    const { worker, line, asked, stores } = build(task);
    const load = { ...worker.load, current: async () => ({ ...NO_LOAD, heldUntil: NOW + 100_000 }) };
    const { id: taskId, step } = task;
    await advanceTask({ ...worker, line, load }, { taskId, step }).catch(() => {});
    return { asked, work: stores.tasks.find(taskId)?.work?.kind };
  };

  test('keeps its turn if it was only postponed', async () => {
    assert.deepEqual(await retry(0), { asked: ['submit'], work: 'submitting' });
  });

  test('waits again if the upstream has refused it', async () => {
    assert.deepEqual(await retry(1), { asked: [], work: 'wait' });
  });
});

describe('a video that leaves its place', () => {
  const call = async (hasPlace: boolean, canServe: boolean | Error, heldUntil = 0) => {
    const world = build(waiting('a1', 1), waiting('a2', 2));
    const { worker, line } = world;
    const freeForLine = async () => {
      if (canServe instanceof Error) throw canServe;
      return canServe ? [anUpstream('a')] : [];
    };
    const left = aTask({ operation: 'operations/1', upstream: { name: 'a', hasPlace } });
    const load = { ...worker.load, current: async () => ({ ...NO_LOAD, heldUntil }) };
    await callNext({ ...worker, line, load, pool: { ...worker.pool, freeForLine } }, left);
    return world;
  };

  test('makes room for the next task in line', async () => {
    const { messages, stores } = await call(true, true);
    assert.deepEqual(messages, [{ taskId: 'a1', account: 'a', step: 3 }]);
    const left = stores.tasks.waiting(MODEL).map(({ id }) => id);
    assert.deepEqual(left, ['a2']);
  });

  test('makes room for the first task that fits and has not moved on', async () => {
    const request = { ...aTask().request, resolution: '4k' } as const;
    const world = build(waiting('a1', 1, { request }), waiting('a2', 2), waiting('a3', 3), waiting('a4', 4));
    const { worker, line, messages } = world;
    const call: typeof line.call = async (task, dueAt) =>
      task.id === 'a2' ? undefined : line.call(task, dueAt);
    const freeForLine = async () => [aVertex({ offers: { resolutions: ['720p'] } })];
    const left = aTask({ operation: 'operations/1', upstream: { name: 'a', hasPlace: true } });
    await callNext({ ...worker, line: { ...line, call }, pool: { ...worker.pool, freeForLine } }, left);
    assert.deepEqual(messages, [{ taskId: 'a3', account: 'a', step: 3 }]);
  });

  test('calls nobody without room, and if it had no place', async () => {
    assert.equal((await call(true, false)).stores.tasks.waiting(MODEL).length, 2);
    assert.equal((await call(false, true)).stores.tasks.waiting(MODEL).length, 2);
  });

  test('calls nobody while the sweeper plans the time of the workers', async () => {
    assert.equal((await call(true, true, NOW + 1)).stores.tasks.waiting(MODEL).length, 2);
  });

  test('is stored even if nobody can be called', async () => {
    const { failures } = await call(true, new Error('throttled'));
    assert.deepEqual(failures, [['line not served', { model: MODEL }]]);
  });
});
