import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UpstreamError } from '../../../../functions/upstream/domain/faults.ts';
import { choice } from '../../../../functions/upstream/domain/pool.ts';
import { UnusableInput } from '../../../../functions/upstream/domain/video-generator.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { submitTask } from '../../../../functions/videos/usecases/submit-task.ts';
import type { Worker } from '../../../../functions/videos/usecases/worker.ts';
import { aTask } from '../../../support/builders/task.ts';
import { aVideosApi } from '../../../support/builders/upstream-kinds.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const WORK = { kind: 'submit', dueAt: NOW } as const;
const queued = (change: Partial<Task> = {}): Task =>
  aTask({ createdAt: NOW - 5000, attempts: 0, openSubmits: 0, work: WORK, ...change });

type Change = Partial<Worker> &
  Pick<Worker['generator'], 'prepare'> & {
    /** The objects in the store, by their keys. */
    readonly stored?: Readonly<Record<string, readonly number[]>>;
  };

/** Submits a task to an upstream that answers like this, and tells what came of it. */
const submit = async (task: Task, answer: string | UpstreamError, change: Change = {}) => {
  const { stored = {}, prepare, ...parts } = change;
  const world = buildWorker(task);
  const { worker, stores } = world;
  for (const [key, bytes] of Object.entries(stored)) stores.media.put(key, Uint8Array.from(bytes), NOW);
  const claims: (Task | undefined)[] = [];
  const calls: (readonly [key: string, upstream: string])[] = [];
  const inputs: unknown[] = [];
  const sends: { readonly step: number; readonly delay: number }[] = [];
  const generator: Worker['generator'] = {
    ...worker.generator,
    ...(prepare && { prepare }),
    submit: async (_, loaded, key, { name }) => {
      claims.push(stores.tasks.find(task.id));
      calls.push([key, name]);
      inputs.push(...loaded);
      if (answer instanceof UpstreamError) throw answer;
      return answer;
    },
  };
  const queue: Worker['queue'] = {
    ...worker.queue,
    send: async ({ step }, delay) => void sends.push({ step, delay }),
  };
  await submitTask({ ...worker, generator, queue, ...parts }, task);
  return { ...world, claims, calls, inputs, sends, after: stores.tasks.find(task.id) };
};

describe('a submit', () => {
  test('is claimed for a minute before the call', async () => {
    const { claims } = await submit(queued(), 'operations/1');
    const claimed = claims.map((claim) => [claim?.work, claim?.openSubmits, claim?.step]);
    assert.deepEqual(claimed, [[{ kind: 'submitting', dueAt: NOW + 60_000 }, 1, 4]]);
  });

  test('that is accepted starts checks with a lease of a minute', async () => {
    const { pool } = buildWorker().worker;
    const noted: unknown[] = [];
    const note = async (...given: unknown[]) => void noted.push(given);
    const change = { pool: { ...pool, note } };
    const { after, sends, counted, logged } = await submit(queued(), 'operations/1', change);
    assert.deepEqual([counted, noted], [['started'], [['default', aTask().request.model]]]);
    assert.deepEqual(
      [after?.status, after?.operation, after?.submittedAt, after?.attempts, after?.work],
      ['in_progress', 'operations/1', NOW, 0, { kind: 'check', dueAt: NOW + 60_000 }],
    );
    assert.deepEqual(sends, [{ step: 5, delay: 2000 }]);
    assert.deepEqual(logged, [
      ['task submitted', { taskId: queued().id, account: 'account', upstream: 'default', queueSeconds: 5 }],
    ]);
  });

  test('that is accepted is checked by the sweeper if the queue refuses its check', async () => {
    const queue = { ...buildWorker().worker.queue, send: () => Promise.reject(new Error('no queue')) };
    const { after, failures } = await submit(queued(), 'operations/1', { queue });
    const fields = { taskId: queued().id, step: 5 };
    assert.deepEqual([after?.status, failures], ['in_progress', [['step not queued', fields]]]);
  });

  test('is not made by a worker that lost the claim', async () => {
    const { worker } = buildWorker(queued());
    const tasks = { ...worker.tasks, advance: async () => false };
    const { claims, sends } = await submit(queued(), 'operations/1', { tasks });
    assert.deepEqual([claims, sends], [[], []]);
  });

  for (const [fault, openSubmits, status, left, code] of [
    ['rejected', 0, 'failed', 1, 'upstream_rejected'],
    ['operator', 0, 'failed', 1, 'upstream_unavailable'],
    ['exhausted', 0, 'failed', 1, 'rate_limited'],
    ['busy', 0, 'queued', 0],
    ['busy', 1, 'queued', 1],
    ['failing', 1, 'queued', 1],
    ['unanswered', 0, 'queued', 1],
    ['unanswered', 1, 'failed', 2, 'upstream_unavailable'],
  ] as const)
    test(`that is ${fault} with ${openSubmits} open submits leaves the task ${status}`, async () => {
      const error = new UpstreamError(fault, 'no', { httpStatus: 400, retryAfterSeconds: 30 });
      const { after, sends, logged } = await submit(queued({ openSubmits, attempts: 1 }), error);
      assert.deepEqual([after?.status, after?.openSubmits, after?.error?.code], [status, left, code]);
      if (status === 'queued') {
        assert.deepEqual([after?.work, after?.attempts], [{ kind: 'submit', dueAt: NOW + 30_000 }, 2]);
        assert.deepEqual(sends, [{ step: 5, delay: 30_000 }]);
      }
      assert.deepEqual(logged[0], [
        'submit failed',
        { taskId: queued().id, upstream: 'default', fault, httpStatus: 400 },
      ]);
    });
});

describe('a model that is not offered any more', () => {
  for (const [fault, notes] of [
    ['retired', [['default', aTask().request.model, NOW + 6 * 3_600_000]]],
    ['exhausted', []],
  ] as const)
    test(`is noted for others if a submit is ${fault}`, async () => {
      const noted: unknown[] = [];
      const note = async (...given: unknown[]) => {
        noted.push(given);
        throw new Error('throttled');
      };
      const error = new UpstreamError(fault, 'no');
      const { after, failures } = await submit(queued(), error, { retirements: { note } });
      assert.deepEqual([after?.status, noted], ['failed', notes]);
      const unsaved = failures.filter(([event]) => event === 'upstream state not saved');
      assert.deepEqual(
        unsaved,
        notes.length > 0 ? [['upstream state not saved', { upstream: 'default' }]] : [],
      );
    });

  for (const [kind, message] of [
    ['retired', 'The generator no longer offers this model.'],
    ['none', 'The service no longer offers these options with this model.'],
  ] as const)
    test(`ends the tasks for it if the choice of an upstream is '${kind}'`, async () => {
      const choose: Worker['pool']['choose'] = async (asked) => {
        assert.equal(asked.taskId, queued().id);
        return { kind };
      };
      const pool = { ...buildWorker().worker.pool, choose };
      const { after, calls } = await submit(queued(), 'operations/1', { pool });
      assert.deepEqual([after?.error, calls], [{ code: 'model_unavailable', message }, []]);
    });
});

describe('the operation of an accepted submit', () => {
  /** Refuses the writes that follow the claim, as often as told. */
  const failingWrites = async (count: number) => {
    const task = queued();
    const { worker, stores, failures } = buildWorker(task);
    let writes = 0;
    const advance: typeof worker.tasks.advance = async (next) => {
      writes += 1;
      if (writes > 1 && writes <= 1 + count) throw new Error('throttled');
      return worker.tasks.advance(next);
    };
    const generator = { ...worker.generator, submit: async () => 'operations/1' };
    const done = submitTask({ ...worker, generator, tasks: { ...worker.tasks, advance } }, task);
    return { done, failures, operation: () => stores.tasks.find(task.id)?.operation, writes: () => writes };
  };

  test('is saved at the third try', async () => {
    const { done, failures, operation } = await failingWrites(2);
    await done;
    assert.equal(operation(), 'operations/1');
    const logged = [1, 2].map((tries) => ['submit not saved', { taskId: queued().id, tries }]);
    assert.deepEqual(failures, logged);
  });

  test('is given up after the third try', async () => {
    const { done, writes } = await failingWrites(3);
    await assert.rejects(done, /throttled/);
    assert.equal(writes(), 4);
  });
});

describe('an account that uses its share of the workers', () => {
  for (const [waited, delay] of [
    [1000, 2000],
    [20_000, 10_000],
    [120_000, 30_000],
  ] as const)
    test(`delays a task that has waited ${waited} ms by ${delay} ms`, async () => {
      const slowSteps = { begin: async () => false, end: async () => {} };
      const task = queued({ createdAt: NOW - waited });
      const { after, claims, sends } = await submit(task, 'operations/1', { slowSteps });
      assert.deepEqual([claims, after?.openSubmits, after?.attempts], [[], 0, 0]);
      assert.deepEqual(after?.work, { kind: 'submit', dueAt: NOW + delay });
      assert.deepEqual(sends, [{ step: 4, delay }]);
    });

  test('holds a worker for the duration of a submit, at most until its claim ends', async () => {
    const counted: unknown[] = [];
    const slowSteps: Worker['slowSteps'] = {
      begin: async (step, now) => counted.push(['begin', step, now]) > 0,
      end: async (step) => void counted.push(['end', step]),
    };
    await submit(queued(), 'operations/1', { slowSteps });
    const step = { owner: 'account', id: queued().id, until: NOW + 60_000 };
    assert.deepEqual(counted, [
      ['begin', step, NOW],
      ['end', step],
    ]);
  });
});

describe('the inputs of a submit', () => {
  const withInput = (key: string): Task => {
    const { request } = aTask();
    const input = { role: 'first_frame', key, mimeType: 'image/png' } as const;
    return queued({ request: { ...request, mode: 'first_frame', inputs: [input] } });
  };
  const LOADED = [{ role: 'first_frame', mimeType: 'image/png', bytes: Uint8Array.of(1, 2) }];

  const [KEY, FILE, REMOVED] = ['inputs/task/0', 'files/1', 'removed-files/1'];
  for (const [name, key, stored] of [
    ['an upload', KEY, { [KEY]: [1, 2] }],
    ['a file', FILE, { [FILE]: [1, 2] }],
    ['a file that was removed since', FILE, { [REMOVED]: [1, 2] }],
    ['a removed file that left an empty object', FILE, { [FILE]: [], [REMOVED]: [1, 2] }],
  ] as const)
    test(`are loaded: ${name}`, async () => {
      const { inputs } = await submit(withInput(key), 'operations/1', { stored });
      assert.deepEqual(inputs, LOADED);
    });

  for (const [key, stored] of [
    [KEY, {}],
    [FILE, {}],
    [FILE, { [FILE]: [] }],
  ] as const)
    test(`that are missing fail the task: ${key}, with ${JSON.stringify(stored)}`, async () => {
      const { after, claims, failures } = await submit(withInput(key), 'operations/1', { stored });
      assert.deepEqual([after?.error?.code, claims], ['internal', []]);
      assert.deepEqual(failures, [['input missing', { taskId: queued().id }]]);
    });

  test('are not looked for elsewhere if they cannot be loaded now', async () => {
    const getInput = (key: string) => Promise.reject(new Error(key));
    const media = { ...buildWorker().worker.media, getInput };
    await assert.rejects(submit(withInput(FILE), 'operations/1', { media }), { message: FILE });
  });

  const submitPrepared = (prepare: NonNullable<Change['prepare']>) =>
    submit(withInput(KEY), 'operations/1', { stored: { [KEY]: [1, 2] }, prepare });

  test('are prepared for the upstream before the submit is claimed', async () => {
    const prepared = [{ role: 'first_frame', mimeType: 'image/jpeg', bytes: Uint8Array.of(3) }] as const;
    const asked: unknown[] = [];
    const { inputs, after } = await submitPrepared(async (given, upstream) => {
      asked.push([given, upstream.name]);
      return prepared;
    });
    assert.deepEqual(asked, [[LOADED, 'default']]);
    assert.deepEqual([inputs, after?.status], [[...prepared], 'in_progress']);
  });

  test('that the upstream cannot take fail the task with the reason, and nothing is sent', async () => {
    const { calls, after } = await submitPrepared(() => Promise.reject(new UnusableInput('Too large.')));
    assert.deepEqual(
      [calls, after?.status, after?.error, after?.openSubmits],
      [[], 'failed', { code: 'upstream_rejected', message: 'Too large.' }, 0],
    );
  });

  test('whose preparation breaks leave the task unclaimed for the next try', async () => {
    const task = withInput('inputs/task/0');
    const { worker, stores } = buildWorker(task);
    stores.media.put('inputs/task/0', Uint8Array.of(1, 2), NOW);
    const prepare = () => Promise.reject(new Error('out of memory'));
    const generator = { ...worker.generator, prepare };
    await assert.rejects(submitTask({ ...worker, generator }, task), /out of memory/);
    assert.deepEqual(stores.tasks.find(task.id)?.work, { kind: 'submit', dueAt: NOW });
  });
});

describe('a submit that an idempotent upstream did not answer', () => {
  const HUB = { name: 'hub', hasPlace: true, isIdempotent: true } as const;
  const submitAgain = async (answer: string | UpstreamError, change: Partial<Task> = {}) => {
    const { pool } = buildWorker().worker;
    const choose = () => assert.fail('another upstream is chosen');
    const task = queued({ attempts: 1, openSubmits: 1, upstream: HUB, ...change });
    const { after = assert.fail(), ...world } = await submit(task, answer, { pool: { ...pool, choose } });
    return { ...world, after };
  };

  test('is known by its claim', async () => {
    const { pool } = buildWorker().worker;
    const choose = async () => choice(aVideosApi('media-generation'), aTask().request.model, undefined);
    const { claims } = await submit(queued(), 'operations/1', { pool: { ...pool, choose } });
    assert.equal(claims[0]?.upstream?.isIdempotent, true);
  });

  test('is repeated there with the same key, and counts once', async () => {
    const { after, calls } = await submitAgain('operations/1');
    assert.deepEqual(calls, [[after.id, 'hub']]);
    assert.deepEqual([after.status, after.operation, after.openSubmits], ['in_progress', 'operations/1', 1]);
  });

  for (const fault of ['unanswered', 'failing', 'busy', 'operator', 'retired'] as const)
    test(`stays there after the fault ${fault}, which says nothing about the first`, async () => {
      const error = new UpstreamError(fault, 'no', { httpStatus: 400, retryAfterSeconds: 7 });
      const { after, sends } = await submitAgain(error);
      assert.deepEqual(
        [after.status, after.work, after.attempts, after.openSubmits, after.upstream],
        ['queued', { kind: 'submit', dueAt: NOW + 7000 }, 2, 1, HUB],
      );
      assert.equal(sends.length, 1);
    });

  test('ends the task if the upstream rejects the request, which it would not do had it accepted it', async () => {
    const { after } = await submitAgain(new UpstreamError('rejected', 'not this', { httpStatus: 400 }));
    assert.deepEqual(
      [after.status, after.error],
      ['failed', { code: 'upstream_rejected', message: 'not this' }],
    );
  });

  test('ends the task if an input image is gone by then', async () => {
    const input = { role: 'first_frame', key: 'inputs/task/0', mimeType: 'image/png' } as const;
    const request = { ...aTask().request, mode: 'first_frame', inputs: [input] } as const;
    const { after, calls, errors } = await submitAgain('operations/1', { request });
    assert.deepEqual(
      [after.status, after.error?.message, calls, errors],
      ['failed', 'An input image of the task was not found.', [], ['input missing']],
    );
  });
});
