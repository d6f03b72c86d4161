import * as z from 'zod/mini';
import { messageHandler } from '../platform/runtime/queue.ts';
import type { WebhookMessage } from './domain/webhook-ports.ts';
import { WEBHOOK_EVENT_TYPES } from './domain/webhooks.ts';

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
