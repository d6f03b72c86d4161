import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { readOptionalJson } from './api/body/json-body.ts';
import { parseBody } from './api/body/parse.ts';
import { endpointObject } from './api/webhooks/webhook-object.ts';
import { endpointChangeSchema } from './api/webhooks/webhook-schema.ts';
import { endpoint, logger } from './composition/endpoint.ts';
import { webhookUrlRules } from './composition/webhook-sender.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { updateEndpoint } from './usecases/manage-webhooks.ts';

const { KEY_TABLE, WEBHOOK_ENDPOINT_TABLE } = readEnvironment(ENVIRONMENTS['update-webhook']);
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
