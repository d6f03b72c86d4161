import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment, WEBHOOK_DELIVERIES, WEBHOOK_QUEUE } from '../platform/runtime/environment.ts';
import { dynamoWebhookDeliveries } from './adapters/dynamo-webhook-deliveries.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { sqsWebhooks } from './adapters/sqs-webhooks.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { deliveryObject } from './api/webhook-object.ts';
import { resendDelivery } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_DELIVERIES, ...WEBHOOK_QUEUE };
const environment = readEnvironment(ENVIRONMENT);
const dependencies = {
  endpoints: dynamoWebhookDescriptions(client, environment.WEBHOOK_ENDPOINT_TABLE, logger),
  deliveries: dynamoWebhookDeliveries(client, environment.WEBHOOK_DELIVERY_TABLE, logger),
  queue: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  logger,
  now: Date.now,
};

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.resendWebhookDelivery, async ({ caller, path }) => {
  const [endpointId, id] = [path.webhook_endpoint_id, path.delivery_id];
  return deliveryObject(await resendDelivery(dependencies, caller.account, endpointId, id));
});
