import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment, WEBHOOKS } from '../platform/runtime/environment.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { endpointObject } from './api/webhook-object.ts';
import { findEndpoint } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOKS };
const { WEBHOOK_ENDPOINT_TABLE } = readEnvironment(ENVIRONMENT);
const descriptions = dynamoWebhookDescriptions(client, WEBHOOK_ENDPOINT_TABLE, logger);

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.getWebhookEndpoint, async ({ caller, path }) =>
  endpointObject(await findEndpoint(descriptions, caller.account, path.webhook_endpoint_id)),
);
