import type { Endpoint } from '../../identity/api/endpoint.ts';
import { readDeliveryQuery, readEndpointQuery } from './webhook-object.ts';
import { rotationSchema, webhookTestSchema } from './webhook-schema.ts';

export const createWebhookEndpoint = {
  method: 'POST',
  path: '/v1/webhook_endpoints',
  summary: 'Create a webhook endpoint',
  role: 'admin',
} as const satisfies Endpoint;

export const listWebhookEndpoints = {
  method: 'GET',
  path: '/v1/webhook_endpoints',
  summary: 'List webhook endpoints',
  role: 'viewer',
  query: readEndpointQuery,
} as const satisfies Endpoint;

export const getWebhookEndpoint = {
  method: 'GET',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}',
  summary: 'Get a webhook endpoint',
  role: 'viewer',
} as const satisfies Endpoint;

export const updateWebhookEndpoint = {
  method: 'POST',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}',
  summary: 'Update a webhook endpoint',
  role: 'admin',
  isBodyOptional: true,
} as const satisfies Endpoint;

export const deleteWebhookEndpoint = {
  method: 'DELETE',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}',
  summary: 'Delete a webhook endpoint',
  role: 'admin',
} as const satisfies Endpoint;

export const rotateWebhookSecret = {
  method: 'POST',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret',
  summary: 'Rotate the signing secret of a webhook endpoint',
  role: 'admin',
  isBodyOptional: true,
  body: rotationSchema,
} as const satisfies Endpoint;

/** The receiver may take ten seconds to answer a sample event. */
export const testWebhookEndpoint = {
  method: 'POST',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}/test',
  summary: 'Send a sample event to a webhook endpoint',
  role: 'admin',
  throttle: 'slow',
  body: webhookTestSchema,
} as const satisfies Endpoint;

export const listWebhookEventTypes = {
  method: 'GET',
  path: '/v1/webhook_event_types',
  summary: 'List webhook event types',
  role: 'viewer',
} as const satisfies Endpoint;

export const listWebhookDeliveries = {
  method: 'GET',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries',
  summary: 'List the deliveries of a webhook endpoint',
  role: 'viewer',
  query: readDeliveryQuery,
} as const satisfies Endpoint;

export const resendWebhookDelivery = {
  method: 'POST',
  path: '/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend',
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
