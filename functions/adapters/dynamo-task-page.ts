import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { PageQuery, TaskPage } from '../domain/ports.ts';
import { isDeleted, type Task } from '../domain/task.ts';
import { type Attributes, encode } from './attributes.ts';
import { fromItem, orderOf } from './task-item.ts';

/** Lambda's answers hold 6 MB: prompts beyond that would be read and paid for in vain. */
const MOST_BYTES = 6_000_000;

const promptBytes = ({ request }: Task): number => Buffer.byteLength(request.prompt);

/** One page of an account's tasks; reads on until it is full, since deleted ones are passed over. */
export const readPage = async (
  client: DynamoDBClient,
  table: string,
  account: string,
  { limit, newestFirst, after }: PageQuery,
): Promise<TaskPage> => {
  const tasks: Task[] = [];
  let bytes = 0;
  let start: Attributes | undefined =
    after === undefined ? undefined : encode({ account, position: orderOf(after), id: after.id });
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'by-account',
        KeyConditionExpression: 'account = :account',
        ExpressionAttributeValues: encode({ ':account': account }),
        ScanIndexForward: !newestFirst,
        Limit: limit + 1 - tasks.length,
        ExclusiveStartKey: start,
      }),
    );
    const found = (page.Items ?? []).map(fromItem).filter((task) => !isDeleted(task));
    tasks.push(...found);
    for (const task of found) bytes += promptBytes(task);
    start = page.LastEvaluatedKey;
  } while (start !== undefined && tasks.length <= limit && bytes < MOST_BYTES);
  // What was left unread counts as more; at worst the next page is empty.
  const cutShort = start !== undefined && bytes >= MOST_BYTES;
  return { tasks: tasks.slice(0, limit), hasMore: cutShort || tasks.length > limit };
};
