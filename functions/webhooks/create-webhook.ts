import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { sealedWithSecret } from '../platform/aws/secret.ts';
import { AUDIT, KEYS, readEnvironment, WEBHOOK_SECRETS } from '../platform/runtime/environment.ts';
import { dynamoWebhookSecrets } from './adapters/dynamo-webhook-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { endpointWithSecret } from './api/webhook-object.ts';
import { createEndpoint } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_SECRETS, ...AUDIT };
const { WEBHOOK_ENDPOINT_TABLE, WEBHOOK_SECRET_ARN, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const endpoints = dynamoWebhookSecrets(
  WEBHOOK_ENDPOINT_TABLE,
  sealedWithSecret(WEBHOOK_SECRET_ARN),
  auditTrail(client, AUDIT_TABLE, logger),
);

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.createWebhookEndpoint, async ({ body, action }) => {
  const { name, url, event_types: eventTypes } = body;
  const { endpoint, secret } = await createEndpoint(endpoints, action, { name, url, eventTypes });
  return endpointWithSecret(endpoint, secret);
});
