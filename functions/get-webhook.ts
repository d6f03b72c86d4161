import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { endpointObject } from './api/webhooks/webhook-object.ts';
import { endpoint, logger } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { findEndpoint } from './usecases/manage-webhooks.ts';

const { KEY_TABLE, WEBHOOK_ENDPOINT_TABLE } = readEnvironment(ENVIRONMENTS['get-webhook']);
const client = dynamoClient();
const descriptions = dynamoWebhookDescriptions(client, WEBHOOK_ENDPOINT_TABLE, logger);

export const handler = endpoint(client, KEY_TABLE, async ({ caller, path }) =>
  ok(endpointObject(await findEndpoint(descriptions, caller.account, path('webhook_endpoint_id')))),
);
