import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dynamoTaskPages } from '../../../functions/adapters/dynamo-task-page.ts';
import { toItem } from '../../../functions/adapters/task-item.ts';
import { aTask } from '../../support/builders/task.ts';
import { strictLogger } from '../../support/loggers.ts';
import { type Reply, startFakeDynamo } from './fake-dynamo.ts';

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
