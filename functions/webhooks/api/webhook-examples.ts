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
import { webhookTestResult } from './webhook-test.ts';

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
