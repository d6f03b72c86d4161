import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { encode } from '../../platform/aws/attributes.ts';
import { failedConditions, retryOnConflict } from '../../platform/aws/contention.ts';
import type { WebhookDescription } from '../domain/webhooks.ts';

/** Each account has a counter beside its endpoints; no endpoint has such an id. */
const COUNTER = 'count';

/** All of the writes or none; false when a condition does not hold. */
export const conditionsHeld = async (
  client: DynamoDBClient,
  TransactItems: TransactWriteItem[],
): Promise<boolean> => {
  const failed = await failedConditions(() => client.send(new TransactWriteItemsCommand({ TransactItems })));
  return failed.length === 0;
};

/** Keeps the number of endpoints, so that the limit is exact however many are made at once. */
export const countOne = (TableName: string, account: string, most: number): TransactWriteItem => ({
  Update: {
    TableName,
    Key: encode({ account, id: COUNTER }),
    UpdateExpression: 'ADD endpoints :one',
    ConditionExpression: 'attribute_not_exists(endpoints) OR endpoints < :most',
    ExpressionAttributeValues: encode({ ':one': 1, ':most': most }),
  },
});

export const uncountOne = (TableName: string, account: string): TransactWriteItem => ({
  Update: {
    TableName,
    Key: encode({ account, id: COUNTER }),
    UpdateExpression: 'ADD endpoints :one',
    ExpressionAttributeValues: encode({ ':one': -1 }),
  },
});

type Values = Parameters<typeof encode>[0];

/**
 * Changes an endpoint that is still as it was read; false when it is not. An undefined value takes the attribute
 * away; of `copied`, each takes the value that another had before.
 */
export const changeAsRead = async (
  client: DynamoDBClient,
  TableName: string,
  { account, id, updatedAt }: Pick<WebhookDescription, 'account' | 'id' | 'updatedAt'>,
  change: Values,
  copied: Readonly<Record<string, string>> = {},
): Promise<boolean> => {
  const writeId = randomUUID();
  const changes = Object.entries({ ...change, writeId });
  const set = changes.filter(([, value]) => value !== undefined);
  const removed = changes.filter(([, value]) => value === undefined);
  const assignments = [
    ...set.map(([name]) => `#${name} = :${name}`),
    ...Object.entries(copied).map(([to, from]) => `#${to} = #${from}`),
  ];
  const removal = removed.length === 0 ? '' : ` REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`;
  const names = ['updatedAt', ...changes.map(([name]) => name), ...Object.entries(copied).flat()];
  const update = new UpdateItemCommand({
    TableName,
    Key: encode({ account, id }),
    UpdateExpression: `SET ${assignments.join(', ')}${removal}`,
    ConditionExpression: '#updatedAt = :read',
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: encode({
      ':read': updatedAt,
      ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await retryOnConflict(() => client.send(update));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // A write whose answer was lost and that the client repeated is refused by itself: then it has won.
    return error.Item?.writeId?.S === writeId;
  }
};
