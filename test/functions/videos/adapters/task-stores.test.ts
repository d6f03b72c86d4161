import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derivedTaskId } from '../../../../functions/platform/domain/ids.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aTask } from '../../../support/builders/task.ts';
import { describeStores } from '../../../support/contract.ts';
import { taskStores } from '../../../support/task-stores.ts';

const { clients } = await sharedEmulators();
const { memory, dynamo } = taskStores(clients.dynamo);
const stores = { memory: await memory('tasks'), dynamo: await dynamo('tasks') };

describeStores('tasks', stores, ({ tasks }) => {
  const created = async (id: string, change: Parameters<typeof aTask>[0] = {}) => {
    const task = aTask({ id, ...change });
    assert.equal(await tasks.create(task), true);
    return task;
  };
  const listDue = async (until: number, prefix: string) =>
    (await Array.fromAsync(tasks.due(until)))
      .filter(({ id }) => id.startsWith(prefix))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));

  test('one is created once, and found', async () => {
    const task = await created('task_once');
    assert.equal(await tasks.create({ ...task, account: 'other' }), false);
    assert.deepEqual(await tasks.find('task_once'), task);
    assert.equal(await tasks.find('task_none'), undefined);
  });

  test('one advances from its step only, once', async () => {
    const task = await created('task_step');
    const next = { ...task, step: task.step + 1, status: 'in_progress' } as const;
    assert.equal(await tasks.advance({ ...next, step: task.step + 2 }), false);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => tasks.advance(next)));
    assert.deepEqual(outcomes.toSorted(), [false, false, false, false, true]);
    assert.deepEqual(await tasks.find('task_step'), next);
    assert.equal(await tasks.advance(aTask({ id: 'task_none', step: 1 })), false);
  });

  for (const id of ['task_01k0000000aaaaaaaaaaaaaaar', derivedTaskId('account', 'a key')])
    test(`${id} is removed at its step, and can be created again`, async () => {
      const task = await created(id);
      assert.equal(await tasks.remove({ ...task, step: task.step - 1 }), false);
      assert.deepEqual([await tasks.remove(task), await tasks.remove(task)], [true, false]);
      assert.equal(await tasks.find(id), undefined);
      assert.equal(await tasks.advance({ ...task, step: task.step + 1 }), false);
      await created(id);
    });

  test('those with work are due when it is, and postponed at their step', async () => {
    await created('task_due_a', { account: 'acme', work: { kind: 'check', dueAt: 1000 } });
    await created('task_due_b', { account: 'acme', work: { kind: 'check', dueAt: 1001 } });
    await created('task_due_ended', { work: undefined });
    const [first = assert.fail(), ...others] = await listDue(1000, 'task_due_');
    assert.deepEqual([first, others], [{ id: 'task_due_a', step: 3, sweeps: 0 }, []]);
    assert.equal(await tasks.postpone({ ...first, step: 2 }, 5000), undefined);
    assert.equal(await tasks.postpone({ ...first, id: 'task_due_ended' }, 5000), undefined, 'it has no work');
    assert.equal(await tasks.postpone(first, 5000), 'acme');
    assert.deepEqual(await listDue(4999, 'task_due_'), [{ id: 'task_due_b', step: 3, sweeps: 0 }]);
    assert.deepEqual((await listDue(5000, 'task_due_')).at(0), { ...first, sweeps: 1 });
    const task = (await tasks.find('task_due_a')) ?? assert.fail();
    await tasks.advance({ ...task, step: 4, work: { kind: 'check', dueAt: 6000 } });
    assert.deepEqual((await listDue(6000, 'task_due_')).at(0), { id: 'task_due_a', step: 4, sweeps: 0 });
  });

  test('the inputs of several are read at once, also of those that are gone', async () => {
    const INPUT = { role: 'first_frame', key: 'inputs/1', mimeType: 'image/png' } as const;
    await created('task_inputs', { request: { ...aTask().request, inputs: [INPUT] } });
    await created('task_text');
    const found = await tasks.inputKeys(['task_inputs', 'task_text', 'task_none']);
    assert.deepEqual(Object.fromEntries(found), { task_inputs: ['inputs/1'], task_text: [] });
  });
});
