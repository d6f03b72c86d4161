import { endpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoWebhookDeliveries } from './adapters/dynamo-webhook-deliveries.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { deliveryList } from './api/webhook-object.ts';
import { readDeliveryQuery } from './api/webhook-query.ts';
import { findEndpoint } from './usecases/manage-webhooks.ts';

const environment = readEnvironment(ENVIRONMENTS['list-webhook-deliveries']);
const client = dynamoClient();
const descriptions = dynamoWebhookDescriptions(client, environment.WEBHOOK_ENDPOINT_TABLE, logger);
const deliveries = dynamoWebhookDeliveries(client, environment.WEBHOOK_DELIVERY_TABLE, logger);

export const handler = endpoint(client, environment.KEY_TABLE, async ({ caller, path, query }) => {
  const { limit, after } = readDeliveryQuery(query);
  const { id } = await findEndpoint(descriptions, caller.account, path('webhook_endpoint_id'));
  return ok(deliveryList(await deliveries.page(id, limit, after)));
});
