import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import { videoKey } from '../../../../functions/videos/domain/media.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { toWebhookEvent } from '../../../../functions/videos/domain/video-event.ts';
import { deleteVideo } from '../../../../functions/videos/usecases/delete-video.ts';
import { failDeadLetter, failTask, settleTask } from '../../../../functions/videos/usecases/worker.ts';
import { VIDEO_EVENT_TYPES } from '../../../../functions/webhooks/domain/webhooks.ts';
import { anAction } from '../../../support/audit.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { slowly } from '../../../support/slowly.ts';

const CHARGE = { seconds: 6, unitPrice: null, amount: null, currency: null };

const SETTLE = { kind: 'settle', dueAt: NOW } as const;
const ended = (change: Partial<Task> = {}): Task =>
  aTask({ status: 'completed', work: SETTLE, completedAt: NOW, charge: CHARGE, ...change });

test('each type of event is sent', async () => {
  const types = [];
  for (const task of [ended(), ended({ status: 'failed', failedAt: NOW, charge: undefined })]) {
    const { worker, told } = buildWorker(task);
    await settleTask(worker, task);
    types.push(...told.map(({ type }) => type));
  }
  assert.deepEqual(types, [...VIDEO_EVENT_TYPES]);
});

test('a task stays unsettled if the queue refuses its event, but its charge is recorded', async () => {
  const task = ended();
  const { worker, stores } = buildWorker(task);
  const webhooks = { send: () => Promise.reject(new Error('no queue')) };
  await assert.rejects(settleTask({ ...worker, webhooks }, task), /no queue/);
  assert.deepEqual(stores.tasks.find(task.id)?.work, task.work);
  assert.equal(stores.charges.all().length, 1);
});

test('the event is sent after the charge is recorded', async () => {
  const task = ended();
  const { worker, stores } = buildWorker(task);
  const charged: number[] = [];
  const webhooks = { send: async () => void charged.push(stores.charges.all().length) };
  await settleTask({ ...worker, webhooks, charges: { record: slowly(worker.charges.record) } }, task);
  assert.deepEqual(charged, [1]);
});

for (const [name, work, count] of [
  ['that is not settled yet sends its event before it is removed', { kind: 'settle', dueAt: NOW }, 1],
  ['that was settled does not send its event again', undefined, 0],
] as const)
  test(`a deleted task ${name}`, async () => {
    const task = ended({ work });
    const { worker, stores, told } = buildWorker(task);
    await deleteVideo(worker, anAction(task.account), task.id);
    assert.deepEqual(told, Array(count).fill(toWebhookEvent(task)));
    assert.equal(stores.tasks.find(task.id), undefined);
    assert.equal(stores.charges.all().length, 1);
  });

describe('a task that has ended', () => {
  const inputs = [
    { role: 'first_frame', key: 'inputs/task/0', mimeType: 'image/png' },
    { role: 'last_frame', key: 'files/1', mimeType: 'image/png' },
  ] as const;
  const VIDEO = videoKey(aTask());
  const stored = (change: Partial<Task>) => {
    const task = ended({ request: { ...aTask().request, inputs: [...inputs] }, ...change });
    const world = buildWorker(task);
    for (const key of ['inputs/task/0', 'files/1', VIDEO]) world.stores.media.put(key, Uint8Array.of(1), NOW);
    return { task, ...world };
  };

  for (const [name, change, left] of [
    ['a completed one keeps its video', {}, [VIDEO]],
    ['a failed one keeps no part of a video', { status: 'failed', submittedAt: NOW }, []],
    ['one that was never submitted has none', { status: 'failed' }, [VIDEO]],
  ] as const)
    test(`keeps its inputs: ${name}`, async () => {
      const { task, worker, stores } = stored(change);
      await settleTask(worker, task);
      assert.deepEqual(stores.media.keys(), ['inputs/task/0', 'files/1', ...left]);
    });

  test('is deleted with all its objects, but not the files of the account', async () => {
    const { task, worker, stores } = stored({ work: undefined });
    await deleteVideo(worker, anAction(task.account), task.id);
    assert.deepEqual(stores.media.keys(), ['files/1']);
  });
});

describe('a deletion', () => {
  test('is refused once the task may have been submitted, until it ends', async () => {
    for (const status of ['queued', 'in_progress'] as const) {
      const task = aTask({ status });
      const { worker, stores } = buildWorker(task);
      await assert.rejects(deleteVideo(worker, anAction(task.account), task.id), {
        code: 'video_in_progress',
      });
      assert.deepEqual(stores.tasks.find(task.id), task);
    }
  });

  test('is recorded, and returns the storage of a kept video', async () => {
    const file = { key: 'videos/1.mp4', bytes: 500 };
    const cancelled = { code: 'cancelled', message: 'no' } as const;
    for (const [change, status, returned] of [
      [{ file, expiresAt: NEVER }, 'completed', { account: 'account', bytes: 500 }],
      [{ file, expiresAt: NOW }, 'completed', undefined],
      [{ status: 'failed', error: cancelled }, 'cancelled', undefined],
    ] as const) {
      const task = ended({ work: undefined, ...change });
      const { worker } = buildWorker(task);
      const written: unknown[] = [];
      const write: typeof worker.deletions.write = (next, entry, storage) => {
        written.push([entry.type, entry.resourceId, entry.details, storage]);
        return worker.deletions.write(next, entry, storage);
      };
      await deleteVideo({ ...worker, deletions: { write } }, anAction(task.account), task.id);
      const details = { model: task.request.model, status };
      assert.deepEqual(written, [['video.deleted', task.id, details, returned]]);
    }
  });

  test('fails after three attempts that lose to other writes', async () => {
    const task = ended({ work: undefined });
    for (const [lost, isDeleted] of [
      [3, true],
      [4, false],
    ] as const) {
      const { worker, stores } = buildWorker(task);
      let writes = 0;
      const write: typeof worker.deletions.write = async (...given) => {
        writes += 1;
        return writes > lost && worker.deletions.write(...given);
      };
      const done = deleteVideo({ ...worker, deletions: { write } }, anAction(task.account), task.id);
      await (isDeleted ? done : assert.rejects(done, { code: 'concurrent_update' }));
      assert.equal(stores.tasks.find(task.id) === undefined, isDeleted);
    }
  });
});

test('a task that another worker ends first is left alone', async () => {
  const task = aTask();
  const { worker, told, logged } = buildWorker(task);
  const tasks = { ...worker.tasks, advance: async () => false };
  await failTask({ ...worker, tasks }, task, { code: 'internal', message: 'broken' });
  assert.deepEqual([told, logged], [[], [['step already written', { taskId: task.id, step: 4 }]]]);
});

type Deleting = ReturnType<typeof buildWorker>['worker'];

for (const [name, end] of [
  ['settled', (worker: Deleting, task: Task) => settleTask(worker, task)],
  ['deleted', (worker: Deleting, task: Task) => deleteVideo(worker, anAction(task.account), task.id)],
] as const)
  test(`a task is ${name} in order: each step waits for the one before`, async () => {
    const task = ended({ work: name === 'settled' ? { kind: 'settle', dueAt: NOW } : undefined });
    const { worker, stores } = buildWorker(task);
    const done: string[] = [];
    const noted = <Given extends readonly unknown[], Result>(
      step: string,
      port: (...given: Given) => Promise<Result>,
    ) =>
      slowly(async (...given: Given) => {
        done.push(step);
        return port(...given);
      });
    const { tasks, deletions, charges, media, webhooks } = worker;
    await end(
      {
        ...worker,
        tasks: { ...tasks, advance: noted('advance', tasks.advance), remove: noted('remove', tasks.remove) },
        deletions: { write: noted('request', deletions.write) },
        charges: { record: noted('charge', charges.record) },
        media: { ...media, remove: noted('objects', media.remove) },
        webhooks: { send: noted('event', webhooks.send) },
      },
      task,
    );
    const wanted = { settled: 'charge event objects advance', deleted: 'request charge objects remove' };
    assert.equal(done.join(' '), wanted[name]);
    assert.equal(stores.tasks.find(task.id)?.work, undefined);
  });

test('a dead letter fails its task with a reason', async () => {
  const task = aTask();
  const { worker, stores, failures } = buildWorker(task);
  await failDeadLetter(worker, { taskId: task.id, step: task.step });
  const after = stores.tasks.find(task.id);
  assert.deepEqual([after?.status, after?.work], ['failed', undefined]);
  assert.deepEqual(after?.error, { code: 'internal', message: 'The task could not be processed.' });
  assert.deepEqual(failures, [['dead letter', { taskId: task.id, step: 3 }]]);
});

for (const [name, task, step] of [
  ['of an earlier step', aTask(), 2],
  ['of a completed task', aTask({ status: 'completed' }), 3],
  ['of a failed task', aTask({ status: 'failed' }), 3],
] as const)
  test(`a dead letter ${name} changes nothing, but is logged`, async () => {
    const { worker, stores, errors } = buildWorker(task);
    await failDeadLetter(worker, { taskId: task.id, step });
    assert.deepEqual(stores.tasks.find(task.id), task);
    assert.deepEqual(errors, ['dead letter']);
  });
