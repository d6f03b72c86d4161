import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { sealedWithSecret } from '../platform/aws/secret.ts';
import { KEYS, readEnvironment, WEBHOOK_SECRETS } from '../platform/runtime/environment.ts';
import { dynamoWebhookEndpoints } from './adapters/dynamo-webhook-endpoints.ts';
import { createWebhookSender } from './adapters/webhook-sender.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { eventObject } from './api/webhook-object.ts';
import { webhookTestResult } from './api/webhook-schema.ts';
import { testWebhook } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_SECRETS };
const { WEBHOOK_ENDPOINT_TABLE, WEBHOOK_SECRET_ARN } = readEnvironment(ENVIRONMENT);
const ports = {
  endpoints: dynamoWebhookEndpoints(
    client,
    WEBHOOK_ENDPOINT_TABLE,
    sealedWithSecret(WEBHOOK_SECRET_ARN),
    logger,
  ),
  sender: createWebhookSender(eventObject),
};

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.testWebhookEndpoint, async ({ path, body, action }) => {
  const id = path.webhook_endpoint_id;
  const { event_type: eventType } = body;
  const statusCode = await testWebhook(ports, action, id, eventType);
  return webhookTestResult(id, eventType, statusCode);
});
