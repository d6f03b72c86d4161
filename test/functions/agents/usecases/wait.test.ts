import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Progress } from '../../../../functions/agents/domain/messages.ts';
import { waitFor, waitUntil } from '../../../../functions/agents/usecases/wait.ts';

const never = new Promise<never>(() => {});

describe('a call that waits for work', () => {
  test('returns its result', async () => {
    const deadline = Date.now() + 60_000;
    assert.equal(await waitFor(Promise.resolve('done'), 'Working', { deadline, report: () => {} }), 'done');
  });

  test('fails as the work does', async () => {
    const deadline = Date.now() + 60_000;
    const failing = Promise.reject(new Error('broken'));
    await assert.rejects(waitFor(failing, 'Working', { deadline, report: () => {} }), /broken/);
  });

  test('ends at its deadline, and reports its progress until then', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval', 'Date'], now: 1000 });
    const reports: Progress[] = [];
    const waiting = waitFor(never, 'Working', { deadline: 1010, report: (each) => reports.push(each) });
    mock.timers.tick(3000);
    mock.timers.tick(3000);
    assert.equal(await waiting, undefined);
    mock.timers.tick(6000);
    const told = reports.map(({ progress, total, message }) => `${message} ${progress} of ${total}`);
    assert.deepEqual(told, ['Working 3 of 0', 'Working 6 of 0']);
  });
});

type Options = {
  readonly deadline?: number;
  readonly hasPlace?: boolean;
  readonly end?: () => Promise<void>;
};

/** Waits for the last of some states; the clock is read again and again, and shows these times. */
const waitByClock = async (states: readonly string[], times: readonly number[], options: Options = {}) => {
  const { deadline = 8600, hasPlace = true, end } = options;
  const seen: unknown[] = [];
  const logged: unknown[] = [];
  const reported: Progress[] = [];
  const [left, clock] = [states.values(), times.values()];
  const item = await waitUntil(
    {
      places: {
        begin: async (place, now) => {
          seen.push(['begin', place, now]);
          return hasPlace;
        },
        end: async (place) => {
          seen.push(['end', place]);
          await end?.();
        },
      },
      logger: {
        info: (...line) => void logged.push(line),
        error: (event, _, fields) => void logged.push([event, fields]),
      },
      now: () => clock.next().value ?? deadline,
    },
    {
      account: 'acme',
      id: 'request',
      deadline,
      look: async () => left.next().value ?? 'too often',
      isOver: (state) => state === 'completed',
      describe: (state) => `It is ${state}.`,
      report: (progress) => void reported.push(progress),
    },
  );
  return { item, seen, logged, reported };
};

const PLACE = { owner: 'acme', id: 'request', until: 10_600 };
const FIELDS = { owner: 'acme', id: 'request' };

describe('a call that waits for an item', () => {
  test('reports its progress and looks again until the item is over', async () => {
    // The wait starts at 600. Of each turn: whether it is late, its progress, and the time until the next look.
    const { item, seen, reported } = await waitByClock(
      ['queued', 'in_progress', 'completed'],
      [0, 1, 600, 600, 600, 8600, 2600, 2600, 8600],
    );
    assert.equal(item, 'completed');
    assert.deepEqual(seen, [
      ['begin', PLACE, 1],
      ['end', PLACE],
    ]);
    assert.deepEqual(reported, [
      { progress: 0, total: 8, message: 'It is queued.' },
      { progress: 2, total: 8, message: 'It is in_progress.' },
    ]);
  });

  test('ends at its deadline, and its progress never exceeds the total', async () => {
    const { item, reported, seen } = await waitByClock(['queued', 'in_progress'], [0, 0, 0, 8599, 9999]);
    assert.equal(item, 'in_progress');
    assert.deepEqual(reported, [{ progress: 9, total: 9, message: 'It is queued.' }]);
    assert.equal(seen.length, 2);
  });

  test('looks once without a free place', async () => {
    const { item, seen, logged } = await waitByClock(['queued', 'completed'], [0, 1], { hasPlace: false });
    assert.deepEqual([item, seen], ['queued', [['begin', PLACE, 1]]]);
    assert.deepEqual(logged, [['share used up', FIELDS]]);
  });

  test('needs no place if the item is over or there is no time', async () => {
    for (const [state, deadline] of [
      ['completed', 8600],
      ['queued', 0],
    ] as const) {
      const { item, seen } = await waitByClock([state], [0], { deadline });
      assert.deepEqual([item, seen], [state, []]);
    }
  });

  test('returns the item even if its place cannot be given back', async () => {
    const end = () => Promise.reject(new Error('unavailable'));
    const { item, logged } = await waitByClock(['queued', 'completed'], [0, 1, 0, 0, 0, 8600], { end });
    assert.deepEqual([item, logged], ['completed', [['share not counted', FIELDS]]]);
  });
});
