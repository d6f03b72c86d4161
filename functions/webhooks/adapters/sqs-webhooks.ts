import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { BUDGET_THRESHOLDS } from '../../billing/domain/budget.ts';
import { messageHandler, sqsClient, sqsQueue } from '../../platform/runtime/queue.ts';
import type { WebhookMessage, WebhookQueue } from '../domain/webhook-stores.ts';
import { BUDGET_EVENT_TYPE, VIDEO_EVENT_TYPES } from '../domain/webhooks.ts';

/** Account names contain no colon. */
const SLOW_GROUP = 'slow:attempts';

/**
 * The queue is fair between groups, so one account cannot delay another. Attempts that may take long share one group:
 * the queue then prefers all others, even if many accounts have a few slow attempts each.
 */
const messageGroup = (message: WebhookMessage): string => {
  if (message.kind === 'event') return message.event.account;
  return message.isPrompt === true ? message.delivery.account : SLOW_GROUP;
};

/** Without the feature webhooks, nobody waits for the events. */
const NO_QUEUE: WebhookQueue = { send: async () => {}, sendAll: async () => [] };

export const sqsWebhooks = (queueUrl: string | undefined, client?: SQSClient): WebhookQueue =>
  queueUrl === undefined ? NO_QUEUE : sqsQueue(queueUrl, messageGroup, client ?? sqsClient());

const eventFields = { id: z.string(), createdAt: z.number(), account: z.string() };

const messageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('event'),
    event: z.discriminatedUnion('type', [
      z.object({
        ...eventFields,
        type: z.enum(VIDEO_EVENT_TYPES),
        taskId: z.string(),
        callbackUrl: z.optional(z.string()),
      }),
      z.object({
        ...eventFields,
        type: z.literal(BUDGET_EVENT_TYPE),
        budget: z.object({
          month: z.string(),
          threshold: z.literal(BUDGET_THRESHOLDS),
          used: z.string(),
          limit: z.string(),
          currency: z.string(),
        }),
      }),
    ]),
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
