import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { cancelled, claimSubmit } from '../../../../functions/videos/domain/transitions.ts';
import { toWebhookEvent } from '../../../../functions/videos/domain/video-event.ts';
import { cancelVideo } from '../../../../functions/videos/usecases/cancel-video.ts';
import { deleteVideo } from '../../../../functions/videos/usecases/delete-video.ts';
import { anAction } from '../../../support/audit.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const UPSTREAM = { name: 'default', hasPlace: false };

const ERROR = {
  code: 'cancelled',
  message: 'The task was cancelled before it was submitted to the generator.',
} as const;
const FRAME = { role: 'first_frame', key: 'inputs/task/0', mimeType: 'image/png' } as const;
const CHARGE = { seconds: 6, unitPrice: null, amount: '2.40', currency: 'USD' };
const reservation = { id: 'r1', month: '2026-01', charge: CHARGE, countsForKey: true };

const waiting = (change: Partial<Task> = {}): Task =>
  aTask({ openSubmits: 0, request: { ...aTask().request, inputs: [FRAME] }, ...change });

const build = (task: Task) => {
  const world = buildWorker(task);
  world.stores.media.put(FRAME.key, Uint8Array.of(1), NOW);
  const released: string[] = [];
  const accounts: typeof world.worker.accounts = { release: async ({ id }) => released.push(id) > 0 };
  return { ...world, worker: { ...world.worker, accounts }, released };
};

describe('a cancelled task', () => {
  test('ends without a charge: its reservation is released, and its inputs are kept', async () => {
    const task = waiting({ reservation });
    const { worker, stores, told, released, logged } = build(task);
    const answer = await cancelVideo(worker, task.account, task.id);
    assert.deepEqual([answer.status, answer.error, answer.failedAt], ['failed', ERROR, NOW]);
    const after = stores.tasks.find(task.id);
    assert.deepEqual([after?.status, after?.error, after?.work], ['failed', ERROR, undefined]);
    assert.deepEqual(told, [toWebhookEvent(answer)]);
    assert.deepEqual([released, stores.media.keys(), stores.charges.all()], [['r1'], [FRAME.key], []]);
    assert.deepEqual(logged, [
      ['task failed', { taskId: task.id, account: 'account', model: task.request.model, code: 'cancelled' }],
    ]);
  });

  test('is returned again without another event', async () => {
    const task = waiting({ work: { kind: 'wait', dueAt: NOW + 1 } });
    const { worker, told } = build(task);
    const [first, second] = [
      await cancelVideo(worker, task.account, task.id),
      await cancelVideo(worker, task.account, task.id),
    ];
    assert.deepEqual([second.error, second.failedAt], [first.error, first.failedAt]);
    assert.equal(told.length, 1);
  });

  test('is settled by the next request if settling failed', async () => {
    const task = waiting();
    const { worker, stores, told } = build(task);
    const webhooks = { send: () => Promise.reject(new Error('no queue')) };
    await assert.rejects(cancelVideo({ ...worker, webhooks }, task.account, task.id), /no queue/);
    assert.equal(stores.tasks.find(task.id)?.work?.kind, 'settle');
    await cancelVideo(worker, task.account, task.id);
    assert.equal(stores.tasks.find(task.id)?.work, undefined);
    assert.equal(told.length, 1);
  });
});

describe('a task cannot be cancelled', () => {
  const SUBMITTING = /is being submitted to the generator, so it cannot be cancelled/;
  const SUBMITTED = /was submitted to the generator, .* it will be charged when it completes\.$/;
  const submitted = waiting({ status: 'in_progress', openSubmits: 1, work: { kind: 'check', dueAt: NOW } });
  const completed = waiting({ status: 'completed', work: undefined });
  const error = { code: 'internal', message: 'Broken.' } as const;
  const failed = waiting({ status: 'failed', work: undefined, error });
  const CASES: readonly (readonly [name: string, task: Task, code: string, message: RegExp])[] = [
    ['while a worker submits it', claimSubmit(waiting(), NOW, UPSTREAM), 'video_in_progress', SUBMITTING],
    ['after a lost response', waiting({ openSubmits: 1 }), 'video_in_progress', SUBMITTING],
    ['after its submission', submitted, 'video_in_progress', SUBMITTED],
    ['when it is completed', completed, 'video_completed', /is completed and charged; it can be deleted\.$/],
    ['when it has failed', failed, 'video_failed', /has failed already: Broken\.$/],
  ];
  for (const [name, task, code, message] of CASES)
    test(name, async () => {
      const { worker, stores } = build(task);
      await assert.rejects(cancelVideo(worker, task.account, task.id), { code, message });
      assert.deepEqual(stores.tasks.find(task.id), task);
    });

  test('by another account', async () => {
    const task = waiting();
    const { worker } = build(task);
    await assert.rejects(cancelVideo(worker, 'other', task.id), { code: 'video_not_found' });
  });

  test('if three attempts lose to other writes', async () => {
    const task = waiting();
    for (const [lost, isCancelled] of [
      [2, true],
      [3, false],
    ] as const) {
      const { worker } = build(task);
      let writes = 0;
      const advance: typeof worker.tasks.advance = async (next) => {
        writes += 1;
        return writes > lost && worker.tasks.advance(next);
      };
      const done = cancelVideo({ ...worker, tasks: { ...worker.tasks, advance } }, task.account, task.id);
      await (isCancelled ? done : assert.rejects(done, { code: 'concurrent_update' }));
    }
  });
});

describe('a task that is deleted before its submission', () => {
  test('is cancelled first, with its event, then removed', async () => {
    const task = waiting({ reservation });
    const { worker, stores, told, released } = build(task);
    await deleteVideo(worker, anAction(task.account), task.id);
    assert.deepEqual(told, [toWebhookEvent(cancelled(task, NOW))]);
    // Released by the cancellation, and once more without effect by the removal.
    assert.deepEqual([...new Set(released)], ['r1']);
    assert.equal(stores.tasks.find(task.id), undefined);
    assert.deepEqual(stores.media.keys(), []);
  });
});
