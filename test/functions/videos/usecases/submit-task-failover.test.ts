import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failoverPool } from '../../../../functions/upstream/domain/failover.ts';
import { UpstreamError, type UpstreamFault } from '../../../../functions/upstream/domain/faults.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import type { OperationState } from '../../../../functions/upstream/domain/video-generator.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { checkOperation } from '../../../../functions/videos/usecases/check-operation.ts';
import { submitTask } from '../../../../functions/videos/usecases/submit-task.ts';
import type { Worker } from '../../../../functions/videos/usecases/worker.ts';
import { aTask } from '../../../support/builders/task.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { type CallName, callAtOnce } from '../../../support/in-memory/call.ts';
import { MemoryTasks, tasksPort } from '../../../support/in-memory/tasks.ts';
import { linePort, MemoryPool, poolStatesPort } from '../../../support/in-memory/upstreams.ts';

const MODEL = 'video-3.1-generate-preview';
const [A, B] = [anUpstream('a', { priority: 1 }), anUpstream('b', { priority: 2 })];

const queued = (change: Partial<Task> = {}): Task =>
  aTask({ createdAt: NOW, attempts: 0, openSubmits: 0, work: { kind: 'submit', dueAt: NOW }, ...change });

type Answer = string | UpstreamError;
const fault = (kind: UpstreamFault, httpStatus?: number, retryAfterSeconds?: number) =>
  new UpstreamError(kind, `${kind} words`, { ...(httpStatus && { httpStatus }), retryAfterSeconds });

/** A worker with several upstreams, each of which gives one answer to every submit. */
const build = (answers: Readonly<Record<string, Answer>>, upstreams: readonly Upstream[] = [A, B]) => {
  const world = buildWorker();
  const state = new MemoryPool();
  const tasks = new MemoryTasks({ pool: state });
  const calls: CallName[] = [];
  const submits: string[] = [];
  const states = poolStatesPort(state, (name, apply, refused) => {
    calls.push(name);
    return callAtOnce(name, apply, refused);
  });
  const { logger, generator } = world.worker;
  const worker: Worker = {
    ...world.worker,
    tasks: tasksPort(tasks),
    line: linePort(state, tasks),
    pool: failoverPool({ upstreams, states, logger, now: () => NOW, random: () => 0 }),
    generator: {
      ...generator,
      submit: async (_request, _inputs, _key, { name }) => {
        submits.push(name);
        const answer = answers[name] ?? assert.fail(`no answer of ${name}`);
        if (answer instanceof UpstreamError) throw answer;
        return answer;
      },
    },
  };
  const submit = async (task: Task, change: Partial<Worker> = {}) => {
    tasks.create(task);
    await submitTask({ ...worker, ...change }, task);
    return tasks.find(task.id) ?? assert.fail();
  };
  return { ...world, worker, state, tasks, calls, submits, submit };
};

describe('a task is submitted to the next upstream', () => {
  test('after a refused connection', async () => {
    const { submit, submits, logged } = build({ a: fault('failing'), b: 'operations/1' });
    const after = await submit(queued());
    assert.deepEqual(submits, ['a', 'b']);
    assert.deepEqual([after.status, after.operation, after.openSubmits], ['in_progress', 'operations/1', 1]);
    const definition = JSON.stringify({ ...B, models: {} });
    assert.deepEqual(after.upstream, { name: 'b', definition, hasPlace: false });
    const failed = logged.filter(([event]) => event === 'submit failed').map(([, fields]) => fields.upstream);
    assert.deepEqual(failed, ['a']);
  });

  for (const [title, error, openSubmits] of [
    ['500', fault('failing', 500), 0],
    ['a timeout', fault('unanswered'), 1],
  ] as const)
    test(`but not after ${title}, which leaves it queued`, async () => {
      const { submit, submits, sent } = build({ a: error, b: 'operations/1' });
      const after = await submit(queued());
      assert.deepEqual([submits, after.status, after.openSubmits], [['a'], 'queued', openSubmits]);
      assert.equal(sent.length, 1);
    });
});

describe('a task that every upstream refuses', () => {
  test('fails with the last error if waiting does not help', async () => {
    const { submit, errors } = build({ a: fault('operator', 401), b: fault('exhausted', 429) });
    const after = await submit(queued());
    assert.deepEqual([after.status, after.error?.code, after.openSubmits], ['failed', 'rate_limited', 0]);
    // Each upstream pauses; the last error is also that of the task.
    const quota = 'upstream quota used up';
    assert.deepEqual(errors, ['upstream needs the operator', quota, quota]);
  });

  test('waits for one that is only busy, as long as it asks for', async () => {
    const { submit, sent } = build({ a: fault('operator', 401), b: fault('busy', 429, 40) });
    const after = await submit(queued());
    assert.deepEqual([after.status, after.work], ['queued', { kind: 'submit', dueAt: NOW + 40_000 }]);
    assert.equal(sent.length, 1);
  });

  test('is not submitted again before the first pause ends, or up to a quarter later', async () => {
    const { submit, submits } = build({ a: fault('busy', 429, 40), b: fault('busy', 429, 20) });
    await submit(queued({ id: 'task_first' }));
    const after = await submit(queued({ id: 'task_second' }), { random: () => 1 });
    assert.deepEqual(submits, ['a', 'b']);
    assert.deepEqual(after.work, { kind: 'submit', dueAt: NOW + 25_000 });
  });
});

describe('a place at a limited upstream', () => {
  const LIMITED = anUpstream('a', { submitsPerMinute: 5, videosAtOnce: 1 });
  const placesAfter = async (answer: Answer, upstreams: readonly Upstream[] = [LIMITED]) => {
    const world = build({ a: answer, b: 'operations/2' }, upstreams);
    const after = await world.submit(queued());
    return { ...world, after, places: () => [...world.state.entry('a').places.keys()] };
  };

  test('is taken with the claim, and counts the start', async () => {
    const { places, state, after } = await placesAfter('operations/1');
    assert.deepEqual(places(), [after.id]);
    const { starts, places: held } = state.entry('a');
    assert.deepEqual([[...starts], [...held.values()]], [[['aaaaaaaa4', NOW]], [NOW + 31 * 60_000]]);
    assert.deepEqual([after.upstream?.name, after.upstream?.hasPlace], ['a', true]);
  });

  for (const [title, error, count] of [
    ['returned after a refusal', fault('busy', 429), 0],
    ['returned when the task fails', fault('rejected', 400), 0],
    ['kept after a lost response', fault('unanswered'), 1],
  ] as const)
    test(`is ${title}`, async () => assert.equal((await placesAfter(error)).places().length, count));

  for (const [title, outcome] of [
    ['is generated', { state: 'done', source: { kind: 'inline' } }],
    ['fails', { state: 'failed', error: { code: 'internal', message: 'no' } }],
  ] as const satisfies readonly (readonly [string, OperationState])[])
    test(`is returned when the video ${title}, and the next task in line is called`, async () => {
      const { worker, submit, places, after, tasks, sent } = await placesAfter('operations/1');
      const waits = await submit(queued({ id: 'task_next' }));
      assert.deepEqual([waits.work?.kind, waits.ticket], ['wait', 1]);
      const open = () => Promise.reject(fault('failing', 503));
      const generator = { ...worker.generator, check: async () => outcome, open };
      await checkOperation({ ...worker, generator }, after);
      assert.deepEqual([places(), tasks.find(after.id)?.upstream?.hasPlace], [[], false]);
      assert.equal(sent.filter(({ taskId }) => taskId === 'task_next').length, 1);
    });

  for (const isWorkerDead of [false, true])
    test(`of a ${isWorkerDead ? 'dead worker' : 'lost response'} is returned when the video is generated elsewhere`, async () => {
      const { worker, places, after, tasks } = await placesAfter(fault('unanswered'), [LIMITED, B]);
      const upstream = { name: 'a', definition: undefined, hasPlace: true };
      const lost = isWorkerDead ? { ...after, upstream, lostPlace: undefined } : after;
      await worker.pool.note('a', MODEL, fault('busy', 429, 5));
      await submitTask(worker, lost);
      const elsewhere = tasks.find(after.id) ?? assert.fail();
      assert.deepEqual([elsewhere.upstream?.name, elsewhere.lostPlace, places()], ['b', 'a', [after.id]]);
      const done: OperationState = { state: 'done', source: { kind: 'inline' } };
      const open = () => Promise.reject(fault('failing', 503));
      const generator = { ...worker.generator, check: async () => done, open };
      await checkOperation({ ...worker, generator }, elsewhere);
      assert.deepEqual([places(), tasks.find(after.id)?.lostPlace], [[], undefined]);
    });

  test('that others have just taken is looked for again, with a fresh state', async () => {
    const world = build({ a: 'operations/1' }, [LIMITED]);
    const { tasks, submit, calls } = world;
    let misses = 0;
    const advanceWithPlace: Worker['tasks']['advanceWithPlace'] = async (next, place) => {
      misses += 1;
      return misses < 3 ? 'full' : tasks.advanceWithPlace(next, place);
    };
    const after = await submit(queued(), { tasks: { ...world.worker.tasks, advanceWithPlace } });
    assert.deepEqual([after.status, misses], ['in_progress', 3]);
    assert.deepEqual(calls, ['pool.read', 'pool.read', 'pool.read']);
  });

  test('is left to the worker that has claimed it first', async () => {
    const world = build({ a: 'operations/1' }, [LIMITED]);
    let claims = 0;
    const advanceWithPlace = async () => {
      claims += 1;
      return false;
    };
    await world.submit(queued(), { tasks: { ...world.worker.tasks, advanceWithPlace } });
    assert.deepEqual([claims, world.submits, world.sent], [1, [], []]);
  });

  test('is looked for three times; then the task waits in line, behind those of the line', async () => {
    const world = build({ a: 'operations/1' }, [LIMITED, anUpstream('b', { videosAtOnce: 1 })]);
    const tried: string[] = [];
    world.state.setLine(MODEL, { served: 6 });
    const advanceWithPlace: Worker['tasks']['advanceWithPlace'] = async (_, { upstream }) => {
      tried.push(upstream);
      return 'full';
    };
    const after = await world.submit(queued(), { tasks: { ...world.worker.tasks, advanceWithPlace } });
    // `b` has the same priority as `a`; each of them is left out after the third miss.
    assert.deepEqual([tried.length, new Set(tried).size], [4, 2]);
    assert.deepEqual([after.work?.kind, after.ticket, world.submits], ['wait', 7, []]);
  });
});
