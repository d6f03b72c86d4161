import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { endpointList } from './api/webhooks/webhook-object.ts';
import { readEndpointQuery } from './api/webhooks/webhook-query.ts';
import { endpoint, logger } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { listEndpoints } from './usecases/manage-webhooks.ts';

const { KEY_TABLE, WEBHOOK_ENDPOINT_TABLE } = readEnvironment(ENVIRONMENTS['list-webhooks']);
const client = dynamoClient();
const descriptions = dynamoWebhookDescriptions(client, WEBHOOK_ENDPOINT_TABLE, logger);

export const handler = endpoint(client, KEY_TABLE, async ({ caller, query }) => {
  const page = await listEndpoints(descriptions, caller.account, readEndpointQuery(query));
  return ok(endpointList(page.endpoints, page.hasMore));
});
