import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { AUDIT, KEYS, readEnvironment, WEBHOOKS } from '../platform/runtime/environment.ts';
import { dynamoWebhookChanges } from './adapters/dynamo-webhook-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { deletedEndpoint } from './api/webhook-schema.ts';
import { removeEndpoint } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOKS, ...AUDIT };
const { WEBHOOK_ENDPOINT_TABLE, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const endpoints = dynamoWebhookChanges(WEBHOOK_ENDPOINT_TABLE, auditTrail(client, AUDIT_TABLE, logger));

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.deleteWebhookEndpoint, async ({ path, action }) => {
  const id = path.webhook_endpoint_id;
  await removeEndpoint(endpoints, action, id);
  return deletedEndpoint(id);
});
