import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALL_MODELS, RATE_WINDOW } from '../../../../functions/upstream/domain/upstream-state.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { claimSubmit, failed } from '../../../../functions/videos/domain/transitions.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { describeStores } from '../../../support/contract.ts';
import { CLAIM, NOW, type PlaceLimits, placesIn, taskStores } from '../../../support/task-stores.ts';

const { clients } = await sharedEmulators();

const HOUR = 3_600_000;

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

describeStores('places at upstreams', taskStores(clients.dynamo), (open) => {
  const build = async (prefix: string, limits: PlaceLimits = {}) => {
    const { tasks, states } = await open(prefix, limits);
    return { states, tasks, ...placesIn({ tasks, states }, limits) };
  };

  describe('20 workers that take places at the same time', () => {
    for (const limit of ['submitsPerMinute', 'videosAtOnce'] as const)
      test(`never exceed ${limit}`, async () => {
        const { placeAt, take, state } = await build(limit, { [limit]: 7 });
        const place = await placeAt(NOW);
        const results = await Promise.all(numbers(20).map((number) => take(number, place)));
        const counts = [true, 'full', false].map((result) => results.filter((one) => one === result).length);
        assert.deepEqual(counts, [7, 13, 0]);
        const { starts, places } = await state();
        assert.deepEqual([starts.size, places.size], limit === 'submitsPerMinute' ? [7, 0] : [0, 7]);
      });

    test('remove past entries once, and use the room', async () => {
      const { placeAt, take, state } = await build('past', { submitsPerMinute: 5, videosAtOnce: 9 });
      for (const number of numbers(5)) assert.equal(await take(number, await placeAt(NOW)), true);
      const later = NOW + RATE_WINDOW;
      const stale = await placeAt(later);
      assert.equal(stale.pastStarts.length, 5);
      // All have read the same state: one write removes the entries, and the others have to read again.
      const first = await Promise.all(numbers(8, 5).map((number) => take(number, stale, later)));
      assert.equal(first.filter((one) => one === true).length, 1);
      const fresh = await placeAt(later);
      assert.deepEqual(fresh.pastStarts, []);
      const second = await Promise.all(numbers(8, 25).map((number) => take(number, fresh, later)));
      // Three places are left of nine.
      assert.equal(second.filter((one) => one === true).length, 3);
      const { starts, places } = await state();
      assert.deepEqual([starts.size, places.size], [4, 9]);
    });
  });

  describe('a place', () => {
    test('that has ended is taken again by its own task', async () => {
      const { tasks, placeAt, newTask, state } = await build('own', { videosAtOnce: 1 });
      const take = async (task: Task, now: number) => {
        const claimed = claimSubmit(task, CLAIM.until, CLAIM.upstream);
        const start = { name: `start${now}`, time: now };
        const taken = { ...(await placeAt(now)), taskId: task.id, start, until: now + HOUR };
        assert.equal(await tasks.advanceWithPlace(claimed, taken), true);
        return claimed;
      };
      const claimed = await take(await newTask(1), NOW);
      await take(claimed, NOW + 2 * HOUR);
      assert.deepEqual([...(await state()).places], [['task_1', NOW + 3 * HOUR]]);
    });

    test('is not taken if the task was claimed by another delivery', async () => {
      const { tasks, placeAt, newTask, state } = await build('lost', { videosAtOnce: 3 });
      const task = await newTask(1);
      const claimed = claimSubmit(task, CLAIM.until, CLAIM.upstream);
      assert.equal(await tasks.advance(claimed), true);
      const start = { name: 's', time: NOW };
      const taken = { ...(await placeAt(NOW)), taskId: task.id, start, until: NOW + HOUR };
      assert.equal(await tasks.advanceWithPlace(claimed, taken), false);
      assert.equal((await state()).places.size, 0);
    });

    test('is given back by the write that ends the task', async () => {
      const { tasks, placeAt, take, state } = await build('back', { videosAtOnce: 1 });
      assert.equal(await take(1, await placeAt(NOW)), true);
      assert.equal(await take(2, await placeAt(NOW)), 'full');
      const task = (await tasks.find('task_1')) ?? assert.fail();
      const ended = failed(task, { code: 'internal', message: 'no' }, NOW);
      const returned = [{ upstream: 'a', taskId: 'task_1' }];
      assert.deepEqual(
        [await tasks.advance(ended, returned), await tasks.advance(ended, returned)],
        [true, false],
      );
      assert.equal((await tasks.find('task_1'))?.status, 'failed');
      assert.deepEqual([...(await state()).places.keys()], []);
      assert.equal(await take(3, await placeAt(NOW)), true);
    });

    test('is kept by a task that takes it again at the limit', async () => {
      const { tasks, placeAt, take, state } = await build('again', { videosAtOnce: 1 });
      assert.equal(await take(1, await placeAt(NOW)), true);
      const task = (await tasks.find('task_1')) ?? assert.fail();
      const repeated = claimSubmit(task, CLAIM.until, CLAIM.upstream);
      const start = { name: 'repeated', time: NOW };
      const taken = { ...(await placeAt(NOW)), taskId: 'task_1', start, until: NOW + 2 * HOUR };
      assert.equal(await tasks.advanceWithPlace(repeated, taken), true);
      assert.deepEqual([...(await state()).places], [['task_1', NOW + 2 * HOUR]]);
    });

    test('that was never given back is removed after its time', async () => {
      const { placeAt, take, state } = await build('expired', { videosAtOnce: 1 });
      assert.equal(await take(1, await placeAt(NOW)), true);
      assert.equal(await take(2, await placeAt(NOW + HOUR - 1), NOW + HOUR - 1), 'full');
      assert.equal(await take(3, await placeAt(NOW + HOUR), NOW + HOUR), true);
      assert.deepEqual([...(await state()).places.keys()], ['task_3']);
    });
  });

  describe('the state of an upstream', () => {
    test('has cool-downs by model', async () => {
      const { states, state } = await build('cool', { videosAtOnce: 1 });
      await states.coolDown('a', 'video', { until: NOW, reason: 'busy' });
      await states.coolDown('a', ALL_MODELS, { until: NOW + 1, reason: 'refused' });
      await states.coolDown('a', 'video', { until: NOW + 2, reason: 'quota' });
      assert.deepEqual(
        (await state()).coolDowns,
        new Map([
          ['video', { until: NOW + 2, reason: 'quota' }],
          [ALL_MODELS, { until: NOW + 1, reason: 'refused' }],
        ]),
      );
      assert.equal((await state('b')).coolDowns.size, 0);
    });

    test('counts the failures of all workers, and forgets them with their pause', async () => {
      const { states, state } = await build('failures');
      const counts = await Promise.all(numbers(20).map(() => states.addFailure('a')));
      const sorted = counts.toSorted((one, other) => one - other);
      assert.deepEqual(sorted, numbers(20, 1));
      await states.coolDown('a', ALL_MODELS, { until: NOW, reason: 'failing' });
      await states.coolDown('a', 'video', { until: NOW, reason: 'busy' });
      await states.clearFailures('a');
      const { failures, coolDowns } = await state();
      assert.deepEqual([failures, [...coolDowns.keys()]], [0, ['video']]);
      assert.equal(await states.addFailure('a'), 1);
    });

    test('lets one of 20 workers claim the probe', async () => {
      const { states, state } = await build('probe');
      let ended: { until: number; reason: 'failing' } | undefined;
      for (const until of [NOW, NOW + 30_000]) {
        const next = { until, reason: 'failing' } as const;
        const claims = await Promise.all(numbers(20).map(() => states.claimProbe('a', ended, next)));
        assert.equal(claims.filter(Boolean).length, 1);
        assert.deepEqual((await state()).coolDowns.get(ALL_MODELS), next);
        ended = next;
      }
    });
  });
});
