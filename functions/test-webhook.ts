import { dynamoClient } from './adapters/aws-clients.ts';
import { readJsonContent } from './api/body/json-body.ts';
import { parseBody } from './api/body/parse.ts';
import { webhookTestResult, webhookTestSchema } from './api/webhooks/webhook-test.ts';
import { endpoint } from './composition/endpoint.ts';
import { webhookEndpointsFrom } from './composition/webhook-endpoints.ts';
import { webhookSenderHere } from './composition/webhook-sender.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { testWebhook } from './usecases/test-webhook.ts';

const environment = readEnvironment(ENVIRONMENTS['test-webhook']);
const client = dynamoClient();
const ports = { endpoints: webhookEndpointsFrom(client, environment), sender: webhookSenderHere() };

export const handler = endpoint(client, environment.KEY_TABLE, async ({ caller, path, header, body }) => {
  const id = path('webhook_endpoint_id');
  const given = readJsonContent(header('content-type'), body);
  const { event_type: eventType } = parseBody(webhookTestSchema, given);
  const statusCode = await testWebhook(ports, { account: caller.account, id, eventType }, Date.now());
  return ok(webhookTestResult(id, eventType, statusCode));
});
