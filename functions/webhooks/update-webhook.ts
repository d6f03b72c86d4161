import { endpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readOptionalJson } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { KEYS, readEnvironment, WEBHOOK_ENDPOINTS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { webhookUrlRules } from './adapters/webhook-sender.ts';
import { endpointObject } from './api/webhook-object.ts';
import { endpointChangeSchema } from './api/webhook-schema.ts';
import { updateEndpoint } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_ENDPOINTS };
const { KEY_TABLE, WEBHOOK_ENDPOINT_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const descriptions = dynamoWebhookDescriptions(client, WEBHOOK_ENDPOINT_TABLE, logger);
const schema = endpointChangeSchema(webhookUrlRules());

export const handler = endpoint(client, KEY_TABLE, async ({ caller, path, header, body }) => {
  const id = path('webhook_endpoint_id');
  const {
    name,
    url,
    event_types: eventTypes,
  } = parseBody(schema, readOptionalJson(header('content-type'), body));
  const wanted = { name, url, eventTypes };
  return ok(endpointObject(await updateEndpoint(descriptions, caller.account, id, wanted, Date.now())));
});
