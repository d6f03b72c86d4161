import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { readItems, skipUnreadable } from '../../platform/aws/all-items.ts';
import { encode } from '../../platform/aws/attributes.ts';
import { conditionHeld } from '../../platform/aws/aws-clients.ts';
import { dueItems } from '../../platform/aws/due-index.ts';
import type { Clock, Logger } from '../../platform/domain/ports.ts';
import type { WebhookDeliveries } from '../domain/webhook-ports.ts';
import type { WebhookDelivery } from '../domain/webhooks.ts';
import { DUE_INDEX, fromItem, readDueDelivery, toItem } from './webhook-delivery-item.ts';

export const dynamoWebhookDeliveries = (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
  now: Clock = Date.now,
): WebhookDeliveries => {
  const source = { logger, table, key: ['endpointId', 'id'] };
  /** DynamoDB takes days to remove what has expired. */
  const isKept = ({ expiresAt }: WebhookDelivery): boolean => now() < expiresAt;

  return {
    add: async (delivery) => {
      await conditionHeld(
        client.send(
          new PutItemCommand({
            TableName: table,
            Item: toItem(delivery),
            ConditionExpression: 'attribute_not_exists(id)',
          }),
        ),
      );
    },

    find: async (endpointId, id) => {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: encode({ endpointId, id }), ConsistentRead: true }),
      );
      const delivery = Item && fromItem(Item);
      return delivery !== undefined && isKept(delivery) ? delivery : undefined;
    },

    page: async (endpointId, limit, after) => {
      // The newest first, so that the page ends with the first that has expired.
      const kept: WebhookDelivery[] = [];
      let start = after === undefined ? undefined : encode({ endpointId, id: after });
      do {
        const page = await client.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'endpointId = :endpoint',
            ExpressionAttributeValues: encode({ ':endpoint': endpointId }),
            ScanIndexForward: false,
            Limit: limit + 1 - kept.length,
            ExclusiveStartKey: start,
          }),
        );
        const found = readItems(page, skipUnreadable(source, fromItem));
        kept.push(...found.filter(isKept));
        start = found.every(isKept) ? page.LastEvaluatedKey : undefined;
      } while (start !== undefined && kept.length <= limit);
      return { deliveries: kept.slice(0, limit), hasMore: kept.length > limit };
    },

    save: async (next, readAttempts) => {
      const writeId = randomUUID();
      try {
        await client.send(
          new PutItemCommand({
            TableName: table,
            Item: { ...toItem(next), ...encode({ write_id: writeId }) },
            ConditionExpression: 'attempts = :read',
            ExpressionAttributeValues: encode({ ':read': readAttempts }),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return true;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        // A put whose answer was lost and that the client repeated is refused by itself: then it has won.
        return error.Item?.write_id?.S === writeId;
      }
    },

    postpone: ({ endpointId, id, attempts }, nextAt) =>
      conditionHeld(
        client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: encode({ endpointId, id }),
            UpdateExpression: 'SET due_at = :next, delivery.nextAt = :next',
            ConditionExpression: 'attempts = :read AND attribute_exists(due_at)',
            ExpressionAttributeValues: encode({ ':next': nextAt, ':read': attempts }),
          }),
        ),
      ),

    due: (until) => {
      const read = skipUnreadable(source, readDueDelivery);
      return dueItems(client, { table, index: DUE_INDEX, until, read });
    },
  };
};
