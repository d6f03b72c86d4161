import * as z from 'zod/mini';
import { sqsClient, sqsQueue } from '../../platform/aws/sqs-queue.ts';
import { messageHandler } from '../../platform/runtime/queue.ts';
import type { WebhookMessage, WebhookQueue } from '../domain/webhook-delivery.ts';
import { WEBHOOK_EVENT_TYPES } from '../domain/webhooks.ts';

/** No account has a name with a colon. */
const SLOW_GROUP = 'slow:tries';

/**
 * One account's messages cannot hold up another's. Tries that may take long are one group together: the queue prefers
 * all others to them, even where many accounts have some and none has enough to be noticed.
 */
const groupOf = (message: WebhookMessage): string => {
  if (message.kind === 'event') return message.event.account;
  return message.isPrompt === true ? message.delivery.account : SLOW_GROUP;
};

export const sqsWebhooks = (queueUrl: string, client = sqsClient()): WebhookQueue =>
  sqsQueue(queueUrl, groupOf, client);

const messageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('event'),
    event: z.object({
      id: z.string(),
      type: z.enum(WEBHOOK_EVENT_TYPES),
      createdAt: z.number(),
      account: z.string(),
      taskId: z.string(),
    }),
  }),
  z.object({
    kind: z.literal('delivery'),
    delivery: z.object({
      id: z.string(),
      endpointId: z.string(),
      attempts: z.number(),
      account: z.string(),
    }),
  }),
]);

export const webhookQueueHandler = messageHandler<WebhookMessage>(
  (body) => messageSchema.parse(body),
  (message) =>
    message.kind === 'event' ? { eventId: message.event.id } : { deliveryId: message.delivery.id },
);
