import { WEBHOOK_ENDPOINTS } from '../../functions/webhooks/api/endpoints.ts';
import type * as CreateWebhook from '../../functions/webhooks/create-webhook.ts';
import type * as DeleteWebhook from '../../functions/webhooks/delete-webhook.ts';
import type * as GetWebhook from '../../functions/webhooks/get-webhook.ts';
import type * as ListWebhookDeliveries from '../../functions/webhooks/list-webhook-deliveries.ts';
import type * as ListWebhookEventTypes from '../../functions/webhooks/list-webhook-event-types.ts';
import type * as ListWebhooks from '../../functions/webhooks/list-webhooks.ts';
import type * as ResendWebhookDelivery from '../../functions/webhooks/resend-webhook-delivery.ts';
import type * as RotateWebhookSecret from '../../functions/webhooks/rotate-webhook-secret.ts';
import type * as TestWebhook from '../../functions/webhooks/test-webhook.ts';
import type * as UpdateWebhook from '../../functions/webhooks/update-webhook.ts';
import type * as WebhookWorker from '../../functions/webhooks/webhook-worker.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import { WEBHOOK_WORKER_SECONDS } from '../resources/queues.ts';
import type { Resources } from '../resources/resources.ts';

type WebhookResources = NonNullable<Resources['webhooks']>;

/** The webhook endpoints of an account, and the worker that delivers events to them. */
export const addWebhooks = (resources: Resources): void => {
  const { webhooks, config } = resources;
  const { webhookConcurrency } = config;
  if (webhooks === undefined || webhookConcurrency === undefined) return;
  addRoutes(resources, webhooks);
  addWorker(resources, webhooks, webhookConcurrency);
};

/** Only the functions that create or use signing secrets can decrypt them. */
const addRoutes = (
  { serve, keys, audit }: Resources,
  { endpoints, deliveries, queue }: WebhookResources,
): void => {
  const key = keys.find();
  serve<typeof CreateWebhook>(
    ['create-webhook', WEBHOOK_ENDPOINTS.createWebhookEndpoint],
    allOf(key, endpoints.add(), audit.add()),
  );
  serve<typeof ListWebhooks>(
    ['list-webhooks', WEBHOOK_ENDPOINTS.listWebhookEndpoints],
    allOf(key, endpoints.list()),
  );
  serve<typeof GetWebhook>(
    ['get-webhook', WEBHOOK_ENDPOINTS.getWebhookEndpoint],
    allOf(key, endpoints.find()),
  );
  serve<typeof UpdateWebhook>(
    ['update-webhook', WEBHOOK_ENDPOINTS.updateWebhookEndpoint],
    allOf(key, endpoints.change(), audit.add()),
  );
  serve<typeof DeleteWebhook>(
    ['delete-webhook', WEBHOOK_ENDPOINTS.deleteWebhookEndpoint],
    allOf(key, endpoints.remove(), audit.add()),
  );
  serve<typeof RotateWebhookSecret>('rotate-webhook-secret', allOf(key, endpoints.rotate(), audit.add()));
  serve<typeof TestWebhook>(
    ['test-webhook', WEBHOOK_ENDPOINTS.testWebhookEndpoint],
    allOf(key, endpoints.sign()),
  );
  serve<typeof ListWebhookEventTypes>('list-webhook-event-types', allOf(key));
  serve<typeof ListWebhookDeliveries>(
    'list-webhook-deliveries',
    allOf(key, endpoints.find(), deliveries.list()),
  );
  serve<typeof ResendWebhookDelivery>(
    'resend-webhook-delivery',
    allOf(key, endpoints.find(), deliveries.resend(), queue.send()),
  );
};

const addWorker = (
  { functions }: Resources,
  { endpoints, deliveries, queue }: WebhookResources,
  webhookConcurrency: number,
): void => {
  const worker = functions.create<typeof WebhookWorker>('webhook-worker', {
    description: 'Delivers events to webhook endpoints',
    timeoutSeconds: WEBHOOK_WORKER_SECONDS,
    memoryMegabytes: 512,
    mayLoop: true,
    grants: allOf(
      endpoints.deliver(),
      deliveries.deliver(),
      queue.send(),
      settings({ WEBHOOK_CONCURRENCY: String(webhookConcurrency) }),
    ),
  });
  queue.addConsumer(worker, webhookConcurrency);
};
