import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dynamoDueTasks, dynamoTaskPages } from '../../../../functions/videos/adapters/dynamo-task-lists.ts';
import { DUE_INDEX, toItem } from '../../../../functions/videos/adapters/task-item.ts';
import type { TaskFilter } from '../../../../functions/videos/domain/task.ts';
import { aTask, EVERY_TASK } from '../../../support/builders/task.ts';
import { recordingLogger, strictLogger } from '../../../support/loggers.ts';
import { ok, type Reply, startFakeDynamo } from '../../platform/aws/fake-dynamo.ts';
import { answeringTable } from './answering-table.ts';

const { request } = aTask();
const PAGE = { newestFirst: true, after: undefined };

/** DynamoDB returns at most a megabyte and the key to continue from. */
const replyPages = (prompt: string, tasksAPage: number, pages: number): Reply[] =>
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
  const read = async (replies: readonly Reply[], limit: number, filter?: TaskFilter) => {
    await using dynamo = await startFakeDynamo({ PutItem: [], GetItem: [], Query: replies });
    const { page } = dynamoTaskPages(dynamo.client, 'tasks', strictLogger);
    const { tasks, ...found } = await page('account', { ...PAGE, limit, filter });
    return { ...found, tasks: tasks.length, calls: dynamo.calls.length };
  };

  for (const [title, replies, limit, expected] of [
    ['is read until it is full', replyPages('short', 8, 4), 20, { tasks: 20, hasMore: true, calls: 3 }],
    [
      'is not longer than a response can hold',
      replyPages('漢'.repeat(32_000), 10, 11),
      100,
      { tasks: 70, hasMore: true, resumeAfter: 'task_6', calls: 7 },
    ],
    [
      'reports that there are no more tasks after the last one',
      replyPages('short', 5, 1),
      5,
      { tasks: 5, hasMore: false, resumeAfter: undefined, calls: 1 },
    ],
  ] as const)
    test(title, async () => assert.deepEqual(await read(replies, limit), expected));

  test('ends after 25 reads if no task matches the filter, and says where to continue', async () =>
    assert.deepEqual(await read(replyPages('short', 8, 40), 20, { ...EVERY_TASK, status: 'failed' }), {
      tasks: 0,
      hasMore: true,
      resumeAfter: 'task_24',
      calls: 25,
    }));
});

describe('the query of a page', () => {
  const AFTER = { id: 'task_5', createdAt: 5000 };
  const KEY = { account: { S: 'acme' }, position: { S: '000000000005000#task_5' }, id: { S: 'task_5' } };
  const from = (createdFrom: number | undefined, createdBefore?: number) => ({
    ...EVERY_TASK,
    createdFrom,
    createdBefore,
  });

  // DynamoDB rejects a start outside of the range.
  for (const [name, newestFirst, filter, start] of [
    ['within the time', true, from(1000, 9000), KEY],
    ['before it, from the newest', true, from(1000, 4000), undefined],
    ['before it, from the oldest', false, from(6000, 9000), undefined],
    ['after it, from the newest', true, from(6000, 9000), 'nothing'],
    ['after it, from the oldest', false, from(1000, 4000), 'nothing'],
    ['in a time that is turned around', true, from(9000, 1000), 'nothing'],
  ] as const)
    test(`that continues ${name} starts at ${start === KEY ? 'its place' : (start ?? 'the first')}`, async (context) => {
      const { tasks, calls } = answeringTable(context);
      const page = await tasks.page('acme', { limit: 20, newestFirst, after: AFTER, filter });
      assert.deepEqual([page.tasks, page.hasMore], [[], false]);
      if (start === 'nothing') assert.deepEqual(calls, []);
      else assert.deepEqual([calls[0]?.[1].ExclusiveStartKey, calls[0]?.[1].Limit], [start, 200]);
    });

  test('skips tasks that are being deleted', async (context) => {
    const deleted = aTask({ work: { kind: 'delete', dueAt: 1 } });
    const { tasks, calls } = answeringTable(context, { Items: [toItem(deleted), toItem(aTask())] });
    const page = await tasks.page('acme', { limit: 20, newestFirst: true, after: undefined });
    assert.deepEqual(page.tasks, [aTask()]);
    const range = { ':from': { S: '000000000000000' }, ':to': { S: '999999999999999' } };
    const query = { ScanIndexForward: false, Limit: 21, ExpressionAttributeValues: range };
    assert.partialDeepStrictEqual(calls[0]?.[1], query);
  });
});

test('an unreadable due item is logged by its key and skipped', async () => {
  const corrupt = { id: { S: 'corrupt' }, step: { S: 'three' } };
  const whole = { id: { S: 'whole' }, step: { N: '3' } };
  const none = ok({ Items: [] });
  await using dynamo = await startFakeDynamo({
    PutItem: [],
    GetItem: [],
    Query: DUE_INDEX.shards.map(
      (_, shard) => [ok({ Items: [corrupt, whole] }), ok({ Items: [whole] })][shard] ?? none,
    ),
  });
  const { logger, errors } = recordingLogger();
  const due = await Array.fromAsync(dynamoDueTasks(dynamo.client, 'tasks', logger).due(1));
  const ids = due.map(({ id }) => id);
  assert.deepEqual(ids, ['whole', 'whole']);
  assert.deepEqual(errors, [
    {
      event: 'item not readable',
      fields: { table: 'tasks', key: 'corrupt' },
      message: 'the stored item is corrupt: step',
    },
  ]);
});
