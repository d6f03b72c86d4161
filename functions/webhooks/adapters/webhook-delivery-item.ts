import {
  type Attributes,
  corrupt,
  encode,
  map,
  number,
  oneOf,
  optional,
  text,
  time,
} from '../../platform/aws/attributes.ts';
import { dueIndex } from '../../platform/aws/due-index.ts';
import type { DueDelivery } from '../domain/webhook-ports.ts';
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
