import { endpoint } from '../identity/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { KEYS, readEnvironment, WEBHOOK_SECRETS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { createWebhookSender } from './adapters/webhook-sender.ts';
import { eventObject } from './api/webhook-object.ts';
import { webhookTestResult, webhookTestSchema } from './api/webhook-schema.ts';
import { testWebhook } from './usecases/manage-webhooks.ts';
import { createWebhookEndpoints } from './webhook-endpoints.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_SECRETS };
const environment = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const ports = {
  endpoints: createWebhookEndpoints(client, environment),
  sender: createWebhookSender(eventObject),
};

export const handler = endpoint(client, environment.KEY_TABLE, async ({ caller, path, header, body }) => {
  const id = path('webhook_endpoint_id');
  const given = readJsonContent(header('content-type'), body);
  const { event_type: eventType } = parseBody(webhookTestSchema, given);
  const statusCode = await testWebhook(ports, { account: caller.account, id, eventType }, Date.now());
  return ok(webhookTestResult(id, eventType, statusCode));
});
