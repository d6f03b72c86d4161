import * as z from 'zod/mini';
import { BUDGET_THRESHOLDS } from '../../billing/domain/budget.ts';
import { deletion, listSchema } from '../../platform/api/pages.ts';
import {
  choice,
  filledList,
  flag,
  name,
  openFields,
  optional,
  text,
  timestamp,
} from '../../platform/body/schema.ts';
import { publicUrlRules } from '../../platform/runtime/environment.ts';
import { checkWebhookUrl, MAX_WEBHOOK_URL } from '../domain/webhook-url.ts';
import {
  BUDGET_EVENT_TYPE,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  VIDEO_EVENT_TYPES,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../domain/webhooks.ts';

/** Webhook endpoints in the format of OpenAI's API, and their deliveries. */

export const webhookUrl = text().check(
  z.refine((value) => checkWebhookUrl(value, publicUrlRules()).problem === undefined, {
    error: ({ input }) => checkWebhookUrl(String(input), publicUrlRules()).problem,
  }),
  z.meta({ format: 'uri', maxLength: MAX_WEBHOOK_URL, description: 'The HTTPS URL that receives events.' }),
);

const eventTypes = filledList(choice(WEBHOOK_EVENT_TYPES), WEBHOOK_EVENT_TYPES.length).check(
  z.refine((types) => new Set(types).size === types.length, { error: 'must not contain a type twice.' }),
  z.meta({ uniqueItems: true, description: 'The event types that the endpoint receives.' }),
);

export const newEndpointSchema = openFields({ name: name(), url: webhookUrl, event_types: eventTypes });
export const endpointChangeSchema = openFields({
  name: z.optional(name()),
  url: z.optional(webhookUrl),
  event_types: z.optional(eventTypes),
});
export const rotationSchema = openFields({
  keep_old_secret_active_for_24_hours: optional(
    flag(),
    'Whether events are also signed with the old secret for 24 hours. Default: false.',
  ),
});

const endpointFields = {
  id: z.string().check(z.regex(/^we_[0-9a-z]{26}$/)),
  object: z.literal('webhook_endpoint'),
  name: z.string(),
  url: z.string(),
  event_types: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
  signing_secret_hint: z.string().check(z.describe('The last characters of the signing secret.')),
  created_at: timestamp('When it was created.'),
  updated_at: timestamp('When its settings or its secret were last changed.'),
  status: z.enum(['enabled', 'disabled']).check(z.describe('A disabled endpoint receives no events.')),
  disabled_reason: z
    .nullable(z.enum(DISABLED_REASONS))
    .check(z.describe('`gone`: it answered 410. `failing`: it failed for three days.')),
  failing_since: z.nullable(timestamp('The time since which every delivery has failed.')),
};

export const endpointSchema = z
  .object(endpointFields)
  .check(z.describe('A URL that receives events of the account.'));
export const endpointWithSecretSchema = z
  .object({
    ...endpointFields,
    signing_secret: z.string().check(z.regex(/^whsec_/), z.describe('Shown only once.')),
  })
  .check(z.describe('An endpoint with its new signing secret.'));

export const endpointListSchema = listSchema(
  endpointSchema,
  'A page of the account’s webhook endpoints, newest first.',
);
export const { schema: deletedEndpointSchema, answer: deletedEndpoint } =
  deletion('webhook_endpoint.deleted');
export const eventTypeListSchema = z.object({
  object: z.literal('list'),
  data: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
});

const attemptSchema = z.object({
  at: timestamp('When it began.'),
  status_code: z.nullable(z.int()),
  duration_ms: z.int(),
  answer: z.nullable(z.string()).check(z.describe('The first KB of the response body.')),
  error: z.nullable(z.string()).check(z.describe('Why there was no answer.')),
});

const eventFields = {
  id: z.string().check(z.describe('The `webhook-id` header of every attempt.')),
  object: z.literal('event'),
  created_at: timestamp('When it happened.'),
};

const eventSchema = z
  .union([
    z.object({
      ...eventFields,
      type: z.enum(VIDEO_EVENT_TYPES),
      data: z.object({ id: z.string().check(z.describe('The video task.')) }),
    }),
    z.object({
      ...eventFields,
      type: z.literal(BUDGET_EVENT_TYPE),
      data: z.object({
        project_id: z.string().check(z.describe('The account.')),
        threshold: z
          .literal(BUDGET_THRESHOLDS)
          .check(z.describe('In percent of the budget. 100 also if a request did not fit into the rest.')),
        used: z.string().check(z.describe('The amount charged and reserved when it was reached, exactly.')),
        limit: z.string().check(z.describe('The budget, exactly.')),
        currency: z.string(),
        month: z.string().check(z.describe('A UTC month, such as 2026-11.')),
      }),
    }),
  ])
  .check(z.describe('The event, as the endpoint receives it.'));

export const deliverySchema = z
  .object({
    id: z.string().check(z.regex(/^wd_[0-9a-z]{26}$/)),
    object: z.literal('webhook_delivery'),
    event: eventSchema,
    status: z.enum(DELIVERY_STATUSES).check(z.describe('`failed` means that there are no more attempts.')),
    attempts: z.int().check(z.gte(0), z.describe('Attempts so far.')),
    created_at: timestamp('When it was created.'),
    next_attempt_at: z.nullable(timestamp('When the next attempt is due.')),
    last_attempt: z.nullable(attemptSchema),
  })
  .check(z.describe('The delivery of one event to one webhook endpoint.'));
export const deliveryListSchema = listSchema(
  deliverySchema,
  'A page of the endpoint’s deliveries in the last 30 days, newest first.',
);

export type EndpointObject = z.infer<typeof endpointSchema>;
export type EndpointWithSecret = z.infer<typeof endpointWithSecretSchema>;
export type EndpointList = z.infer<typeof endpointListSchema>;
export type EventTypeList = z.infer<typeof eventTypeListSchema>;
export type EventObject = z.infer<typeof eventSchema>;
export type DeliveryObject = z.infer<typeof deliverySchema>;
export type DeliveryList = z.infer<typeof deliveryListSchema>;

export const webhookTestSchema = openFields({ event_type: choice(WEBHOOK_EVENT_TYPES) });

export const webhookTestResultSchema = z
  .object({
    object: z.literal('webhook_endpoint.test'),
    event_type: z.enum(WEBHOOK_EVENT_TYPES),
    status_code: z.int().check(z.describe('The status code of the answer, 2xx or not.')),
    success: z.literal(true).check(z.describe('The endpoint answered.')),
    webhook_endpoint_id: z.string(),
  })
  .check(z.describe('The answer to a sample event.'));
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
