import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BUDGET_THRESHOLDS } from '../../billing/domain/budget.ts';
import * as stored from '../../platform/aws/attributes.ts';
import { dueIndex, dueItems } from '../../platform/aws/due-index.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { putWrite } from '../../platform/aws/table-writes.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { firstPage } from '../../platform/domain/pages.ts';
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
export const toItem = (delivery: WebhookDelivery): stored.Attributes =>
  stored.encode({
    endpointId: delivery.endpointId,
    id: delivery.id,
    account: delivery.event.account,
    attempts: delivery.attempts,
    due_shard: delivery.nextAt === undefined ? undefined : DUE_INDEX.shardFor(delivery.id),
    due_at: delivery.nextAt,
    expires: Math.ceil(delivery.expiresAt / 1000),
    delivery,
  });

const readEvent = (event: stored.Attributes): WebhookEvent => {
  const type = stored.oneOf(event, 'type', WEBHOOK_EVENT_TYPES);
  const fields = {
    ...stored.all(event, stored.text, 'id', 'account'),
    createdAt: stored.time(event, 'createdAt'),
  };
  if (type !== BUDGET_EVENT_TYPE)
    return {
      ...fields,
      type,
      taskId: stored.text(event, 'taskId'),
      callbackUrl: stored.optional(event, 'callbackUrl', stored.text),
    };
  const budget = stored.map(event, 'budget');
  return {
    ...fields,
    type,
    budget: {
      month: stored.month(budget, 'month'),
      threshold: stored.oneOf(budget, 'threshold', BUDGET_THRESHOLDS),
      ...stored.all(budget, stored.amount, 'used', 'limit'),
      currency: stored.text(budget, 'currency'),
    },
  };
};

const readAttempt = (attempt: stored.Attributes): DeliveryAttempt =>
  ({
    at: stored.time(attempt, 'at'),
    durationMs: stored.number(attempt, 'durationMs'),
    statusCode: stored.optional(attempt, 'statusCode', stored.number),
    ...stored.allOptional(attempt, stored.text, 'answer', 'error'),
  }) satisfies stored.Complete<DeliveryAttempt>;

const readDelivery = (item: stored.Attributes): WebhookDelivery => {
  const delivery = stored.map(item, 'delivery');
  for (const name of ['id', 'endpointId'] as const)
    if (stored.text(delivery, name) !== stored.text(item, name)) throw stored.corrupt(`delivery.${name}`);
  return {
    ...stored.all(delivery, stored.text, 'id', 'endpointId'),
    event: readEvent(stored.map(delivery, 'event')),
    status: stored.oneOf(delivery, 'status', DELIVERY_STATUSES),
    attempts: stored.number(delivery, 'attempts'),
    ...stored.allOptional(delivery, stored.time, 'nextAt', 'attemptUntil'),
    lastAttempt: stored.optional(delivery, 'lastAttempt', (...at) => readAttempt(stored.map(...at))),
    ...stored.all(delivery, stored.time, 'createdAt', 'expiresAt'),
  } satisfies stored.Complete<WebhookDelivery>;
};

const readDueDelivery = (item: stored.Attributes): DueDelivery => ({
  ...stored.all(item, stored.text, 'id', 'endpointId', 'account'),
  attempts: stored.number(item, 'attempts'),
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

  const untilExpired = async function* (newestFirst: AsyncIterable<WebhookDelivery>) {
    for await (const delivery of newestFirst) {
      if (!isKept(delivery)) return;
      yield delivery;
    }
  };

  return {
    add: async (delivery) => {
      await table.put(toItem(delivery), { when: 'attribute_not_exists(id)' });
    },

    find: async (endpointId, id) => {
      const delivery = await table.get({ endpointId, id }, readDelivery);
      return delivery !== undefined && isKept(delivery) ? delivery : undefined;
    },

    page: (endpointId, limit, after) => {
      const query = {
        where: 'endpointId = :endpointId',
        values: { endpointId },
        newestFirst: true,
        limit: limit + 1,
        after: after === undefined ? undefined : stored.encode({ endpointId, id: after }),
      };
      return firstPage(untilExpired(table.items(query, readDelivery)), limit);
    },

    save: (next, readAttempts) =>
      table.writeOnce((write_id) => {
        const condition = { when: 'attempts = :read', values: { read: readAttempts }, returnsItem: true };
        return putWrite(tableName, { ...toItem(next), ...stored.encode({ write_id }) }, condition);
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
