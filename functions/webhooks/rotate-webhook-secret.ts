import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { AUDIT, KEYS, readEnvironment, WEBHOOK_SECRETS } from '../platform/runtime/environment.ts';
import { dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { endpointWithSecret } from './api/webhook-object.ts';
import { rotateSecret } from './usecases/manage-webhooks.ts';
import { createWebhookSecrets } from './webhook-endpoints.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_SECRETS, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const endpoints = {
  ...dynamoWebhookDescriptions(client, environment.WEBHOOK_ENDPOINT_TABLE, logger),
  ...createWebhookSecrets(client, environment),
};

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.rotateWebhookSecret, async ({ path, body, action }) => {
  const id = path.webhook_endpoint_id;
  const keepsOld = body.keep_old_secret_active_for_24_hours ?? false;
  const rotated = await rotateSecret(endpoints, action, id, keepsOld);
  return endpointWithSecret(rotated.endpoint, rotated.secret);
});
