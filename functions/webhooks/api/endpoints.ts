import { declareFor } from '../../identity/api/declare-endpoint.ts';
import { readDeliveryQuery, readEndpointQuery } from './webhook-object.ts';
import {
  endpointChangeSchema,
  newEndpointSchema,
  rotationSchema,
  webhookTestSchema,
} from './webhook-schema.ts';

const { DELETE, GET, POST } = declareFor('webhooks');

export const WEBHOOK_ENDPOINTS = {
  createWebhookEndpoint: POST('/v1/webhook_endpoints', 'Create a webhook endpoint', 'admin', {
    body: newEndpointSchema,
  }),
  listWebhookEndpoints: GET('/v1/webhook_endpoints', 'List webhook endpoints', 'viewer', {
    query: readEndpointQuery,
  }),
  getWebhookEndpoint: GET('/v1/webhook_endpoints/{webhook_endpoint_id}', 'Get a webhook endpoint', 'viewer'),
  updateWebhookEndpoint: POST(
    '/v1/webhook_endpoints/{webhook_endpoint_id}',
    'Update a webhook endpoint',
    'admin',
    { isBodyOptional: true, body: endpointChangeSchema },
  ),
  deleteWebhookEndpoint: DELETE(
    '/v1/webhook_endpoints/{webhook_endpoint_id}',
    'Delete a webhook endpoint',
    'admin',
  ),
  rotateWebhookSecret: POST(
    '/v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret',
    'Rotate the signing secret of a webhook endpoint',
    'admin',
    { isBodyOptional: true, body: rotationSchema },
  ),
  /** The receiver may take ten seconds to answer a sample event. */
  testWebhookEndpoint: POST(
    '/v1/webhook_endpoints/{webhook_endpoint_id}/test',
    'Send a sample event to a webhook endpoint',
    'admin',
    { throttle: 'slow', body: webhookTestSchema },
  ),
  listWebhookEventTypes: GET('/v1/webhook_event_types', 'List webhook event types', 'viewer'),
  listWebhookDeliveries: GET(
    '/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries',
    'List the deliveries of a webhook endpoint',
    'viewer',
    { query: readDeliveryQuery },
  ),
  resendWebhookDelivery: POST(
    '/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend',
    'Resend a delivery',
    'admin',
  ),
};
