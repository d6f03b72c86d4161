import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { conditionHeld } from '../../platform/aws/aws-clients.ts';
import {
  type Attributes,
  corrupt,
  dueIndex,
  dueItems,
  encode,
  map,
  number,
  oneOf,
  optional,
  readItems,
  skipUnreadable,
  text,
  time,
} from '../../platform/aws/dynamo.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { DueDelivery, WebhookDeliveries } from '../domain/webhook-delivery.ts';
import {
  DELIVERY_STATUSES,
  type DeliveryAttempt,
  WEBHOOK_EVENT_TYPES,
  type WebhookDelivery,
  type WebhookEvent,
} from '../domain/webhooks.ts';

/** A delivery as DynamoDB holds it: the delivery itself under `delivery`, beside the keys of its table and index. */

export const DUE_INDEX = dueIndex(4);

/** Only a delivery with a try to come has the keys of the due index, so that the index holds just those. */
export const toItem = (delivery: WebhookDelivery): Attributes =>
  encode({
    endpointId: delivery.endpointId,
    id: delivery.id,
    account: delivery.event.account,
    attempts: delivery.attempts,
    due_shard: delivery.nextAt === undefined ? undefined : DUE_INDEX.shardFor(delivery.id),
    due_at: delivery.nextAt,
    expires: Math.ceil(delivery.expiresAt / 1000),
    delivery,
  });

const readEvent = (event: Attributes): WebhookEvent =>
  ({
    id: text(event, 'id'),
    type: oneOf(event, 'type', WEBHOOK_EVENT_TYPES),
    createdAt: time(event, 'createdAt'),
    account: text(event, 'account'),
    taskId: text(event, 'taskId'),
  }) satisfies { readonly [Property in keyof Required<WebhookEvent>]: WebhookEvent[Property] };

const readAttempt = (attempt: Attributes): DeliveryAttempt =>
  ({
    at: time(attempt, 'at'),
    durationMs: number(attempt, 'durationMs'),
    statusCode: optional(attempt, 'statusCode', number),
    answer: optional(attempt, 'answer', text),
    error: optional(attempt, 'error', text),
  }) satisfies { readonly [Property in keyof Required<DeliveryAttempt>]: DeliveryAttempt[Property] };

/** A corrupt item throws: it is not the same as no item. */
export const fromItem = (item: Attributes): WebhookDelivery => {
  const delivery = map(item, 'delivery');
  for (const name of ['id', 'endpointId'] as const)
    if (text(delivery, name) !== text(item, name)) throw corrupt(`delivery.${name}`);
  return {
    id: text(delivery, 'id'),
    endpointId: text(delivery, 'endpointId'),
    event: readEvent(map(delivery, 'event')),
    status: oneOf(delivery, 'status', DELIVERY_STATUSES),
    attempts: number(delivery, 'attempts'),
    nextAt: optional(delivery, 'nextAt', time),
    tryingUntil: optional(delivery, 'tryingUntil', time),
    lastAttempt: optional(delivery, 'lastAttempt', (...at) => readAttempt(map(...at))),
    createdAt: time(delivery, 'createdAt'),
    expiresAt: time(delivery, 'expiresAt'),
  } satisfies { readonly [Property in keyof Required<WebhookDelivery>]: WebhookDelivery[Property] };
};

/** An entry of the due index. */
export const readDueDelivery = (item: Attributes): DueDelivery => ({
  id: text(item, 'id'),
  endpointId: text(item, 'endpointId'),
  attempts: number(item, 'attempts'),
  account: text(item, 'account'),
});

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
