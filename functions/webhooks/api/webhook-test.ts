import * as z from 'zod/mini';
import { choice, fields } from '../../platform/body/schema.ts';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../domain/webhooks.ts';

export const webhookTestSchema = fields({ event_type: choice(WEBHOOK_EVENT_TYPES) });

export const webhookTestResultSchema = z
  .object({
    object: z.literal('webhook_endpoint.test'),
    event_type: z.enum(WEBHOOK_EVENT_TYPES),
    status_code: z.int().check(z.describe('What the endpoint answered, 2xx or not.')),
    success: z.literal(true).check(z.describe('That it answered at all.')),
    webhook_endpoint_id: z.string(),
  })
  .check(z.describe('What an endpoint made of a sample event.'));
export type WebhookTestResult = z.infer<typeof webhookTestResultSchema>;

export const webhookTestResult = (
  id: string,
  eventType: WebhookEventType,
  statusCode: number,
): WebhookTestResult => ({
  object: 'webhook_endpoint.test',
  event_type: eventType,
  status_code: statusCode,
  success: true,
  webhook_endpoint_id: id,
});
