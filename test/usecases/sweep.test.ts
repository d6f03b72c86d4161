import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEFTOVER_AGE } from '../../functions/domain/schedule.ts';
import { inputKey, type Task } from '../../functions/domain/task.ts';
import { sweep } from '../../functions/usecases/sweep.ts';
import { aTask } from '../domain/task-builder.ts';
import { aWorker, NOW } from './a-worker.ts';

const GRACE = 60_000;
const OLD = NOW - LEFTOVER_AGE;
const due = (id: string, change: Partial<Task> = {}): Task =>
  aTask({ id, work: { kind: 'check', dueAt: NOW - GRACE - 1 }, ...change });

test('only work that is overdue by more than the grace is put back on the queue', async () => {
  const { worker, sent } = aWorker(
    due('late'),
    due('in time', { work: { kind: 'check', dueAt: NOW - GRACE } }),
    due('done', { work: undefined }),
  );
  await sweep({ ...worker, grace: GRACE });
  assert.deepEqual(sent, [{ taskId: 'late', step: 3 }]);
});

test('work that was put back is not put back again within the minute', async () => {
  const { worker, sent } = aWorker(due('late'));
  await sweep({ ...worker, grace: GRACE });
  await sweep({ ...worker, grace: GRACE });
  assert.equal(sent.length, 1);
});

for (const call of ['postpone', 'send'] as const)
  test(`a task for which ${call} fails keeps no other waiting`, async () => {
    const { worker, sent, faults } = aWorker(due('broken'), due('late'));
    const { tasks, queue } = worker;
    const unlessBroken = <T>(id: string, work: () => Promise<T>): Promise<T> =>
      id === 'broken' ? Promise.reject(new Error('no')) : work();
    await sweep({
      ...worker,
      grace: GRACE,
      ...(call === 'postpone'
        ? {
            tasks: {
              ...tasks,
              postpone: (task, at) => unlessBroken(task.id, () => tasks.postpone(task, at)),
            },
          }
        : {
            queue: {
              send: (message, delay) => unlessBroken(message.taskId, () => queue.send(message, delay)),
            },
          }),
    });
    assert.deepEqual(sent, [{ taskId: 'late', step: 3 }]);
    assert.deepEqual(faults, ['not swept']);
  });

test('a due index that breaks off keeps no leftover, and the sweep fails for all to see', async () => {
  const { worker, stores, sent } = aWorker(due('late'));
  const { tasks } = worker;
  const breaking = {
    ...tasks,
    due: async function* (before: number) {
      yield* tasks.due(before);
      throw new Error('due items cannot be read');
    },
  };
  stores.media.put(inputKey('never accepted', '0-x'), new Uint8Array(1), OLD);
  await assert.rejects(sweep({ ...worker, tasks: breaking, grace: GRACE }), /cannot be read/);
  assert.equal(sent.length, 1);
  assert.deepEqual(stores.media.keys(), []);
});

test('a task that cannot be read keeps no other leftovers', async () => {
  const { worker, stores, faults } = aWorker();
  const { tasks } = worker;
  for (const id of ['corrupt', 'never accepted'])
    stores.media.put(inputKey(id, '0-x'), new Uint8Array(1), OLD);
  const find = (id: string) => (id === 'corrupt' ? Promise.reject(new Error('corrupt')) : tasks.find(id));
  await sweep({ ...worker, tasks: { ...tasks, find }, grace: GRACE });
  assert.deepEqual(stores.media.keys(), [inputKey('corrupt', '0-x')]);
  assert.deepEqual(faults, ['not swept']);
});

test('inputs stay while they are young or their task goes on', async () => {
  const { worker, stores } = aWorker(
    aTask({ id: 'going on' }),
    aTask({ id: 'ended', status: 'failed', work: undefined }),
  );
  stores.media.put(inputKey('going on', '0-x'), new Uint8Array(1), OLD);
  stores.media.put(inputKey('young', '0-x'), new Uint8Array(1), OLD + 1);
  stores.media.put(inputKey('ended', '0-x'), new Uint8Array(1), OLD);
  await sweep({ ...worker, grace: GRACE });
  assert.deepEqual(stores.media.keys(), [inputKey('going on', '0-x'), inputKey('young', '0-x')]);
});
