import type { Endpoint } from '../../identity/api/endpoint.ts';
import { readDeliveryQuery, readEndpointQuery } from './webhook-object.ts';
import { rotationSchema, webhookTestSchema } from './webhook-schema.ts';

export const createWebhookEndpoint = {
  method: 'POST',
  path: '/v1/webhook_endpoints',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  role: 'admin',
} as const satisfies Endpoint;

export const listWebhookEndpoints = {
  method: 'GET',
  path: '/v1/webhook_endpoints',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  role: 'viewer',
  query: readEndpointQuery,
} as const satisfies Endpoint;

export const getWebhookEndpoint = {
  method: 'GET',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}',
  tag: 'Webhooks',
  summary: 'Get a webhook endpoint',
  role: 'viewer',
} as const satisfies Endpoint;

export const updateWebhookEndpoint = {
  method: 'POST',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}',
  tag: 'Webhooks',
  summary: 'Update a webhook endpoint',
  role: 'admin',
  isBodyOptional: true,
} as const satisfies Endpoint;

export const deleteWebhookEndpoint = {
  method: 'DELETE',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  role: 'admin',
} as const satisfies Endpoint;

export const rotateWebhookSecret = {
  method: 'POST',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret',
  tag: 'Webhooks',
  summary: 'Rotate the signing secret of a webhook endpoint',
  role: 'admin',
  isBodyOptional: true,
  body: rotationSchema,
} as const satisfies Endpoint;

/** The receiver may take ten seconds to answer a sample event. */
export const testWebhookEndpoint = {
  method: 'POST',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}/test',
  tag: 'Webhooks',
  summary: 'Send a sample event to a webhook endpoint',
  role: 'admin',
  throttle: 'slow',
  body: webhookTestSchema,
} as const satisfies Endpoint;

export const listWebhookEventTypes = {
  method: 'GET',
  path: '/v1/webhook_event_types',
  tag: 'Webhooks',
  summary: 'List webhook event types',
  role: 'viewer',
} as const satisfies Endpoint;

export const listWebhookDeliveries = {
  method: 'GET',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries',
  tag: 'Webhooks',
  summary: 'List the deliveries of a webhook endpoint',
  role: 'viewer',
  query: readDeliveryQuery,
} as const satisfies Endpoint;

export const resendWebhookDelivery = {
  method: 'POST',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend',
  tag: 'Webhooks',
  summary: 'Resend a delivery',
  role: 'admin',
} as const satisfies Endpoint;

export const WEBHOOK_ENDPOINTS = {
  createWebhookEndpoint,
  listWebhookEndpoints,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  listWebhookEventTypes,
  listWebhookDeliveries,
  resendWebhookDelivery,
};
