import { endpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment, WEBHOOK_ENDPOINTS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { deletedEndpoint } from './api/webhook-object.ts';
import { removeEndpoint } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_ENDPOINTS };
const { KEY_TABLE, WEBHOOK_ENDPOINT_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const descriptions = dynamoWebhookDescriptions(client, WEBHOOK_ENDPOINT_TABLE, logger);

export const handler = endpoint(client, KEY_TABLE, async ({ caller, path }) => {
  const id = path('webhook_endpoint_id');
  await removeEndpoint(descriptions, caller.account, id);
  return ok(deletedEndpoint(id));
});
