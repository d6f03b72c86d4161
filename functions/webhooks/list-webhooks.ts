import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { pageObject } from '../platform/api/pages.ts';
import { KEYS, readEnvironment, WEBHOOKS } from '../platform/runtime/environment.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { endpointObject } from './api/webhook-object.ts';
import { listEndpoints } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOKS };
const { WEBHOOK_ENDPOINT_TABLE } = readEnvironment(ENVIRONMENT);
const descriptions = dynamoWebhookDescriptions(client, WEBHOOK_ENDPOINT_TABLE, logger);

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.listWebhookEndpoints, async ({ caller, query }) =>
  pageObject(await listEndpoints(descriptions, caller.account, query), endpointObject),
);
