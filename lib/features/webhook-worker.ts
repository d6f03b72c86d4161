import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';
import { WEBHOOK_WORKER_SECONDS } from '../resources/webhooks.ts';

/** What tells endpoints of events; the sweeper is behind it, as it is behind the video worker. */
export const addWebhookWorker = ({
  config,
  functions,
  webhooks,
  webhookEndpoints,
  webhookDeliveries,
}: Resources): void => {
  const worker = functions.create('webhook-worker', {
    description: 'Tells webhook endpoints of events',
    timeoutSeconds: WEBHOOK_WORKER_SECONDS,
    memoryMegabytes: 512,
    mayLoop: true,
    grants: allOf(
      webhookEndpoints.deliver(),
      webhookDeliveries.deliver(),
      webhooks.send(),
      settings({ WEBHOOK_CONCURRENCY: String(config.webhookConcurrency) }),
    ),
  });
  webhooks.addConsumer(worker, config.webhookConcurrency);
};
