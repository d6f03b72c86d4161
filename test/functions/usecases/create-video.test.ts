import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createVideo } from '../../../functions/usecases/create-video.ts';
import type { Limiter } from '../../../functions/usecases/reserve.ts';
import { buildLimiter } from '../../support/builders/limiter.ts';
import { FRAMES_REQUEST, TEXT_REQUEST } from '../../support/builders/requests.ts';
import { buildWorker, NOW } from '../../support/builders/worker.ts';
import { MemoryAccounts, plainAccounts } from '../../support/in-memory/accounts.ts';

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
    requestMegabytes: 20,
    tasks: { ...tasks, create },
  };
  const { task } = await createVideo(dependencies, CALLER, TEXT_REQUEST, 'key');
  assert.deepEqual(stores.tasks.find(task.id), task);
});

test('a task with the key of a deleted one has objects of its own', async () => {
  const { worker, stores } = buildWorker();
  const limited = { ...worker, limiter: buildLimiter(), requestMegabytes: 20 };
  const { task: first } = await createVideo(limited, CALLER, FRAMES_REQUEST, 'key');
  stores.tasks.remove(first);
  const later = { ...limited, now: () => NOW + 1 };
  const { task: second } = await createVideo(later, CALLER, FRAMES_REQUEST, 'key');
  assert.equal(second.id, first.id);
  assert.equal(second.fingerprint, first.fingerprint);
  const keys = [...first.request.inputs, ...second.request.inputs].map(({ key }) => key);
  assert.equal(new Set(keys).size, 4);
});

describe('two creates with one Idempotency-Key at once', () => {
  /** The second looks for the task of the first before it is written, and writes its own after it. */
  const createTwice = async (limiters: readonly [Limiter, Limiter]) => {
    const { worker } = buildWorker();
    const dependencies = { ...worker, requestMegabytes: 20 };
    const first = await createVideo({ ...dependencies, limiter: limiters[0] }, CALLER, TEXT_REQUEST, 'key');
    let looks = 0;
    const find: typeof worker.tasks.find = async (id) => {
      looks += 1;
      return looks === 1 ? undefined : worker.tasks.find(id);
    };
    const late = { ...dependencies, limiter: limiters[1], tasks: { ...worker.tasks, find } };
    const second = await createVideo(late, CALLER, TEXT_REQUEST, 'key');
    return { first, second };
  };

  test('are one task, and the loser leaves the reservation that both hold', async () => {
    const accounts = new MemoryAccounts();
    const limiter = buildLimiter({ videosAtOnce: 5 }, plainAccounts(accounts));
    const { first, second } = await createTwice([limiter, limiter]);
    assert.equal(second.task.id, first.task.id);
    assert.deepEqual([accounts.videos('account'), accounts.reservations().length], [1, 1]);
    assert.equal(accounts.releases.size, 0);
  });

  test('leave no reservation of the loser where the winner holds none', async () => {
    const accounts = new MemoryAccounts();
    const limited = buildLimiter({ videosAtOnce: 5 }, plainAccounts(accounts));
    const { first, second } = await createTwice([buildLimiter(), limited]);
    assert.deepEqual(second.task, first.task);
    assert.deepEqual([accounts.videos('account'), accounts.reservations()], [0, []]);
  });

  test('are one task even where the reservation of the loser cannot be released', async () => {
    const accounts = new MemoryAccounts();
    const release = () => Promise.reject(new Error('throttled'));
    const limited = buildLimiter({ videosAtOnce: 5 }, { ...plainAccounts(accounts), release });
    const { first, second } = await createTwice([buildLimiter(), limited]);
    assert.deepEqual(second.task, first.task);
    assert.equal(accounts.reservations().length, 1);
  });
});
