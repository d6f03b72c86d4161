import { readAfter, readLimit } from '../../platform/api/pages.ts';
import { type Query, toSeconds, toSecondsOrNull } from '../../platform/api/parameters.ts';
import { isDeliveryId, isEndpointId } from '../../platform/domain/ids.ts';
import {
  BUDGET_EVENT_TYPE,
  type DeliveryAttempt,
  WEBHOOK_EVENT_TYPES,
  type WebhookDelivery,
  type WebhookDescription,
  type WebhookEvent,
} from '../domain/webhooks.ts';
import type {
  DeliveryObject,
  EndpointObject,
  EndpointWithSecret,
  EventObject,
  EventTypeList,
} from './webhook-schema.ts';

export const endpointObject = (endpoint: WebhookDescription): EndpointObject => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  name: endpoint.name,
  url: endpoint.url,
  event_types: [...endpoint.eventTypes],
  signing_secret_hint: endpoint.secretHint,
  created_at: toSeconds(endpoint.createdAt),
  updated_at: toSeconds(endpoint.updatedAt),
  status: endpoint.disabled === undefined ? 'enabled' : 'disabled',
  disabled_reason: endpoint.disabled?.reason ?? null,
  failing_since: toSecondsOrNull(endpoint.failingSince),
});

export const endpointWithSecret = (endpoint: WebhookDescription, secret: string): EndpointWithSecret => ({
  ...endpointObject(endpoint),
  signing_secret: secret,
});

export const eventTypeList = (): EventTypeList => ({ object: 'list', data: [...WEBHOOK_EVENT_TYPES] });

/** The body of a request to an endpoint. */
export const eventObject = (event: WebhookEvent): EventObject => {
  const [id, created_at] = [event.id, toSeconds(event.createdAt)];
  if (event.type !== BUDGET_EVENT_TYPE)
    return { id, object: 'event', type: event.type, created_at, data: { id: event.taskId } };
  const { threshold, used, limit, currency, month } = event.budget;
  const data = { project_id: event.account, threshold, used, limit, currency, month };
  return { id, object: 'event', type: event.type, created_at, data };
};

const attemptObject = ({ at, statusCode, durationMs, answer, error }: DeliveryAttempt) => ({
  at: toSeconds(at),
  status_code: statusCode ?? null,
  duration_ms: Math.round(durationMs),
  answer: answer ?? null,
  error: error ?? null,
});

export const deliveryObject = ({ event, ...delivery }: WebhookDelivery): DeliveryObject => ({
  id: delivery.id,
  object: 'webhook_delivery',
  event: eventObject(event),
  status: delivery.status,
  attempts: delivery.attempts,
  created_at: toSeconds(delivery.createdAt),
  next_attempt_at: toSecondsOrNull(delivery.nextAt),
  last_attempt: delivery.lastAttempt === undefined ? null : attemptObject(delivery.lastAttempt),
});

const readPage = (query: Query, isId: (id: string) => boolean, what: string) => ({
  limit: readLimit(query),
  after: readAfter(query, isId, what),
});

export const readEndpointQuery = (query: Query) => readPage(query, isEndpointId, 'a webhook endpoint (we_…)');
export const readDeliveryQuery = (query: Query) => readPage(query, isDeliveryId, 'a delivery (wd_…)');
