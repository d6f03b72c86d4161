import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { derivedTaskId } from '../../../../functions/platform/domain/ids.ts';
import { inputKey, inputPosition } from '../../../../functions/videos/domain/media.ts';
import { LEFTOVER_AGE } from '../../../../functions/videos/domain/schedule.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { removeLeftoverInputs } from '../../../../functions/videos/usecases/remove-leftover-inputs.ts';
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
    await removeLeftoverInputs({ ...world.worker, ...IN_TIME });
    assert.deepEqual(world.stores.media.keys(), kept);
    assert.deepEqual(world.logged, [['leftovers removed', { checked: 3, removed: 1, isComplete: true }]]);
  });

  test('keeps the inputs of a task that cannot be read', async () => {
    const world = buildWorker();
    store(world, input(ENDED), input(NEVER));
    const inputKeys = async () => new Map([[ENDED ?? '', 'unreadable' as const]]);
    await removeLeftoverInputs({ ...world.worker, ...IN_TIME, tasks: { inputKeys } });
    assert.deepEqual(world.stores.media.keys(), [input(ENDED)]);
  });
});

describe('a run of the clean-up', () => {
  const HOUR = 3_600_000;
  /** Three pages of inputs without tasks, of which listing each takes a second. */
  const build = (start: number) => {
    const world = buildWorker();
    const state = { now: NOW, after: [] as string[], removed: 0 };
    const pages = [0, 1, 2].map((page) => [input(RUNNING, start + page), input(ENDED, start + page)]);
    const media = {
      inputsAfter: async function* (key: string) {
        state.after.push(key);
        for (const page of pages.filter(([first = '']) => first > key)) {
          state.now += 1000;
          yield page;
        }
      },
      remove: async (keys: readonly string[]) => {
        state.removed += keys.length;
      },
    };
    const run = (milliseconds: number) =>
      removeLeftoverInputs({
        ...world.worker,
        media,
        now: () => state.now,
        stopAt: state.now + milliseconds,
      });
    return { ...world, state, run };
  };

  test('stops when its time is up, and the next one continues until it has caught up', async () => {
    const { state, run, logged } = build(NOW - 2 * HOUR);
    await run(2000);
    assert.equal(state.removed, 4);
    await run(2000);
    assert.deepEqual([state.removed, state.after[1]], [6, input(ENDED, NOW - 2 * HOUR + 1)]);
    assert.deepEqual(
      logged.map(([, { checked, isComplete }]) => [checked, isComplete]),
      [
        [4, false],
        [2, true],
      ],
    );
  });

  test('begins a day ago if there is no position, and ends an hour ago', async () => {
    const { state, run, worker } = build(NOW - HOUR + 2000);
    await run(HOUR);
    assert.deepEqual(state.after, [inputPosition(NOW - 24 * HOUR)]);
    assert.deepEqual([state.removed, await worker.position.read()], [0, inputPosition(NOW - 24 * HOUR)]);
  });
});
