import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { derivedTaskId } from '../../../../functions/platform/domain/ids.ts';
import { dynamoTaskChanges, dynamoTasks } from '../../../../functions/videos/adapters/dynamo-tasks.ts';
import { toItem } from '../../../../functions/videos/adapters/task-item.ts';
import { anAuditEntry } from '../../../support/audit.ts';
import { aTask } from '../../../support/builders/task.ts';
import { broken, type Reply, refused, startFakeDynamo } from '../../platform/aws/fake-dynamo.ts';
import { answeringTable } from './answering-table.ts';

const NOTHING = { PutItem: [], GetItem: [], Query: [] };

for (const write of ['create', 'advance'] as const)
  test(`${write} wins if its response was lost and the SDK's retry finds its own write, but not another`, async () => {
    let written: unknown;
    const appliedUnanswered: Reply = (input) => {
      written = input.Item;
      return broken(input);
    };
    const refusedBy: Reply = (input) => ({
      status: 400,
      body: { ...Object(refused(input).body), Item: written },
    });
    await using dynamo = await startFakeDynamo({
      ...NOTHING,
      PutItem: [appliedUnanswered, refusedBy, refusedBy],
    });
    const tasks = dynamoTasks(dynamo.client, 'tasks');
    assert.deepEqual([await tasks[write](aTask()), await tasks[write](aTask())], [true, false]);
    assert.deepEqual(dynamo.calls, ['PutItem', 'PutItem', 'PutItem']);
  });

test('reads are consistent', async () => {
  const reads: unknown[] = [];
  const noted: Reply = ({ ConsistentRead }) => {
    reads.push(ConsistentRead);
    return { status: 200, body: {} };
  };
  await using dynamo = await startFakeDynamo({ ...NOTHING, GetItem: [noted, noted] });
  const tasks = dynamoTasks(dynamo.client, 'tasks');
  assert.deepEqual([await tasks.find('task_1'), await tasks.position('task_1')], [undefined, undefined]);
  assert.deepEqual(reads, [true, true]);
});

describe('the write of a task', () => {
  const task = aTask();

  test('leaves a marker if its id does not contain its time', async (context) => {
    const repeatable = { ...task, id: derivedTaskId('account', 'a key') };
    const { tasks, calls } = answeringTable(context);
    await tasks.remove(repeatable);
    const [[command, { Item }] = assert.fail()] = calls;
    const { removed_task, expires } = Object(Item);
    assert.deepEqual(
      [command, removed_task],
      ['PutItemCommand', { M: { account: { S: 'account' }, createdAt: { N: '1000' } } }],
    );
    assert.ok(Math.abs(Number(expires.N) - Date.now() / 1000 - 86_400) < 60, expires.N);
  });
});

describe('the lookup of a task', () => {
  const marker = {
    id: { S: 'task_1' },
    removed_task: { M: { account: { S: 'acme' }, createdAt: { N: '7' } } },
  };

  test('finds it, but not the marker of a removed task', async (context) => {
    const { tasks } = answeringTable(context, { Item: toItem(aTask()) }, { Item: marker }, {});
    assert.deepEqual(
      [await tasks.find('task_1'), await tasks.find('task_1'), await tasks.find('task_1')],
      [aTask(), undefined, undefined],
    );
  });

  test('returns its place in the list, also after its removal', async (context) => {
    const { tasks } = answeringTable(context, { Item: toItem(aTask()) }, { Item: marker }, {});
    const places = await Array.fromAsync(Array(3).fill('task_1'), (id) => tasks.position(id));
    const owners = places.map((place) => place && [place.account, place.createdAt]);
    assert.deepEqual(owners, [['account', 1000], ['acme', 7], undefined]);
  });
});

test('an audited change is written with its entry and the storage that it needs or returns', async () => {
  const task = aTask();
  const entry = anAuditEntry();
  const counted = { Delete: { TableName: 'accounts', Key: {} } };
  const storage = { account: 'account', bytes: 1, read: { usedBytes: 0, ownMegabytes: null }, limitBytes: 1 };
  const written: (readonly TransactWriteItem[])[] = [];
  const trail = (failed: readonly undefined[]) => ({
    write: async (items: readonly TransactWriteItem[], given: unknown) => {
      assert.equal(given, entry);
      written.push(items);
      return failed;
    },
    record: () => assert.fail(),
  });
  for (const [failed, isWritten] of [
    [[], true],
    [[undefined], false],
  ] as const) {
    const changes = dynamoTaskChanges<typeof storage>('tasks', trail(failed), (change) => {
      assert.equal(change, storage);
      return counted;
    });
    assert.equal(await changes.write(task, entry, undefined), isWritten);
    assert.equal(await changes.write(task, entry, storage), isWritten);
  }
  for (const [index, [step, ...others]] of written.entries()) {
    assert.partialDeepStrictEqual(step?.Put, { TableName: 'tasks', Item: toItem(task) });
    assert.deepEqual(others, index % 2 === 0 ? [] : [counted]);
  }
});
