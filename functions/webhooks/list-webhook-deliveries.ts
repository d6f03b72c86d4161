import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { pageObject } from '../platform/api/pages.ts';
import { KEYS, readEnvironment, WEBHOOK_DELIVERIES } from '../platform/runtime/environment.ts';
import { dynamoWebhookDeliveries } from './adapters/dynamo-webhook-deliveries.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { deliveryObject } from './api/webhook-object.ts';
import { findEndpoint } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_DELIVERIES };
const environment = readEnvironment(ENVIRONMENT);
const descriptions = dynamoWebhookDescriptions(client, environment.WEBHOOK_ENDPOINT_TABLE, logger);
const deliveries = dynamoWebhookDeliveries(client, environment.WEBHOOK_DELIVERY_TABLE, logger);

export const handler = jsonEndpoint(
  WEBHOOK_ENDPOINTS.listWebhookDeliveries,
  async ({ caller, path, query }) => {
    const { limit, after } = query;
    const { id } = await findEndpoint(descriptions, caller.account, path.webhook_endpoint_id);
    return pageObject(await deliveries.page(id, limit, after), deliveryObject);
  },
);
