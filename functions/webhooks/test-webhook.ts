import { client, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment, WEBHOOK_SECRETS } from '../platform/runtime/environment.ts';
import { createWebhookSender } from './adapters/webhook-sender.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { eventObject } from './api/webhook-object.ts';
import { webhookTestResult } from './api/webhook-schema.ts';
import { testWebhook } from './usecases/manage-webhooks.ts';
import { createWebhookEndpoints } from './webhook-endpoints.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_SECRETS };
const environment = readEnvironment(ENVIRONMENT);
const ports = {
  endpoints: createWebhookEndpoints(client, environment),
  sender: createWebhookSender(eventObject),
};

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.testWebhookEndpoint, async ({ caller, path, body }) => {
  const id = path.webhook_endpoint_id;
  const { event_type: eventType } = body;
  const statusCode = await testWebhook(ports, { account: caller.account, id, eventType }, Date.now());
  return webhookTestResult(id, eventType, statusCode);
});
