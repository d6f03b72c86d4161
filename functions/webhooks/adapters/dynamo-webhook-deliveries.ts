import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
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
import { dueIndex, dueItems } from '../../platform/aws/due-index.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { putWrite } from '../../platform/aws/table-writes.ts';
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
  tableName: string,
  logger: Logger,
  now: Clock = Date.now,
): WebhookDeliveries => {
  const table = dynamoTable(client, tableName, { logger, key: ['endpointId', 'id'] });
  /** DynamoDB may take days to remove expired items. */
  const isKept = ({ expiresAt }: WebhookDelivery): boolean => now() < expiresAt;

  return {
    add: async (delivery) => {
      await table.put(toItem(delivery), { when: 'attribute_not_exists(id)' });
    },

    find: async (endpointId, id) => {
      const delivery = await table.get({ endpointId, id }, readDelivery);
      return delivery !== undefined && isKept(delivery) ? delivery : undefined;
    },

    page: async (endpointId, limit, after) => {
      const deliveries: WebhookDelivery[] = [];
      const query = {
        where: 'endpointId = :endpointId',
        values: { endpointId },
        newestFirst: true,
        limit: limit + 1,
        after: after === undefined ? undefined : encode({ endpointId, id: after }),
      };
      for await (const delivery of table.items(query, readDelivery)) {
        // Newest first, so that all others have expired, too.
        if (!isKept(delivery)) break;
        if (deliveries.length === limit) return { deliveries, hasMore: true };
        deliveries.push(delivery);
      }
      return { deliveries, hasMore: false };
    },

    save: (next, readAttempts) =>
      table.writeOnce((write_id) => {
        const condition = { when: 'attempts = :read', values: { read: readAttempts }, returnsItem: true };
        return putWrite(tableName, { ...toItem(next), ...encode({ write_id }) }, condition);
      }),

    postpone: ({ endpointId, id, attempts }, nextAt) =>
      table.update(
        { endpointId, id },
        {
          expression: 'SET due_at = :next, delivery.nextAt = :next',
          when: 'attempts = :read AND attribute_exists(due_at)',
          values: { next: nextAt, read: attempts },
        },
      ),

    due: (until) => dueItems(table, DUE_INDEX, until, readDueDelivery),
  };
};
