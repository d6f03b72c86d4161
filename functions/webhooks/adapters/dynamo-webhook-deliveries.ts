import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { BUDGET_THRESHOLDS } from '../../billing/domain/budget.ts';
import {
  type Attributes,
  amount,
  corrupt,
  encode,
  map,
  month,
  number,
  oneOf,
  optional,
  text,
  time,
} from '../../platform/aws/attributes.ts';
import { conditionHeld, conditionHeldOnce } from '../../platform/aws/contention.ts';
import { dueIndex, dueItems } from '../../platform/aws/due-index.ts';
import { readItems, skipUnreadable } from '../../platform/aws/items.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { DueDelivery, WebhookDeliveries } from '../domain/webhook-stores.ts';
import {
  BUDGET_EVENT_TYPE,
  DELIVERY_STATUSES,
  type DeliveryAttempt,
  WEBHOOK_EVENT_TYPES,
  type WebhookDelivery,
  type WebhookEvent,
} from '../domain/webhooks.ts';

/** Deliveries in DynamoDB: an item has the delivery under `delivery`, and the keys of the table and its index. */

const DUE_INDEX = dueIndex(4);

/** A delivery that has ended has no keys of the due index, so the index contains only due deliveries. */
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

const readEvent = (event: Attributes): WebhookEvent => {
  const type = oneOf(event, 'type', WEBHOOK_EVENT_TYPES);
  const fields = {
    id: text(event, 'id'),
    createdAt: time(event, 'createdAt'),
    account: text(event, 'account'),
  };
  if (type !== BUDGET_EVENT_TYPE) return { ...fields, type, taskId: text(event, 'taskId') };
  const budget = map(event, 'budget');
  return {
    ...fields,
    type,
    budget: {
      month: month(budget, 'month'),
      threshold: oneOf(budget, 'threshold', BUDGET_THRESHOLDS),
      used: amount(budget, 'used'),
      limit: amount(budget, 'limit'),
      currency: text(budget, 'currency'),
    },
  };
};

const readAttempt = (attempt: Attributes): DeliveryAttempt =>
  ({
    at: time(attempt, 'at'),
    durationMs: number(attempt, 'durationMs'),
    statusCode: optional(attempt, 'statusCode', number),
    answer: optional(attempt, 'answer', text),
    error: optional(attempt, 'error', text),
  }) satisfies { readonly [Property in keyof Required<DeliveryAttempt>]: DeliveryAttempt[Property] };

/** Throws if the item is corrupt. */
const readDelivery = (item: Attributes): WebhookDelivery => {
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
    attemptUntil: optional(delivery, 'attemptUntil', time),
    lastAttempt: optional(delivery, 'lastAttempt', (...at) => readAttempt(map(...at))),
    createdAt: time(delivery, 'createdAt'),
    expiresAt: time(delivery, 'expiresAt'),
  } satisfies { readonly [Property in keyof Required<WebhookDelivery>]: WebhookDelivery[Property] };
};

/** Reads an entry of the due index. */
const readDueDelivery = (item: Attributes): DueDelivery => ({
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
  /** DynamoDB may take days to remove expired items. */
  const isKept = ({ expiresAt }: WebhookDelivery): boolean => now() < expiresAt;

  return {
    add: async (delivery) => {
      await conditionHeld(() =>
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
      const delivery = Item && readDelivery(Item);
      return delivery !== undefined && isKept(delivery) ? delivery : undefined;
    },

    page: async (endpointId, limit, after) => {
      // Newest first, so that the page ends at the first expired delivery.
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
        const found = readItems(page, skipUnreadable(source, readDelivery));
        kept.push(...found.filter(isKept));
        start = found.every(isKept) ? page.LastEvaluatedKey : undefined;
      } while (start !== undefined && kept.length <= limit);
      return { deliveries: kept.slice(0, limit), hasMore: kept.length > limit };
    },

    save: (next, readAttempts) =>
      conditionHeldOnce((writeId) =>
        client.send(
          new PutItemCommand({
            TableName: table,
            Item: { ...toItem(next), ...encode({ write_id: writeId }) },
            ConditionExpression: 'attempts = :read',
            ExpressionAttributeValues: encode({ ':read': readAttempts }),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      ),

    postpone: ({ endpointId, id, attempts }, nextAt) =>
      conditionHeld(() =>
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

    due: (until) => dueItems(dynamoTable(client, table, source), DUE_INDEX, until, readDueDelivery),
  };
};
