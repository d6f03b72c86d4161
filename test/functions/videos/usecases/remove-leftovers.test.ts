import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputKey } from '../../../../functions/videos/domain/media.ts';
import { LEFTOVER_AGE } from '../../../../functions/videos/domain/schedule.ts';
import { removeLeftovers } from '../../../../functions/videos/usecases/remove-leftovers.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const OLD = NOW - LEFTOVER_AGE;
const RUN = { stopAt: NOW + 1 };
/** Ids as idempotency keys give them. */
const [GOING_ON, ENDED, YOUNG, NEVER] = ['a', 'b', 'c', 'd'].map((letter) => `task_k${letter.repeat(25)}`);
const inputFor = (id = ''): string => inputKey({ id, createdAt: 1 }, '0-x');

test('keeps inputs that are recent or belong to an unfinished task', async () => {
  const { worker, stores, logged } = buildWorker(
    aTask({ id: GOING_ON ?? '' }),
    aTask({ id: ENDED ?? '', status: 'failed', work: undefined }),
  );
  for (const id of [GOING_ON, ENDED, NEVER]) stores.media.put(inputFor(id), new Uint8Array(1), OLD);
  stores.media.put(inputFor(YOUNG), new Uint8Array(1), OLD + 1);
  await removeLeftovers({ ...worker, ...RUN });
  assert.deepEqual(stores.media.keys(), [inputFor(GOING_ON), inputFor(YOUNG)]);
  assert.deepEqual(logged, [['leftovers removed', { removed: 2, left: 0 }]]);
});

test('removes other leftovers if one task cannot be read', async () => {
  const { worker, stores, errors } = buildWorker();
  const { tasks } = worker;
  for (const id of [ENDED, NEVER]) stores.media.put(inputFor(id), new Uint8Array(1), OLD);
  const find = (id: string) => (id === ENDED ? Promise.reject(new Error('corrupt')) : tasks.find(id));
  await removeLeftovers({ ...worker, ...RUN, tasks: { ...tasks, find } });
  assert.deepEqual(stores.media.keys(), [inputFor(ENDED)]);
  assert.deepEqual(errors, ['leftover not removed']);
});

test('removes nothing when the time is up, and logs how many are left', async () => {
  const { worker, stores, logged } = buildWorker();
  stores.media.put(inputFor(NEVER), new Uint8Array(1), OLD);
  await removeLeftovers({ ...worker, stopAt: NOW });
  assert.deepEqual(logged, [['leftovers removed', { removed: 0, left: 1 }]]);
});
