import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { readItems, skipUnreadable } from '../../platform/aws/all-items.ts';
import { type Attributes, encode } from '../../platform/aws/attributes.ts';
import type { Logger, PageQuery, TaskPage, TaskPages } from '../../platform/domain/ports.ts';
import { isDeleted, type Task } from '../domain/task.ts';
import { matches, type TaskFilter } from '../domain/task-filter.ts';
import { fromItem, orderOf, timeOrder } from './task-item.ts';

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
