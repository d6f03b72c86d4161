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

const ALL = '/v1/webhook_endpoints';
const ONE = `${ALL}/{webhook_endpoint_id}`;

/** The webhook endpoints of an account, and the worker that delivers events to them. */
export const addWebhooks = (resources: Resources): void => {
  addRoutes(resources);
  addWorker(resources);
};

/** Only the functions that create or use signing secrets can decrypt them. */
const addRoutes = ({
  functions,
  api,
  keys,
  audit,
  webhooks,
  webhookEndpoints: endpoints,
  webhookDeliveries: deliveries,
}: Resources): void => {
  const key = keys.find();
  const create = functions.endpoint<typeof CreateWebhook>(
    'create-webhook',
    'Creates a webhook endpoint',
    allOf(key, endpoints.add(), audit.add()),
  );
  const list = functions.endpoint<typeof ListWebhooks>(
    'list-webhooks',
    'Lists webhook endpoints',
    allOf(key, endpoints.list()),
  );
  const get = functions.endpoint<typeof GetWebhook>(
    'get-webhook',
    'Returns a webhook endpoint',
    allOf(key, endpoints.find()),
  );
  const update = functions.endpoint<typeof UpdateWebhook>(
    'update-webhook',
    'Changes a webhook endpoint',
    allOf(key, endpoints.change(), audit.add()),
  );
  const remove = functions.endpoint<typeof DeleteWebhook>(
    'delete-webhook',
    'Deletes a webhook endpoint',
    allOf(key, endpoints.remove(), audit.add()),
  );
  const rotate = functions.endpoint<typeof RotateWebhookSecret>(
    'rotate-webhook-secret',
    'Gives a webhook endpoint a new secret',
    allOf(key, endpoints.rotate(), audit.add()),
  );
  const test = functions.endpoint<typeof TestWebhook>(
    'test-webhook',
    'Sends a sample event to a webhook endpoint',
    allOf(key, endpoints.sign()),
  );
  const types = functions.endpoint<typeof ListWebhookEventTypes>(
    'list-webhook-event-types',
    'Lists event types',
    allOf(key),
  );
  const listDeliveries = functions.endpoint<typeof ListWebhookDeliveries>(
    'list-webhook-deliveries',
    'Lists the deliveries of a webhook endpoint',
    allOf(key, endpoints.find(), deliveries.list()),
  );
  const resend = functions.endpoint<typeof ResendWebhookDelivery>(
    'resend-webhook-delivery',
    'Delivers an event again',
    allOf(key, endpoints.find(), deliveries.resend(), webhooks.send()),
  );

  api.route('POST', ALL, create);
  api.route('GET', ALL, list);
  api.route('GET', ONE, get);
  api.route('POST', ONE, update);
  api.route('DELETE', ONE, remove);
  api.route('POST', `${ONE}/rotate_secret`, rotate);
  // A webhook endpoint may take ten seconds to answer a sample event.
  api.route('POST', `${ONE}/test`, test, { throttle: 'slow' });
  api.route('GET', '/v1/webhook_event_types', types);
  api.route('GET', `${ONE}/deliveries`, listDeliveries);
  api.route('POST', `${ONE}/deliveries/{delivery_id}/resend`, resend);
};

const addWorker = ({
  config: { webhookConcurrency },
  functions,
  webhooks,
  webhookEndpoints,
  webhookDeliveries,
}: Resources): void => {
  const worker = functions.create<typeof WebhookWorker>('webhook-worker', {
    description: 'Delivers events to webhook endpoints',
    timeoutSeconds: WEBHOOK_WORKER_SECONDS,
    memoryMegabytes: 512,
    mayLoop: true,
    grants: allOf(
      webhookEndpoints.deliver(),
      webhookDeliveries.deliver(),
      webhooks.send(),
      settings({ WEBHOOK_CONCURRENCY: String(webhookConcurrency) }),
    ),
  });
  webhooks.addConsumer(worker, webhookConcurrency);
};
