import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_LOAD, type WorkerLoad } from '../../../../functions/videos/domain/worker-capacity.ts';
import { loadWatch } from '../../../../functions/videos/usecases/watch-load.ts';

const build = (read: () => Promise<WorkerLoad>) => {
  let now = 1000;
  const errors: string[] = [];
  const holds: number[] = [];
  const loads = { read, hold: async (until: number) => void holds.push(until), save: async () => {} };
  const logger = { info: () => {}, error: (event: string) => void errors.push(event) };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { watch: loadWatch({ loads, logger, now: () => now }), pass, errors, holds };
};

test('a worker process reads the load again when it is too old', async () => {
  let reads = 0;
  const { watch, pass } = build(async () => {
    reads += 1;
    return { ...NO_LOAD, heldUntil: reads };
  });
  assert.equal((await watch.current(5000)).heldUntil, 1);
  pass(4999);
  assert.equal((await watch.current(5000)).heldUntil, 1);
  pass(1);
  assert.equal((await watch.current(60_000)).heldUntil, 1);
  assert.equal((await watch.current(5000)).heldUntil, 2);
});

test('a worker process continues with the load that it knows if it cannot be read', async () => {
  const { watch, errors } = build(() => Promise.reject(new Error('throttled')));
  assert.equal(await watch.current(5000), NO_LOAD);
  assert.deepEqual(errors, ['worker load not read']);
});

test('a worker process knows at once that it holds the line', async () => {
  const { watch, holds } = build(async () => NO_LOAD);
  await watch.current(5000);
  await watch.hold(9000);
  assert.deepEqual([holds, (await watch.current(5000)).heldUntil], [[9000], 9000]);
});
