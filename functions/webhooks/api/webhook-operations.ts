import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { pageObject } from '../../platform/api/pages.ts';
import { DAY } from '../../platform/domain/durations.ts';
import { type ApiPart, jsonContent, jsonResponse } from '../../platform/openapi/operation.ts';
import { afterParameter, pathParameter } from '../../platform/openapi/parameters.ts';
import type { WebhookDelivery, WebhookDescription } from '../domain/webhooks.ts';
import { WEBHOOK_ENDPOINTS } from './endpoints.ts';
import * as objects from './webhook-object.ts';
import * as schemas from './webhook-schema.ts';

const SCHEMAS = {
  NewWebhookEndpoint: schemas.newEndpointSchema,
  WebhookEndpointChange: schemas.endpointChangeSchema,
  WebhookSecretRotation: schemas.rotationSchema,
  WebhookEndpoint: schemas.endpointSchema,
  WebhookEndpointWithSecret: schemas.endpointWithSecretSchema,
  WebhookEndpointList: schemas.endpointListSchema,
  DeletedWebhookEndpoint: schemas.deletedEndpointSchema,
  WebhookTest: schemas.webhookTestSchema,
  WebhookTestResult: schemas.webhookTestResultSchema,
  WebhookEventTypeList: schemas.eventTypeListSchema,
  WebhookDelivery: schemas.deliverySchema,
  WebhookDeliveryList: schemas.deliveryListSchema,
};

const ENDPOINT_ID = /^we_[0-9a-z]{26}$/;
const DELIVERY_ID = /^wd_[0-9a-z]{26}$/;

const PARAMETERS = {
  WebhookEndpointId: pathParameter('webhook_endpoint_id', 'Identifier of the webhook endpoint.', ENDPOINT_ID),
  AfterWebhookEndpoint: afterParameter('webhook endpoints', ENDPOINT_ID),
  DeliveryId: pathParameter('delivery_id', 'Identifier of the delivery.', DELIVERY_ID),
  AfterDelivery: afterParameter('deliveries', DELIVERY_ID),
};

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);

const settings = { name: 'Render farm', url: 'https://hooks.example.com/videos' };

const endpoint: WebhookDescription = {
  ...settings,
  id: 'we_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'example',
  eventTypes: ['video.completed', 'video.failed'],
  secretHint: 'whsec_…wxyz=',
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
};

const delivery: WebhookDelivery = {
  id: 'wd_01kf0xw3g0a1b2c3d4e5f6g7h8',
  endpointId: endpoint.id,
  event: {
    id: 'evt_0123456789abcdef0123456789abcdef',
    type: 'video.completed',
    createdAt: CREATED_AT,
    account: 'example',
    taskId: 'task_01kf0xw3g0a1b2c3d4e5f6g7h8',
  },
  status: 'pending',
  attempts: 1,
  nextAt: CREATED_AT + 5000,
  lastAttempt: {
    at: CREATED_AT,
    durationMs: 120,
    statusCode: 503,
    answer: 'Down for maintenance',
  },
  createdAt: CREATED_AT,
  expiresAt: CREATED_AT + 30 * DAY,
};

const budgetDelivery: WebhookDelivery = {
  ...delivery,
  id: 'wd_01kf0xw3g1a1b2c3d4e5f6g7h8',
  event: {
    id: 'evt_fedcba9876543210fedcba9876543210',
    type: 'budget.threshold_reached',
    createdAt: CREATED_AT,
    account: 'example',
    budget: { month: '2026-01', threshold: 80, used: '80.40', limit: '100', currency: 'USD' },
  },
};

const EXAMPLES = {
  newEndpoint: { endpoint: { ...settings, event_types: ['video.completed', 'video.failed'] } },
  change: { name: { name: 'Render farm 2' }, types: { event_types: ['video.failed'] } },
  rotation: { keeping: { keep_old_secret_active_for_24_hours: true } },
  withSecret: { endpoint: objects.endpointWithSecret(endpoint, 'whsec_…') },
  endpoint: { endpoint: objects.endpointObject(endpoint) },
  endpoints: { page: pageObject({ items: [endpoint], hasMore: false }, objects.endpointObject) },
  deleted: { deleted: schemas.deletedEndpoint(endpoint.id) },
  test: { completed: { event_type: 'video.completed' } },
  testResult: { answered: schemas.webhookTestResult(endpoint.id, 'video.completed', 200) },
  eventTypes: { types: objects.eventTypeList() },
  delivery: { delivery: objects.deliveryObject(delivery) },
  deliveries: {
    page: pageObject({ items: [budgetDelivery, delivery], hasMore: false }, objects.deliveryObject),
  },
} as const;

const OPERATIONS = toOperations(WEBHOOK_ENDPOINTS, {
  createWebhookEndpoint: {
    description: 'The signing secret is returned only once.',
    body: jsonContent('NewWebhookEndpoint', EXAMPLES.newEndpoint),
    responses: jsonResponse('The endpoint.', 'WebhookEndpointWithSecret', EXAMPLES.withSecret),
    errors: ['webhook_endpoint_limit'],
  },
  listWebhookEndpoints: {
    description: 'The webhook endpoints of the account, newest first.',
    parameters: ['Limit', 'AfterWebhookEndpoint'],
    responses: jsonResponse('A page of endpoints.', 'WebhookEndpointList', EXAMPLES.endpoints),
  },
  getWebhookEndpoint: {
    description: 'Says whether the endpoint is disabled or failing. The signing secret is not returned.',
    responses: jsonResponse('The endpoint.', 'WebhookEndpoint', EXAMPLES.endpoint),
  },
  updateWebhookEndpoint: {
    description: 'Also enables a disabled endpoint.',
    body: jsonContent('WebhookEndpointChange', EXAMPLES.change),
    responses: jsonResponse('The endpoint.', 'WebhookEndpoint', EXAMPLES.endpoint),
    errors: ['not_found', 'concurrent_update'],
  },
  deleteWebhookEndpoint: {
    description: 'No more events are sent to it.',
    responses: jsonResponse('The endpoint is deleted.', 'DeletedWebhookEndpoint', EXAMPLES.deleted),
  },
  rotateWebhookSecret: {
    description: 'The new secret is returned only once. The old one can stay valid for 24 hours.',
    body: jsonContent('WebhookSecretRotation', EXAMPLES.rotation),
    responses: jsonResponse(
      'The endpoint with its secret.',
      'WebhookEndpointWithSecret',
      EXAMPLES.withSecret,
    ),
    errors: ['not_found', 'concurrent_update'],
  },
  testWebhookEndpoint: {
    description: 'Sends the event once, even to a disabled endpoint. The task of the event does not exist.',
    body: jsonContent('WebhookTest', EXAMPLES.test),
    responses: jsonResponse('The response of the endpoint.', 'WebhookTestResult', EXAMPLES.testResult),
    errors: ['not_found', 'webhook_unreachable'],
  },
  listWebhookEventTypes: {
    description: 'The types that a webhook endpoint can subscribe to.',
    responses: jsonResponse('All types.', 'WebhookEventTypeList', EXAMPLES.eventTypes),
  },
  listWebhookDeliveries: {
    description: 'The deliveries of the last 30 days, newest first.',
    parameters: ['Limit', 'AfterDelivery'],
    responses: jsonResponse('A page of deliveries.', 'WebhookDeliveryList', EXAMPLES.deliveries),
  },
  resendWebhookDelivery: {
    description: 'Sends the delivery immediately, with the same `webhook-id`.',
    responses: jsonResponse('The delivery.', 'WebhookDelivery', EXAMPLES.delivery),
    errors: ['not_found', 'webhook_endpoint_disabled', 'webhook_delivery_in_progress'],
  },
});

export const WEBHOOK_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
