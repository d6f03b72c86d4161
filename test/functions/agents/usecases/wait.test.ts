import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Progress } from '../../../../functions/agents/domain/messages.ts';
import { waitFor, waitUntil } from '../../../../functions/agents/usecases/wait.ts';
import { slotShares } from '../../../../functions/platform/domain/fair-share.ts';
import { MemorySlowSteps, slowStepsPort } from '../../../support/in-memory/slow-steps.ts';
import { recordingLogger, strictLogger } from '../../../support/loggers.ts';

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
    mock.timers.enable({ apis: ['setInterval', 'Date'], now: 0 });
    const reports: Progress[] = [];
    const waiting = waitFor(never, 'Working', { deadline: 10, report: (each) => reports.push(each) });
    mock.timers.tick(3000);
    mock.timers.tick(3000);
    assert.equal(await waiting, undefined);
    mock.timers.tick(6000);
    assert.deepEqual(
      reports.map(({ progress, message }) => [progress, message]),
      [
        [3, 'Working'],
        [6, 'Working'],
      ],
    );
  });
});

describe('a call that waits for an item', () => {
  /** Half of the ten executions of a new AWS account may wait, and an account may hold as many as it leaves free. */
  const openPlaces = () => new MemorySlowSteps(slotShares(10));
  const wait = (
    steps: Pick<MemorySlowSteps, 'begin' | 'end'>,
    { account = 'one', id = 'own', looks = ['queued'], deadline = 30, logger = strictLogger } = {},
  ) => {
    let count = 0;
    const item = waitUntil(
      { places: slowStepsPort(steps), logger, now: () => count },
      {
        account,
        id,
        deadline,
        look: async () => {
          count += 1;
          return looks[Math.min(count, looks.length) - 1];
        },
        isOver: (status) => status === 'completed',
        describe: String,
        report: () => {},
      },
    );
    return { item, count: () => count };
  };

  test('looks again until the item is over, and then gives its place back', async () => {
    const places = openPlaces();
    const { item, count } = wait(places, { looks: ['queued', 'in_progress', 'completed'] });
    assert.deepEqual([await item, count()], ['completed', 3]);
    assert.deepEqual(places.running(0), []);
  });

  test('needs no place if the item is over or there is no time', async () => {
    const full = { begin: () => assert.fail('asked for a place'), end: () => {} };
    assert.equal(await wait(full, { looks: ['completed'] }).item, 'completed');
    assert.equal(await wait(full, { deadline: 0 }).item, 'queued');
  });

  test('ends at its deadline', async () => {
    const { item, count } = wait(openPlaces(), { deadline: 4 });
    assert.deepEqual([await item, count()], ['queued', 4]);
  });

  test('looks once if its account already waits often enough, while another account may wait', async () => {
    const places = openPlaces();
    const until = 60_000;
    for (const id of ['1', '2', '3']) assert.ok(places.begin({ owner: 'one', id, until }, 0));
    const refused = wait(places, { looks: ['queued', 'completed'] });
    assert.deepEqual([await refused.item, refused.count()], ['queued', 1]);
    const allowed = wait(places, { account: 'two', looks: ['queued', 'completed'] });
    assert.deepEqual([await allowed.item, allowed.count()], ['completed', 2]);
    assert.equal(places.running(0).length, 3);
  });

  test('returns the item even if its place cannot be given back', async () => {
    const { logger, errors } = recordingLogger();
    const places = {
      begin: () => true,
      end: () => {
        throw new Error('unavailable');
      },
    };
    assert.equal(await wait(places, { looks: ['queued', 'completed'], logger }).item, 'completed');
    assert.deepEqual(
      errors.map(({ event }) => event),
      ['share not counted'],
    );
  });
});
