import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEFTOVER_AGE } from '../../../../functions/videos/domain/schedule.ts';
import { inputKey } from '../../../../functions/videos/domain/task.ts';
import { removeLeftovers } from '../../../../functions/videos/usecases/remove-leftovers.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const OLD = NOW - LEFTOVER_AGE;
const RUN = { stopAt: NOW + 1 };
/** Ids as idempotency keys give them. */
const [GOING_ON, ENDED, YOUNG, NEVER] = ['a', 'b', 'c', 'd'].map((letter) => `task_k${letter.repeat(25)}`);
const inputOf = (id = ''): string => inputKey({ id, createdAt: 1 }, '0-x');

test('inputs stay while they are young or their task goes on', async () => {
  const { worker, stores, logged } = buildWorker(
    aTask({ id: GOING_ON ?? '' }),
    aTask({ id: ENDED ?? '', status: 'failed', work: undefined }),
  );
  for (const id of [GOING_ON, ENDED, NEVER]) stores.media.put(inputOf(id), new Uint8Array(1), OLD);
  stores.media.put(inputOf(YOUNG), new Uint8Array(1), OLD + 1);
  await removeLeftovers({ ...worker, ...RUN });
  assert.deepEqual(stores.media.keys(), [inputOf(GOING_ON), inputOf(YOUNG)]);
  assert.deepEqual(logged, [['leftovers removed', { removed: 2, left: 0 }]]);
});

test('a task that cannot be read keeps no other leftovers', async () => {
  const { worker, stores, errors } = buildWorker();
  const { tasks } = worker;
  for (const id of [ENDED, NEVER]) stores.media.put(inputOf(id), new Uint8Array(1), OLD);
  const find = (id: string) => (id === ENDED ? Promise.reject(new Error('corrupt')) : tasks.find(id));
  await removeLeftovers({ ...worker, ...RUN, tasks: { ...tasks, find } });
  assert.deepEqual(stores.media.keys(), [inputOf(ENDED)]);
  assert.deepEqual(errors, ['leftover not removed']);
});

test('a run that is out of time removes nothing, and says what is left', async () => {
  const { worker, stores, logged } = buildWorker();
  stores.media.put(inputOf(NEVER), new Uint8Array(1), OLD);
  await removeLeftovers({ ...worker, stopAt: NOW });
  assert.deepEqual(logged, [['leftovers removed', { removed: 0, left: 1 }]]);
});
