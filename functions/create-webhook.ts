import { dynamoClient } from './adapters/aws-clients.ts';
import { readJsonContent } from './api/body/json-body.ts';
import { parseBody } from './api/body/parse.ts';
import { endpointWithSecret } from './api/webhooks/webhook-object.ts';
import { newEndpointSchema } from './api/webhooks/webhook-schema.ts';
import { endpoint } from './composition/endpoint.ts';
import { webhookEndpointsFrom } from './composition/webhook-endpoints.ts';
import { webhookUrlRules } from './composition/webhook-sender.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { createEndpoint } from './usecases/manage-webhooks.ts';

const environment = readEnvironment(ENVIRONMENTS['create-webhook']);
const client = dynamoClient();
const endpoints = webhookEndpointsFrom(client, environment);
const schema = newEndpointSchema(webhookUrlRules());

export const handler = endpoint(client, environment.KEY_TABLE, async ({ caller, header, body }) => {
  const {
    name,
    url,
    event_types: eventTypes,
  } = parseBody(schema, readJsonContent(header('content-type'), body));
  const made = await createEndpoint(endpoints, caller.account, { name, url, eventTypes }, Date.now());
  return ok(endpointWithSecret(made.endpoint, made.secret));
});
