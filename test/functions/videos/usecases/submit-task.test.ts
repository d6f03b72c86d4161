import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UpstreamError, type UpstreamFault } from '../../../../functions/upstream/domain/faults.ts';
import { UnusableInput } from '../../../../functions/upstream/domain/video-generator.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { submitTask } from '../../../../functions/videos/usecases/submit-task.ts';
import type { Worker } from '../../../../functions/videos/usecases/worker.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const queued = (change: Partial<Task> = {}): Task =>
  aTask({
    createdAt: NOW - 5000,
    attempts: 0,
    openSubmits: 0,
    work: { kind: 'submit', dueAt: NOW },
    ...change,
  });

/** Submits a task to an upstream that answers like this, and tells what came of it. */
const submit = async (task: Task, answer: string | UpstreamError, change: Partial<Worker> = {}) => {
  const world = buildWorker(task);
  const { worker, stores } = world;
  const claims: (Task | undefined)[] = [];
  const inputs: unknown[] = [];
  const sends: { readonly step: number; readonly delay: number }[] = [];
  const generator: Worker['generator'] = {
    ...worker.generator,
    submit: async (_, loaded) => {
      claims.push(stores.tasks.find(task.id));
      inputs.push(...loaded);
      if (answer instanceof UpstreamError) throw answer;
      return answer;
    },
  };
  const queue: Worker['queue'] = {
    ...worker.queue,
    send: async ({ step }, delay) => void sends.push({ step, delay }),
  };
  await submitTask({ ...worker, generator, queue, ...change }, task);
  return { ...world, claims, inputs, sends, after: stores.tasks.find(task.id) };
};

describe('a submit', () => {
  test('is claimed for a minute before the call', async () => {
    const { claims } = await submit(queued(), 'operations/1');
    assert.deepEqual(
      claims.map((claim) => [claim?.work, claim?.openSubmits, claim?.step]),
      [[{ kind: 'submitting', dueAt: NOW + 60_000 }, 1, 4]],
    );
  });

  test('that is accepted starts checks with a lease of a minute', async () => {
    const { after, sends, logged } = await submit(queued(), 'operations/1');
    assert.deepEqual(
      [after?.status, after?.operation, after?.submittedAt, after?.attempts, after?.work],
      ['in_progress', 'operations/1', NOW, 0, { kind: 'check', dueAt: NOW + 60_000 }],
    );
    assert.deepEqual(sends, [{ step: 5, delay: 2000 }]);
    assert.deepEqual(logged, [
      ['task submitted', { taskId: queued().id, account: 'account', upstream: 'default', queueSeconds: 5 }],
    ]);
  });

  test('is not made by a worker that lost the claim', async () => {
    const { worker } = buildWorker(queued());
    const tasks = { ...worker.tasks, advance: async () => false };
    const { claims, sends } = await submit(queued(), 'operations/1', { tasks });
    assert.deepEqual([claims, sends], [[], []]);
  });

  const FAULTS: readonly (readonly [
    fault: UpstreamFault,
    openSubmits: number,
    status: string,
    left: number,
    code?: string,
  ])[] = [
    ['rejected', 0, 'failed', 1, 'upstream_rejected'],
    ['operator', 0, 'failed', 1, 'upstream_unavailable'],
    ['exhausted', 0, 'failed', 1, 'rate_limited'],
    ['busy', 0, 'queued', 0],
    ['busy', 1, 'queued', 1],
    ['failing', 1, 'queued', 1],
    ['unanswered', 0, 'queued', 1],
    ['unanswered', 1, 'failed', 2, 'upstream_unavailable'],
  ];
  for (const [fault, openSubmits, status, left, code] of FAULTS)
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

describe('the operation of an accepted submit', () => {
  /** Refuses the writes that follow the claim, as often as told. */
  const failingWrites = async (failures: number) => {
    const task = queued();
    const { worker, stores, errors } = buildWorker(task);
    let writes = 0;
    const advance: typeof worker.tasks.advance = async (next) => {
      writes += 1;
      if (writes > 1 && writes <= 1 + failures) throw new Error('throttled');
      return worker.tasks.advance(next);
    };
    const generator = { ...worker.generator, submit: async () => 'operations/1' };
    const done = submitTask({ ...worker, generator, tasks: { ...worker.tasks, advance } }, task);
    return { done, errors, operation: () => stores.tasks.find(task.id)?.operation, writes: () => writes };
  };

  test('is saved at the third try', async () => {
    const { done, errors, operation } = await failingWrites(2);
    await done;
    assert.equal(operation(), 'operations/1');
    assert.deepEqual(errors, ['submit not saved', 'submit not saved']);
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

  const FILE = 'files/1';
  for (const [name, key, stored, empty] of [
    ['an upload', 'inputs/task/0', 'inputs/task/0', []],
    ['a file', FILE, FILE, []],
    ['a file that was removed since', FILE, `removed-${FILE}`, []],
    ['a removed file that left an empty object', FILE, `removed-${FILE}`, [FILE]],
  ] as const)
    test(`are loaded: ${name}`, async () => {
      const { worker, stores } = buildWorker();
      for (const place of empty) stores.media.put(place, new Uint8Array(0), NOW);
      stores.media.put(stored, Uint8Array.of(1, 2), NOW);
      const { inputs } = await submit(withInput(key), 'operations/1', { media: worker.media });
      assert.deepEqual(inputs, LOADED);
    });

  for (const [key, empty] of [
    ['inputs/task/0', []],
    [FILE, []],
    [FILE, [FILE]],
  ] as const)
    test(`that are missing fail the task: ${key}, with ${empty.length} empty objects`, async () => {
      const { worker, stores } = buildWorker();
      for (const place of empty) stores.media.put(place, new Uint8Array(0), NOW);
      const change = { media: worker.media };
      const { after, claims, errors } = await submit(withInput(key), 'operations/1', change);
      assert.deepEqual([after?.error?.code, claims, errors], ['internal', [], ['input missing']]);
    });

  /** Submits a task with an input to an upstream that takes other images. */
  const submitPrepared = async (prepare: NonNullable<Worker['generator']['prepare']>) => {
    const task = withInput('inputs/task/0');
    const { worker, stores, ...world } = buildWorker(task);
    stores.media.put('inputs/task/0', Uint8Array.of(1, 2), NOW);
    const sent: unknown[] = [];
    const generator: Worker['generator'] = {
      ...worker.generator,
      prepare,
      submit: async (_, inputs) => {
        sent.push(inputs);
        return 'operations/1';
      },
    };
    await submitTask({ ...worker, generator }, task);
    return { ...world, sent, after: stores.tasks.find(task.id) };
  };

  test('are prepared for the upstream before the submit is claimed', async () => {
    const prepared = [{ role: 'first_frame', mimeType: 'image/jpeg', bytes: Uint8Array.of(3) }] as const;
    const asked: unknown[] = [];
    const { sent, after } = await submitPrepared(async (inputs, upstream) => {
      asked.push([inputs, upstream.name]);
      return prepared;
    });
    assert.deepEqual(asked, [[LOADED, 'default']]);
    assert.deepEqual([sent, after?.status], [[prepared], 'in_progress']);
  });

  test('that the upstream cannot take fail the task with the reason, and nothing is sent', async () => {
    const { sent, after } = await submitPrepared(() => Promise.reject(new UnusableInput('Too large.')));
    assert.deepEqual(
      [sent, after?.status, after?.error, after?.openSubmits],
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
