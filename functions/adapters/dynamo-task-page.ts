import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { PageQuery, TaskPage } from '../domain/ports.ts';
import { isDeleted, type Task } from '../domain/task.ts';
import { type Attributes, encode } from './attributes.ts';
import { fromItem, orderOf } from './task-item.ts';

/** One page of an account's tasks; reads on until it is full, since deleted ones are passed over. */
export const readPage = async (
  client: DynamoDBClient,
  table: string,
  account: string,
  { limit, newestFirst, after }: PageQuery,
): Promise<TaskPage> => {
  const tasks: Task[] = [];
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
    tasks.push(...(page.Items ?? []).map(fromItem).filter((task) => !isDeleted(task)));
    start = page.LastEvaluatedKey;
  } while (start !== undefined && tasks.length <= limit);
  return { tasks: tasks.slice(0, limit), hasMore: tasks.length > limit };
};
