import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVideo } from '../../../functions/usecases/create-video.ts';
import { buildLimiter } from '../../support/builders/limiter.ts';
import { FRAMES_REQUEST, TEXT_REQUEST } from '../../support/builders/requests.ts';
import { buildWorker, NOW } from '../../support/builders/worker.ts';
import { ADMITS_ALL } from '../../support/in-memory/queue-ages.ts';

const CALLER = { account: 'account', keyId: 'key' };

test('a create with the key of a task that vanishes in that moment is tried again', async () => {
  const { worker, stores } = buildWorker();
  const { tasks } = worker;
  let refusals = 2;
  const create: typeof tasks.create = async (task) => {
    refusals -= 1;
    return refusals < 0 && tasks.create(task);
  };
  const dependencies = {
    ...worker,
    limiter: buildLimiter(),
    admission: ADMITS_ALL,
    requestMegabytes: 20,
    tasks: { ...tasks, create },
  };
  const { task } = await createVideo(dependencies, CALLER, TEXT_REQUEST, 'key');
  assert.deepEqual(stores.tasks.find(task.id), task);
});

test('a task with the key of a deleted one has objects of its own', async () => {
  const { worker, stores } = buildWorker();
  const limited = { ...worker, limiter: buildLimiter(), admission: ADMITS_ALL, requestMegabytes: 20 };
  const { task: first } = await createVideo(limited, CALLER, FRAMES_REQUEST, 'key');
  stores.tasks.remove(first);
  const later = { ...limited, now: () => NOW + 1 };
  const { task: second } = await createVideo(later, CALLER, FRAMES_REQUEST, 'key');
  assert.equal(second.id, first.id);
  assert.equal(second.fingerprint, first.fingerprint);
  const keys = [...first.request.inputs, ...second.request.inputs].map(({ key }) => key);
  assert.equal(new Set(keys).size, 4);
});
