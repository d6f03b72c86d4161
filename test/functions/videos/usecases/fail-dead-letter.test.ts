import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failDeadLetter } from '../../../../functions/videos/usecases/end-task.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker } from '../../../support/builders/worker.ts';

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
  test(`a dead letter ${name} changes nothing, but is told`, async () => {
    const { worker, stores, errors } = buildWorker(task);
    await failDeadLetter(worker, { taskId: task.id, step });
    assert.deepEqual(stores.tasks.find(task.id), task);
    assert.deepEqual(errors, ['dead letter']);
  });
