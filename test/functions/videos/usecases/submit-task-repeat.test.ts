import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UpstreamError, type UpstreamFault } from '../../../../functions/upstream/domain/faults.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { submitTask } from '../../../../functions/videos/usecases/submit-task.ts';
import type { Worker } from '../../../../functions/videos/usecases/worker.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const HUB = { name: 'hub', hasPlace: true, isIdempotent: true } as const;

/** Its first submit at an idempotent upstream was not answered. */
const unanswered = (change: Partial<Task> = {}): Task =>
  aTask({
    createdAt: NOW,
    attempts: 1,
    openSubmits: 1,
    upstream: HUB,
    work: { kind: 'submit', dueAt: NOW },
    ...change,
  });

const submitWith = async (task: Task, answer: string | UpstreamError) => {
  const world = buildWorker(task);
  const submits: (readonly [key: string, upstream: string])[] = [];
  const worker: Worker = {
    ...world.worker,
    pool: { ...world.worker.pool, choose: () => assert.fail('another upstream is chosen') },
    generator: {
      ...world.worker.generator,
      submit: async (_, __, key, { name }) => {
        submits.push([key, name]);
        if (answer instanceof UpstreamError) throw answer;
        return answer;
      },
    },
  };
  await submitTask(worker, task);
  const after = world.stores.tasks.find(task.id) ?? assert.fail();
  return { ...world, after, submits };
};

describe('a submit that an idempotent upstream did not answer', () => {
  test('is repeated there with the same key, and counts once', async () => {
    const { after, submits } = await submitWith(unanswered(), 'operations/1');
    assert.deepEqual(submits, [[after.id, 'hub']]);
    assert.deepEqual([after.status, after.operation, after.openSubmits], ['in_progress', 'operations/1', 1]);
  });

  for (const [fault, httpStatus] of [
    ['unanswered', undefined],
    ['failing', 503],
    ['busy', 429],
    ['operator', 401],
    ['retired', 404],
  ] as const satisfies readonly (readonly [UpstreamFault, number | undefined])[])
    test(`stays there after ${httpStatus ?? 'no'} answer, which says nothing about the first`, async () => {
      const error = new UpstreamError(fault, 'no', {
        ...(httpStatus && { httpStatus }),
        retryAfterSeconds: 7,
      });
      const { after, sent } = await submitWith(unanswered(), error);
      assert.deepEqual(
        [after.status, after.work, after.attempts, after.openSubmits, after.upstream],
        ['queued', { kind: 'submit', dueAt: NOW + 7000 }, 2, 1, HUB],
      );
      assert.equal(sent.length, 1);
    });

  test('ends the task if the upstream rejects the request, which it would not do had it accepted it', async () => {
    const { after } = await submitWith(
      unanswered(),
      new UpstreamError('rejected', 'not this', { httpStatus: 400 }),
    );
    assert.deepEqual(
      [after.status, after.error],
      ['failed', { code: 'upstream_rejected', message: 'not this' }],
    );
  });

  test('ends the task if an input image is gone by then', async () => {
    const { request } = aTask();
    const input = { role: 'first_frame', key: 'inputs/task/0', mimeType: 'image/png' } as const;
    const task = unanswered({ request: { ...request, mode: 'first_frame', inputs: [input] } });
    const { after, submits, errors } = await submitWith(task, 'operations/1');
    assert.deepEqual(
      [after.status, after.error?.message, submits, errors],
      ['failed', 'An input image of the task was not found.', [], ['input missing']],
    );
  });
});
