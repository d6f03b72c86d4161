import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  dynamoLinePositions,
  dynamoWaitingLine,
} from '../../../../functions/videos/adapters/dynamo-waiting-line.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aVideo } from '../../../support/builders/needs.ts';
import { aTask } from '../../../support/builders/task.ts';
import { describeStores } from '../../../support/contract.ts';
import { FAST_MODEL, MODEL } from '../../../support/http.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { taskStores } from '../../../support/task-stores.ts';

const { clients } = await sharedEmulators();
const { memory, dynamo } = taskStores(clients.dynamo);
const stores = { memory: await memory('line'), dynamo: await dynamo('line') };

const NOW = Date.UTC(2026, 0, 1);

describeStores('the waiting line', stores, ({ line, tasks, states }) => {
  const readLine = async (model: string) => (await states.read()).lines.get(model);
  const createWaiting = (id: string, ticket: number) =>
    tasks.create(aTask({ id, ticket, account: 'acme', work: { kind: 'wait', dueAt: NOW + 9000 } }));

  describe('tickets', () => {
    test('let accounts take turns, however many tasks each has', async () => {
      const taken: number[][] = [];
      for (const [account, count] of [
        ['many', 4],
        ['few', 2],
      ] as const) {
        const tickets: number[] = [];
        for (let index = 0; index < count; index += 1) tickets.push(await line.ticket(account, MODEL, 0));
        taken.push(tickets);
      }
      assert.deepEqual(taken, [
        [1, 2, 3, 4],
        [1, 2],
      ]);
    });

    test('start where the line is for an account that has not waited lately', async () => {
      assert.equal(await line.ticket('late', MODEL, 10), 11);
      assert.equal(await line.ticket('late', MODEL, 11), 12);
      assert.equal(await line.ticket('late', MODEL, 30), 31);
      assert.equal(await line.ticket('late', FAST_MODEL, 0), 1);
    });

    test('of an account are unique when 20 are taken at the same time', async () => {
      const taken = await Promise.all(Array.from({ length: 20 }, () => line.ticket('crowd', MODEL, 5)));
      const sorted = taken.toSorted((one, other) => one - other);
      const tickets = Array.from({ length: 20 }, (_, index) => 6 + index);
      assert.deepEqual(sorted, tickets);
    });
  });

  describe('the line', () => {
    test('holds the tasks of a model in the order of their tickets; they are hidden from the sweep', async () => {
      await createWaiting('task_c', 12);
      await createWaiting('task_a', 2);
      await createWaiting('task_b', 3);
      const waiting = await Array.fromAsync(line.waiting(MODEL));
      const needs = aVideo({ seconds: 6, seed: true });
      const facts = { account: 'acme', needs, step: 3, deadline: NOW + 9000 };
      assert.deepEqual(waiting, [
        { id: 'task_a', ticket: 2, ...facts },
        { id: 'task_b', ticket: 3, ...facts },
        { id: 'task_c', ticket: 12, ...facts },
      ]);
      assert.deepEqual(await Array.fromAsync(line.waiting(FAST_MODEL)), []);
      assert.deepEqual(await Array.fromAsync(tasks.due(NOW * 2)), []);
    });

    test('lets one of 20 call a task, which is then due', async () => {
      await createWaiting('task_called', 1);
      const [first = assert.fail()] = await Array.fromAsync(line.waiting(MODEL));
      assert.equal(first.id, 'task_called');
      const calls = await Promise.all(Array.from({ length: 20 }, () => line.call(first, NOW + 500)));
      const called = calls.filter((account) => account !== undefined);
      assert.deepEqual(called, ['acme']);
      const waits = (await Array.fromAsync(line.waiting(MODEL))).some(({ id }) => id === 'task_called');
      assert.equal(waits, false);
      assert.deepEqual(await Array.fromAsync(tasks.due(NOW + 501)), [
        { id: 'task_called', step: 3, sweeps: 0 },
      ]);
      // The task itself is unchanged, so its message is for this step.
      assert.deepEqual((await tasks.find('task_called'))?.work?.kind, 'wait');
    });

    test('calls no task that has moved on', async () => {
      await createWaiting('task_moved', 1);
      const task = (await tasks.find('task_moved')) ?? assert.fail();
      await tasks.advance({ ...task, step: task.step + 1 });
      assert.equal(
        await line.call(
          { id: task.id, account: task.account, needs: aVideo(), step: task.step, ticket: 1, deadline: NOW },
          NOW,
        ),
        undefined,
      );
    });

    test('is held, served and ended', async () => {
      assert.equal(await readLine(FAST_MODEL), undefined);
      await line.hold(FAST_MODEL, NOW + 1);
      assert.deepEqual(await readLine(FAST_MODEL), { until: NOW + 1, served: 0 });
      await line.advance(FAST_MODEL, 4, NOW + 2);
      assert.deepEqual(await readLine(FAST_MODEL), { until: NOW + 2, served: 4 });
      await line.hold(FAST_MODEL, NOW + 3);
      assert.deepEqual(await readLine(FAST_MODEL), { until: NOW + 3, served: 4 });
      await line.advance(FAST_MODEL, 5, undefined);
      assert.deepEqual(await readLine(FAST_MODEL), { until: 0, served: 5 });
    });
  });
});

describe('the table of tasks', () => {
  const tables = { UPSTREAM_TABLE: '', TASK_TABLE: 'line-tasks' };

  test('counts tickets if the upstreams have no state', async () => {
    const alone = dynamoWaitingLine(clients.dynamo, tables, strictLogger);
    assert.deepEqual([await alone.ticket('alone', MODEL, 0), await alone.ticket('alone', MODEL, 0)], [1, 2]);
    assert.equal(await stores.dynamo.line.ticket('alone', MODEL, 0), 1);
    await alone.advance(MODEL, 2, undefined);
  });

  test('has positions in the line, which are those of the tickets', async () => {
    const { tasks } = await dynamo('positions');
    for (const [id, ticket] of [
      ['task_c', 12],
      ['task_a', 2],
      ['task_b', 3],
    ] as const)
      await tasks.create(aTask({ id, ticket, account: 'acme', work: { kind: 'wait', dueAt: NOW + 9000 } }));
    const positions = dynamoLinePositions(clients.dynamo, 'positions-tasks');
    const place = (ticket: number | undefined, model: typeof MODEL | typeof FAST_MODEL = MODEL) =>
      positions.position(aTask({ ticket, request: { ...aTask().request, model } }));
    assert.deepEqual(
      await Promise.all([place(2), place(3), place(12), place(1), place(undefined), place(12, FAST_MODEL)]),
      [1, 2, 3, undefined, undefined, undefined],
    );
  });
});
