import { endpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { webhookTestResult, webhookTestSchema } from './api/webhook-test.ts';
import { testWebhook } from './usecases/test-webhook.ts';
import { webhookEndpointsFrom } from './webhook-endpoints.ts';
import { webhookSenderHere } from './webhook-sender.ts';

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
