import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoDueTasks, dynamoTasks } from '../../../../functions/videos/adapters/dynamo-tasks.ts';
import { DUE_INDEX } from '../../../../functions/videos/adapters/task-item.ts';
import { aTask } from '../../../support/builders/task.ts';
import { recordingLogger } from '../../../support/loggers.ts';
import { broken, ok, type Reply, refused, startFakeDynamo } from '../../platform/aws/fake-dynamo.ts';

const NOTHING = { PutItem: [], GetItem: [], Query: [] };

for (const write of ['create', 'advance'] as const) {
  test(`${write} wins although its answer was lost and the client's repetition was refused`, async () => {
    let written: unknown;
    const appliedUnanswered: Reply = (input) => {
      written = input.Item;
      return broken(input);
    };
    const itself: Reply = () => ({ status: 200, body: { Item: written } });
    await using dynamo = await startFakeDynamo({
      ...NOTHING,
      PutItem: [appliedUnanswered, refused],
      GetItem: [itself],
    });
    assert.equal(await dynamoTasks(dynamo.client, 'tasks')[write](aTask()), true);
    assert.deepEqual(dynamo.calls, ['PutItem', 'PutItem', 'GetItem']);
  });

  test(`${write} loses to a write of the same step by another`, async () => {
    let written: unknown;
    const remember: Reply = (input) => {
      written = input.Item;
      return { status: 200, body: {} };
    };
    const another: Reply = () => ({ status: 200, body: { Item: written } });
    await using dynamo = await startFakeDynamo({
      ...NOTHING,
      PutItem: [remember, refused],
      GetItem: [another],
    });
    const tasks = dynamoTasks(dynamo.client, 'tasks');
    assert.equal(await tasks[write](aTask()), true);
    assert.equal(await tasks[write](aTask()), false);
  });

  test(`${write} that wins at once reads nothing`, async () => {
    await using dynamo = await startFakeDynamo({ ...NOTHING, PutItem: [ok({})] });
    assert.equal(await dynamoTasks(dynamo.client, 'tasks')[write](aTask()), true);
    assert.deepEqual(dynamo.calls, ['PutItem']);
  });
}

test('a due item that cannot be read keeps no other from being swept, and is logged by its key', async () => {
  const corrupt = { id: { S: 'corrupt' }, step: { S: 'three' } };
  const whole = { id: { S: 'whole' }, step: { N: '3' } };
  const none = ok({ Items: [] });
  await using dynamo = await startFakeDynamo({
    ...NOTHING,
    Query: DUE_INDEX.shards.map(
      (_, shard) => [ok({ Items: [corrupt, whole] }), ok({ Items: [whole] })][shard] ?? none,
    ),
  });
  const { logger, errors } = recordingLogger();
  const due = await Array.fromAsync(dynamoDueTasks(dynamo.client, 'tasks', logger).due(1));
  assert.deepEqual(
    due.map(({ id }) => id),
    ['whole', 'whole'],
  );
  assert.deepEqual(errors, [
    {
      event: 'item not readable',
      fields: { table: 'tasks', key: 'corrupt' },
      message: 'the stored item is corrupt: step',
    },
  ]);
});

test('a task is read as it was last written, not as a replica remembers it', async () => {
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
