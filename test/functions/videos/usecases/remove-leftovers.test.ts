import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { derivedTaskId } from '../../../../functions/platform/domain/ids.ts';
import { inputKey, readInputKey } from '../../../../functions/videos/domain/media.ts';
import { LEFTOVER_AGE } from '../../../../functions/videos/domain/schedule.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { removeLeftovers } from '../../../../functions/videos/usecases/remove-leftovers.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const OLD = NOW - LEFTOVER_AGE.from - 1;
const IN_TIME = { stopAt: NOW + 1 };
const [RUNNING, ENDED, YOUNG, NEVER] = [1, 2, 3, 4].map((number) => derivedTaskId('acme', String(number)));
const input = (id = '', createdAt = OLD): string => inputKey({ id, createdAt }, '0-x');

const withInput = (id = ''): Pick<Task, 'id' | 'request'> => ({
  id,
  request: {
    ...aTask().request,
    inputs: [{ role: 'first_frame', key: input(id), mimeType: 'image/png' }],
  },
});

const store = ({ stores }: ReturnType<typeof buildWorker>, ...keys: readonly string[]): void => {
  for (const key of keys) stores.media.put(key, new Uint8Array(1), NOW);
};

describe('the clean-up of inputs', () => {
  test('removes those without a task, and keeps those that are recent or belong to a task', async () => {
    const world = buildWorker(
      aTask(withInput(RUNNING)),
      aTask({ ...withInput(ENDED), status: 'failed', work: undefined }),
    );
    const kept = [input(RUNNING), input(ENDED), input(YOUNG, OLD + 1), 'inputs/0', 'videos/1'];
    store(world, input(NEVER), ...kept);
    await removeLeftovers({ ...world.worker, ...IN_TIME });
    assert.deepEqual(world.stores.media.keys(), kept);
    assert.deepEqual(world.logged, [['leftovers removed', { checked: 3, removed: 1, isComplete: true }]]);
  });

  test('removes the inputs of a request that lost to another with the same key', async () => {
    const world = buildWorker(aTask(withInput(ENDED)));
    store(world, input(ENDED), `${input(ENDED)}y`, input(ENDED, OLD - 1));
    await removeLeftovers({ ...world.worker, ...IN_TIME });
    assert.deepEqual(world.stores.media.keys(), [input(ENDED)]);
  });

  test('keeps the inputs of a task that cannot be read', async () => {
    const world = buildWorker();
    store(world, input(ENDED), input(NEVER));
    const inputKeys = async () => new Map([[ENDED ?? '', 'unreadable' as const]]);
    await removeLeftovers({ ...world.worker, ...IN_TIME, tasks: { inputKeys } });
    assert.deepEqual(world.stores.media.keys(), [input(ENDED)]);
  });

  test('repeats the inputs after which a call failed', async () => {
    const world = buildWorker();
    store(world, input(NEVER));
    const inputKeys = () => Promise.reject(new Error('throttled'));
    const failing = removeLeftovers({ ...world.worker, ...IN_TIME, tasks: { inputKeys } });
    await assert.rejects(failing, /throttled/);
    await removeLeftovers({ ...world.worker, ...IN_TIME });
    assert.deepEqual(world.stores.media.keys(), []);
    assert.deepEqual(
      world.logged.map(([, { isComplete }]) => isComplete),
      [false, true],
    );
  });
});

const HOUR = 3_600_000;
const PER_HOUR = 100_000;
const HOURS = 9 * 24;
const PAGE = 1000;

/** A bucket with an input every 36 ms for nine days, as keys that are computed when they are listed. */
const hugeBucket = (start: number) => {
  const count = { keys: HOURS * PER_HOUR, lists: 0, reads: 0, removed: 0 };
  const spacing = HOUR / PER_HOUR;
  const keyAt = (index: number): string =>
    inputKey({ id: `task_${index}`, createdAt: start + index * spacing }, '0');
  const indexAfter = (key: string): number => {
    const time = readInputKey(`${key}/x/x`)?.createdAt ?? 0;
    let index = Math.max(0, Math.floor((time - start) / spacing) - 1);
    while (index < count.keys && keyAt(index) <= key) index += 1;
    return index;
  };
  const media = {
    inputsAfter: async function* (key: string) {
      for (let from = indexAfter(key); from < count.keys; from += PAGE) {
        count.lists += 1;
        yield Array.from({ length: Math.min(PAGE, count.keys - from) }, (_, offset) => keyAt(from + offset));
      }
    },
    remove: async (keys: readonly string[]) => {
      count.removed += keys.length;
    },
  };
  /** Every thousandth request has created no task. */
  const tasks = {
    inputKeys: async (ids: readonly string[]) => {
      count.reads += 1;
      const created = ids.map((id) => Number(id.slice('task_'.length))).filter((index) => index % 1000 !== 7);
      return new Map(created.map((index) => [`task_${index}`, [keyAt(index)]]));
    },
  };
  return { media, tasks, count };
};

describe('in a bucket with 21.6 million inputs, the clean-up', () => {
  const start = NOW - HOURS * HOUR;
  const end = NOW + LEFTOVER_AGE.from;

  test('lists only the inputs of the last hour', async () => {
    const { worker } = buildWorker();
    const { media, tasks, count } = hugeBucket(start);
    await worker.position.save(inputKey({ id: '', createdAt: NOW - HOUR }, ''));
    await removeLeftovers({ ...worker, media, tasks, now: () => end, stopAt: end + 1 });
    assert.deepEqual(count, { keys: 21_600_000, lists: 100, reads: 1000, removed: 100 });
  });

  test('stops when its time is up, and the next run continues until it has caught up', async () => {
    const { worker, logged } = buildWorker();
    const { media, tasks, count } = hugeBucket(start);
    await worker.position.save(inputKey({ id: '', createdAt: NOW - HOUR }, ''));
    let time = end;
    const listed = {
      ...media,
      inputsAfter: async function* (key: string) {
        for await (const page of media.inputsAfter(key)) {
          time += 1000;
          yield page;
        }
      },
    };
    const runs: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const before = count.lists;
      await removeLeftovers({ ...worker, media: listed, tasks, now: () => time, stopAt: time + 40_000 });
      runs.push(count.lists - before);
    }
    assert.deepEqual(runs, [40, 40, 20]);
    assert.deepEqual(
      logged.map(([, { isComplete }]) => isComplete),
      [false, false, true],
    );
    assert.equal(count.removed, 100);
  });

  test('begins a day ago if it has no position', async () => {
    const { worker } = buildWorker();
    const { media, tasks, count } = hugeBucket(start);
    await removeLeftovers({ ...worker, media, tasks, now: () => end, stopAt: end });
    assert.equal(count.lists, 1);
    const first = readInputKey((await worker.position.read()) ?? '')?.createdAt ?? 0;
    assert.ok(first > end - LEFTOVER_AGE.to && first < end - LEFTOVER_AGE.to + HOUR);
  });
});
