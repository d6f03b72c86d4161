import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { derivedTaskId } from '../../../../functions/platform/domain/ids.ts';
import {
  dynamoDueTasks,
  dynamoTaskPages,
  dynamoTasks,
} from '../../../../functions/videos/adapters/dynamo-tasks.ts';
import { toItem } from '../../../../functions/videos/adapters/task-item.ts';
import type { TaskFilter } from '../../../../functions/videos/domain/task.ts';
import { aTask } from '../../../support/builders/task.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { type Reply, startFakeDynamo } from '../../platform/aws/fake-dynamo.ts';

const { request } = aTask();
const PAGE = { newestFirst: true, after: undefined };

/** As DynamoDB reads: a megabyte at most, then it says where to go on. */
const pagesOf = (prompt: string, tasksAPage: number, pages: number): Reply[] =>
  Array.from({ length: pages }, (_, page) => () => ({
    status: 200,
    body: {
      Items: Array.from({ length: tasksAPage }, (_, position) =>
        toItem(aTask({ id: `task_${page}_${position}`, request: { ...request, prompt } })),
      ),
      ...(page < pages - 1 ? { LastEvaluatedKey: { id: { S: `task_${page}` } } } : {}),
    },
  }));

describe('a page of tasks', () => {
  test('is read on until it is full', async () => {
    await using dynamo = await startFakeDynamo({ PutItem: [], GetItem: [], Query: pagesOf('short', 8, 4) });
    const page = await dynamoTaskPages(dynamo.client, 'tasks', strictLogger).page('account', {
      ...PAGE,
      limit: 20,
    });
    assert.deepEqual([page.tasks.length, page.hasMore], [20, true]);
    assert.deepEqual(dynamo.calls, ['Query', 'Query', 'Query']);
  });

  test('is not read on beyond what an answer can hold', async () => {
    const long = '漢'.repeat(32_000);
    await using dynamo = await startFakeDynamo({ PutItem: [], GetItem: [], Query: pagesOf(long, 10, 11) });
    const page = await dynamoTaskPages(dynamo.client, 'tasks', strictLogger).page('account', {
      ...PAGE,
      limit: 100,
    });
    assert.deepEqual([page.tasks.length, page.hasMore], [70, true]);
    assert.equal(dynamo.calls.length, 7);
  });

  test('says that there is no more when the last task is in it', async () => {
    await using dynamo = await startFakeDynamo({ PutItem: [], GetItem: [], Query: pagesOf('short', 5, 1) });
    const page = await dynamoTaskPages(dynamo.client, 'tasks', strictLogger).page('account', {
      ...PAGE,
      limit: 5,
    });
    assert.deepEqual([page.tasks.length, page.hasMore], [5, false]);
  });

  test('of a filter that nothing passes ends after 25 reads and says where to go on', async () => {
    await using dynamo = await startFakeDynamo({ PutItem: [], GetItem: [], Query: pagesOf('short', 8, 40) });
    const filter = {
      status: 'failed' as const,
      model: undefined,
      keyId: undefined,
      createdFrom: undefined,
      createdBefore: undefined,
    };
    const page = await dynamoTaskPages(dynamo.client, 'tasks', strictLogger).page('account', {
      ...PAGE,
      limit: 20,
      filter,
    });
    assert.deepEqual(page, { tasks: [], hasMore: true, resumeAfter: 'task_24' });
    assert.equal(dynamo.calls.length, 25);
  });
});

/** A table whose calls are answered in turn; the inputs of those, by the name of the command. */
const answering = (context: TestContext, ...answers: readonly (object | Error)[]) => {
  const client = new DynamoDBClient({ region: 'local' });
  const calls: (readonly [command: string, input: Record<string, unknown>])[] = [];
  context.mock.method(client, 'send', async (command: object) => {
    calls.push([command.constructor.name, Object(command).input]);
    const answer = answers[calls.length - 1] ?? {};
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const tasks = {
    ...dynamoTasks(client, 'tasks'),
    ...dynamoDueTasks(client, 'tasks', strictLogger),
    ...dynamoTaskPages(client, 'tasks', strictLogger),
  };
  return { tasks, calls };
};

describe('the query of a page', () => {
  const ALL: TaskFilter = {
    status: undefined,
    model: undefined,
    keyId: undefined,
    createdFrom: undefined,
    createdBefore: undefined,
  };
  const AFTER = { id: 'task_5', createdAt: 5000 };
  const KEY = { account: { S: 'acme' }, position: { S: '000000000005000#task_5' }, id: { S: 'task_5' } };
  const from = (createdFrom: number | undefined, createdBefore?: number) => ({
    ...ALL,
    createdFrom,
    createdBefore,
  });

  test('asks the index for one more than the page has, from where it goes on', async (context) => {
    const { tasks, calls } = answering(context);
    await tasks.page('acme', { limit: 20, newestFirst: true, after: AFTER });
    assert.deepEqual(calls, [
      [
        'QueryCommand',
        {
          TableName: 'tasks',
          IndexName: 'by-account',
          KeyConditionExpression: 'account = :account',
          ExpressionAttributeValues: { ':account': { S: 'acme' } },
          ScanIndexForward: false,
          Limit: 21,
          ExclusiveStartKey: KEY,
        },
      ],
    ]);
  });

  test('asks for a time where there is a filter', async (context) => {
    const { tasks, calls } = answering(context);
    await tasks.page('acme', { limit: 20, newestFirst: false, after: undefined, filter: from(1000, 9000) });
    assert.deepEqual(calls[0]?.[1], {
      TableName: 'tasks',
      IndexName: 'by-account',
      KeyConditionExpression: 'account = :account AND #position BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#position': 'position' },
      ExpressionAttributeValues: {
        ':account': { S: 'acme' },
        ':from': { S: '000000000001000' },
        ':to': { S: '000000000009000' },
      },
      ScanIndexForward: true,
      Limit: 200,
      ExclusiveStartKey: undefined,
    });
  });

  test('asks for all times where the filter has none', async (context) => {
    const { tasks, calls } = answering(context);
    await tasks.page('acme', { limit: 20, newestFirst: false, after: undefined, filter: ALL });
    const { ':from': first, ':to': last } = Object(calls[0]?.[1].ExpressionAttributeValues);
    assert.deepEqual([first, last], [{ S: '000000000000000' }, { S: '999999999999999' }]);
  });

  // DynamoDB refuses a start outside of the range.
  for (const [name, newestFirst, filter, start] of [
    ['within the time', true, from(1000, 9000), KEY],
    ['before it, from the newest', true, from(1000, 4000), undefined],
    ['before it, from the oldest', false, from(6000, 9000), undefined],
    ['after it, from the newest', true, from(6000, 9000), 'nothing'],
    ['after it, from the oldest', false, from(1000, 4000), 'nothing'],
    ['in a time that is turned around', true, from(9000, 1000), 'nothing'],
  ] as const)
    test(`that goes on ${name} starts at ${start === KEY ? 'its place' : (start ?? 'the first')}`, async (context) => {
      const { tasks, calls } = answering(context);
      const page = await tasks.page('acme', { limit: 20, newestFirst, after: AFTER, filter });
      assert.deepEqual([page.tasks, page.hasMore], [[], false]);
      if (start === 'nothing') assert.deepEqual(calls, []);
      else assert.deepEqual(calls[0]?.[1].ExclusiveStartKey, start);
    });

  test('passes over tasks that are being deleted', async (context) => {
    const deleted = aTask({ work: { kind: 'delete', dueAt: 1 } });
    const { tasks } = answering(context, { Items: [toItem(deleted), toItem(aTask())] });
    const page = await tasks.page('acme', { limit: 20, newestFirst: true, after: undefined });
    assert.deepEqual(page.tasks, [aTask()]);
  });
});

describe('the write of a task', () => {
  const task = aTask();
  const refused = new ConditionalCheckFailedException({ $metadata: {}, message: 'no' });
  const AT_STEP = { ConditionExpression: '#step = :step', ExpressionAttributeNames: { '#step': 'step' } };

  test('creates it once', async (context) => {
    const { tasks, calls } = answering(context);
    assert.equal(await tasks.create(task), true);
    const [[command, { Item, ...input }] = assert.fail()] = calls;
    const { write_id, ...item } = Object(Item);
    assert.deepEqual(
      [command, input, item],
      [
        'PutItemCommand',
        {
          TableName: 'tasks',
          ConditionExpression: 'attribute_not_exists(id) OR attribute_exists(removed_task)',
        },
        toItem(task),
      ],
    );
    assert.match(write_id.S, /^[0-9a-f-]{36}$/);
  });

  test('follows on the step before', async (context) => {
    const { tasks, calls } = answering(context);
    assert.equal(await tasks.advance(task), true);
    const [[, { Item: _, ...input }] = assert.fail()] = calls;
    assert.deepEqual(input, {
      TableName: 'tasks',
      ...AT_STEP,
      ExpressionAttributeValues: { ':step': { N: '2' } },
    });
  });

  test('removes it as it is', async (context) => {
    const { tasks, calls } = answering(context, {}, refused);
    assert.deepEqual([await tasks.remove(task), await tasks.remove(task)], [true, false]);
    const condition = { TableName: 'tasks', ...AT_STEP, ExpressionAttributeValues: { ':step': { N: '3' } } };
    assert.deepEqual(calls[0], ['DeleteItemCommand', { ...condition, Key: { id: { S: task.id } } }]);
  });

  test('leaves a marker of one whose id does not tell its time', async (context) => {
    const repeatable = { ...task, id: derivedTaskId('account', 'a key') };
    const { tasks, calls } = answering(context);
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

describe('a look at a task', () => {
  const marker = {
    id: { S: 'task_1' },
    removed_task: { M: { account: { S: 'acme' }, createdAt: { N: '7' } } },
  };

  test('finds it, and not the marker of a removed one', async (context) => {
    const { tasks } = answering(context, { Item: toItem(aTask()) }, { Item: marker }, {});
    assert.deepEqual(
      [await tasks.find('task_1'), await tasks.find('task_1'), await tasks.find('task_1')],
      [aTask(), undefined, undefined],
    );
  });

  test('tells its place in the list, also of a removed one', async (context) => {
    const { tasks } = answering(context, { Item: toItem(aTask()) }, { Item: marker }, {});
    const places = [
      await tasks.position('task_1'),
      await tasks.position('task_1'),
      await tasks.position('task_1'),
    ];
    assert.deepEqual(
      places.map((place) => place && [place.account, place.createdAt]),
      [['account', 1000], ['acme', 7], undefined],
    );
  });
});
