import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '../../../functions/domain/task.ts';
import { eventOf } from '../../../functions/domain/webhook-event.ts';
import { deleteVideo } from '../../../functions/usecases/delete-video.ts';
import { failTask, settleTask } from '../../../functions/usecases/end-task.ts';
import { aTask } from '../../support/builders/task.ts';
import { buildWorker, NOW } from '../../support/builders/worker.ts';

const CHARGE = { seconds: 6, unitPrice: null, amount: null, currency: null };

const ended = (change: Partial<Task> = {}): Task =>
  aTask({
    status: 'completed',
    work: { kind: 'settle', dueAt: NOW },
    completedAt: NOW,
    charge: CHARGE,
    ...change,
  });

test('a task that fails notes when, and is told', async () => {
  const task = aTask();
  const { worker, stores, told } = buildWorker(task);
  await failTask(worker, task, { code: 'internal', message: 'broken' });
  const after = stores.tasks.find(task.id);
  assert.deepEqual([after?.failedAt, after?.work], [NOW, undefined]);
  assert.deepEqual(told, [eventOf({ ...task, status: 'failed', failedAt: NOW })]);
});

test('a task whose event the queue refuses stays to be settled, with its charge recorded', async () => {
  const task = ended();
  const { worker, stores } = buildWorker(task);
  const webhooks = { send: () => Promise.reject(new Error('no queue')) };
  await assert.rejects(settleTask({ ...worker, webhooks }, task), /no queue/);
  assert.deepEqual(stores.tasks.find(task.id)?.work, task.work);
  assert.equal(stores.charges.all().length, 1);
});

test('a task is told only after its charge is there', async () => {
  const task = ended();
  const { worker, stores } = buildWorker(task);
  const charged: number[] = [];
  const webhooks = { send: async () => void charged.push(stores.charges.all().length) };
  await settleTask({ ...worker, webhooks }, task);
  assert.deepEqual(charged, [1]);
});

for (const [name, work, count] of [
  ['that is not settled yet is told before it is gone', { kind: 'settle', dueAt: NOW }, 1],
  ['that was settled is not told again', undefined, 0],
] as const)
  test(`a deleted task ${name}`, async () => {
    const task = ended({ work });
    const { worker, stores, told } = buildWorker(task);
    await deleteVideo(worker, task.account, task.id);
    assert.deepEqual(told, Array(count).fill(eventOf(task)));
    assert.equal(stores.tasks.find(task.id), undefined);
    assert.equal(stores.charges.all().length, 1);
  });
