import { endpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { endpointList } from './api/webhook-object.ts';
import { readEndpointQuery } from './api/webhook-query.ts';
import { listEndpoints } from './usecases/manage-webhooks.ts';

const { KEY_TABLE, WEBHOOK_ENDPOINT_TABLE } = readEnvironment(ENVIRONMENTS['list-webhooks']);
const client = dynamoClient();
const descriptions = dynamoWebhookDescriptions(client, WEBHOOK_ENDPOINT_TABLE, logger);

export const handler = endpoint(client, KEY_TABLE, async ({ caller, query }) => {
  const page = await listEndpoints(descriptions, caller.account, readEndpointQuery(query));
  return ok(endpointList(page.endpoints, page.hasMore));
});
