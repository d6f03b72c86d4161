import { answer, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import type { WebhookDelivery, WebhookDescription } from '../domain/webhooks.ts';
import {
  deletedEndpoint,
  deliveryList,
  deliveryObject,
  endpointList,
  endpointObject,
  endpointWithSecret,
  eventTypeList,
} from './webhook-object.ts';
import { webhookTestResult } from './webhook-schema.ts';

/** Examples of webhook endpoints and their deliveries, built by what builds the answers. */

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const DAY = 86_400_000;

const settings = { name: 'Render farm', url: 'https://hooks.example.com/videos' };

const endpoint: WebhookDescription = {
  ...settings,
  id: 'we_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'example',
  eventTypes: ['video.completed', 'video.failed'],
  secretHint: 'whsec_…wxyz=',
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  failingSince: undefined,
  respondsQuickly: true,
  disabled: undefined,
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
    error: undefined,
  },
  createdAt: CREATED_AT,
  expiresAt: CREATED_AT + 30 * DAY,
};

export const WEBHOOK_EXAMPLES = {
  newEndpoint: { endpoint: { ...settings, event_types: ['video.completed', 'video.failed'] } },
  change: { name: { name: 'Render farm 2' }, types: { event_types: ['video.failed'] } },
  rotation: { keeping: { keep_old_secret_active_for_24_hours: true } },
  withSecret: { endpoint: endpointWithSecret(endpoint, 'whsec_…') },
  endpoint: { endpoint: endpointObject(endpoint) },
  endpoints: { page: endpointList([endpoint], false) },
  deleted: { deleted: deletedEndpoint(endpoint.id) },
  test: { completed: { event_type: 'video.completed' } },
  testResult: { answered: webhookTestResult(endpoint.id, 'video.completed', 200) },
  eventTypes: { types: eventTypeList() },
  delivery: { delivery: deliveryObject(delivery) },
  deliveries: { page: deliveryList({ deliveries: [delivery], hasMore: false }) },
} as const;

const common = { dialect: 'openAi', tag: 'Webhooks' } as const;
const ALL = '/v1/webhook_endpoints';
const ONE = `${ALL}/{webhook_endpoint_id}`;

export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  {
    ...common,
    method: 'post',
    path: ALL,
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: 'The signing secret is shown this once.',
    body: jsonContent('NewWebhookEndpoint', WEBHOOK_EXAMPLES.newEndpoint),
    answers: {
      200: answer('The endpoint.', jsonContent('WebhookEndpointWithSecret', WEBHOOK_EXAMPLES.withSecret)),
    },
    errors: ['webhook_endpoint_limit'],
  },
  {
    ...common,
    method: 'get',
    path: ALL,
    id: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    parameters: ['Limit', 'AfterWebhookEndpoint'],
    answers: {
      200: answer('A page of endpoints.', jsonContent('WebhookEndpointList', WEBHOOK_EXAMPLES.endpoints)),
    },
  },
  {
    ...common,
    method: 'get',
    path: ONE,
    id: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    parameters: ['WebhookEndpointId'],
    answers: { 200: answer('The endpoint.', jsonContent('WebhookEndpoint', WEBHOOK_EXAMPLES.endpoint)) },
    errors: ['not_found'],
  },
  {
    ...common,
    method: 'post',
    path: ONE,
    id: 'updateWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description: 'A disabled endpoint is enabled again.',
    parameters: ['WebhookEndpointId'],
    body: jsonContent('WebhookEndpointChange', WEBHOOK_EXAMPLES.change),
    bodyIsOptional: true,
    answers: { 200: answer('The endpoint.', jsonContent('WebhookEndpoint', WEBHOOK_EXAMPLES.endpoint)) },
    errors: ['not_found', 'concurrent_update'],
  },
  {
    ...common,
    method: 'delete',
    path: ONE,
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    parameters: ['WebhookEndpointId'],
    answers: {
      200: answer('It is deleted.', jsonContent('DeletedWebhookEndpoint', WEBHOOK_EXAMPLES.deleted)),
    },
    errors: ['not_found'],
  },
  {
    ...common,
    method: 'post',
    path: `${ONE}/rotate_secret`,
    id: 'rotateWebhookSecret',
    summary: 'Give a webhook endpoint a new signing secret',
    parameters: ['WebhookEndpointId'],
    body: jsonContent('WebhookSecretRotation', WEBHOOK_EXAMPLES.rotation),
    bodyIsOptional: true,
    answers: {
      200: answer(
        'The endpoint with its secret.',
        jsonContent('WebhookEndpointWithSecret', WEBHOOK_EXAMPLES.withSecret),
      ),
    },
    errors: ['not_found', 'concurrent_update'],
  },
  {
    ...common,
    method: 'post',
    path: `${ONE}/test`,
    id: 'testWebhookEndpoint',
    summary: 'Send a sample event to a webhook endpoint',
    description: 'Once, and whether the endpoint is enabled or not. The task of the event does not exist.',
    parameters: ['WebhookEndpointId'],
    body: jsonContent('WebhookTest', WEBHOOK_EXAMPLES.test),
    answers: { 200: answer('It answered.', jsonContent('WebhookTestResult', WEBHOOK_EXAMPLES.testResult)) },
    errors: ['not_found', 'webhook_unreachable'],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/webhook_event_types',
    id: 'listWebhookEventTypes',
    summary: 'List the types of events',
    answers: { 200: answer('All types.', jsonContent('WebhookEventTypeList', WEBHOOK_EXAMPLES.eventTypes)) },
  },
  {
    ...common,
    method: 'get',
    path: `${ONE}/deliveries`,
    id: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook endpoint',
    parameters: ['WebhookEndpointId', 'Limit', 'AfterDelivery'],
    answers: {
      200: answer('A page of deliveries.', jsonContent('WebhookDeliveryList', WEBHOOK_EXAMPLES.deliveries)),
    },
    errors: ['not_found'],
  },
  {
    ...common,
    method: 'post',
    path: `${ONE}/deliveries/{delivery_id}/resend`,
    id: 'resendWebhookDelivery',
    summary: 'Have a delivery sent again',
    description: 'At once, with the same `webhook-id`.',
    parameters: ['WebhookEndpointId', 'DeliveryId'],
    answers: { 200: answer('The delivery.', jsonContent('WebhookDelivery', WEBHOOK_EXAMPLES.delivery)) },
    errors: ['not_found', 'webhook_endpoint_disabled', 'webhook_delivery_in_progress'],
  },
];
