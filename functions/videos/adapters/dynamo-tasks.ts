import { randomUUID } from 'node:crypto';
import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { conditionHeld } from '../../platform/aws/aws-clients.ts';
import {
  type Attributes,
  dueItems,
  encode,
  readItems,
  skipUnreadable,
  text,
} from '../../platform/aws/dynamo.ts';
import { timeOfTaskId } from '../../platform/domain/ids.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { DueTasks, PageQuery, TaskPage, TaskPages, TaskRepository } from '../domain/ports.ts';
import { isDeleted, matches, type Task, type TaskFilter } from '../domain/task.ts';
import {
  DUE_INDEX,
  fromItem,
  orderOf,
  readDueTask,
  readMarker,
  readPosition,
  timeOrder,
  toItem,
  toMarker,
} from './task-item.ts';

type Condition = 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';

/** The marker of a removed task is in nobody's way. */
const IS_NEW = 'attribute_not_exists(id) OR attribute_exists(removed_task)';
const IS_AT_STEP = '#step = :step';
const STEP_NAME = { '#step': 'step' };

export const dynamoTasks = (client: DynamoDBClient, table: string): TaskRepository => {
  const read = async (id: string): Promise<Attributes | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: encode({ id }), ConsistentRead: true }),
    );
    return Item;
  };

  /** A put whose answer was lost and that the client repeated is refused by itself: then it has won all the same. */
  const put = async (task: Task, condition: Pick<PutItemCommandInput, Condition>): Promise<boolean> => {
    const writeId = randomUUID();
    const item = { ...toItem(task), ...encode({ write_id: writeId }) };
    if (await conditionHeld(client.send(new PutItemCommand({ TableName: table, Item: item, ...condition }))))
      return true;
    return (await read(task.id))?.write_id?.S === writeId;
  };

  return {
    create: (task) => put(task, { ConditionExpression: IS_NEW }),

    find: async (id) => {
      const item = await read(id);
      return item === undefined || readMarker(item) !== undefined ? undefined : fromItem(item);
    },

    position: async (id) => {
      const item = await read(id);
      return item === undefined ? undefined : (readMarker(item) ?? readPosition(item));
    },

    advance: (next) =>
      put(next, {
        ConditionExpression: IS_AT_STEP,
        ExpressionAttributeNames: STEP_NAME,
        ExpressionAttributeValues: encode({ ':step': next.step - 1 }),
      }),

    remove: (task) => {
      const condition = {
        TableName: table,
        ConditionExpression: IS_AT_STEP,
        ExpressionAttributeNames: STEP_NAME,
        ExpressionAttributeValues: encode({ ':step': task.step }),
      };
      return conditionHeld(
        timeOfTaskId(task.id) === undefined
          ? client.send(new PutItemCommand({ ...condition, Item: toMarker(task, Date.now()) }))
          : client.send(new DeleteItemCommand({ ...condition, Key: encode({ id: task.id }) })),
      );
    },
  };
};

/** For the sweeper alone: it reads the tasks of all accounts. */
export const dynamoDueTasks = (client: DynamoDBClient, table: string, logger: Logger): DueTasks => ({
  due: (until) => {
    const read = skipUnreadable({ logger, table, key: ['id'] }, readDueTask);
    return dueItems(client, { table, index: DUE_INDEX, until, read });
  },

  postpone: async ({ id, step, sweeps }, dueAt) => {
    const update = new UpdateItemCommand({
      TableName: table,
      Key: encode({ id }),
      UpdateExpression: 'SET due_at = :due, sweeps = :sweeps',
      ConditionExpression: `${IS_AT_STEP} AND attribute_exists(due_at)`,
      ExpressionAttributeNames: STEP_NAME,
      ExpressionAttributeValues: encode({ ':step': step, ':due': dueAt, ':sweeps': sweeps + 1 }),
      // The index does not say whose the task is.
      ReturnValues: 'ALL_NEW',
    });
    let written: Attributes = {};
    const held = await conditionHeld(
      client.send(update).then(({ Attributes: item = {} }) => {
        written = item;
      }),
    );
    return held ? text(written, 'account') : undefined;
  },
});

/** Lambda's answers hold 6 MB: prompts beyond that would be read and paid for in vain. */
const MOST_BYTES = 6_000_000;
/** A filter that few tasks pass reads this often, a megabyte at most each time; then the list says where to go on. */
const MOST_QUERIES = 25;
const FILTERED_LIMIT = 200;

const promptBytes = ({ request }: Task): number => Buffer.byteLength(request.prompt);

const LAST_TIME = 10 ** 15 - 1;

type Range = { readonly from: string; readonly to: string };
const rangeOf = ({ createdFrom, createdBefore }: TaskFilter): Range => ({
  from: timeOrder(createdFrom ?? 0),
  to: timeOrder(createdBefore ?? LAST_TIME),
});

/** Where to begin, if anything is left: DynamoDB refuses a start outside of the range and a range turned around. */
const startOf = (
  account: string,
  { after, newestFirst }: PageQuery,
  range: Range | undefined,
): { readonly key: Attributes | undefined } | undefined => {
  if (range !== undefined && range.from > range.to) return undefined;
  if (after === undefined) return { key: undefined };
  const position = orderOf(after);
  const key = encode({ account, position, id: after.id });
  if (range === undefined) return { key };
  const [isBefore, isAfter] = newestFirst
    ? [position > range.to, position < range.from]
    : [position < range.from, position > range.to];
  if (isAfter) return undefined;
  return { key: isBefore ? undefined : key };
};

const conditionOf = (account: string, range: Range | undefined): Partial<QueryCommandInput> =>
  range === undefined
    ? {
        KeyConditionExpression: 'account = :account',
        ExpressionAttributeValues: encode({ ':account': account }),
      }
    : {
        KeyConditionExpression: 'account = :account AND #position BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#position': 'position' },
        ExpressionAttributeValues: encode({ ':account': account, ':from': range.from, ':to': range.to }),
      };

export const dynamoTaskPages = (client: DynamoDBClient, table: string, logger: Logger): TaskPages => ({
  page: (account, query) => readPage(client, table, logger, account, query),
});

/** One page of an account's tasks; reads on until it is full, since deleted and other ones are passed over. */
const readPage = async (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
  account: string,
  query: PageQuery,
): Promise<TaskPage> => {
  const { limit, newestFirst, filter } = query;
  const range = filter && rangeOf(filter);
  const begin = startOf(account, query, range);
  if (begin === undefined) return { tasks: [], hasMore: false };
  const read = skipUnreadable({ logger, table, key: ['id'] }, fromItem);
  const tasks: Task[] = [];
  let [bytes, queries] = [0, 0];
  let start = begin.key;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'by-account',
        ...conditionOf(account, range),
        ScanIndexForward: !newestFirst,
        Limit: filter === undefined ? limit + 1 - tasks.length : FILTERED_LIMIT,
        ExclusiveStartKey: start,
      }),
    );
    const found = readItems(page, read).filter(
      (task) => !isDeleted(task) && (filter === undefined || matches(task, filter)),
    );
    tasks.push(...found);
    for (const task of found) bytes += promptBytes(task);
    queries += 1;
    start = page.LastEvaluatedKey;
  } while (start !== undefined && tasks.length <= limit && bytes < MOST_BYTES && queries < MOST_QUERIES);
  if (tasks.length > limit) return { tasks: tasks.slice(0, limit), hasMore: true };
  // What was left unread counts as more; at worst the next page is empty.
  return { tasks, hasMore: start !== undefined, resumeAfter: start?.id?.S };
};
