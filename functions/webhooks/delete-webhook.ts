import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, endpoint, logger } from '../identity/authentication/endpoint.ts';
import { requestAction } from '../identity/domain/audit.ts';
import { AUDIT, KEYS, readEnvironment, WEBHOOKS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoWebhookChanges } from './adapters/dynamo-webhook-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { deletedEndpoint } from './api/webhook-object.ts';
import { removeEndpoint } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOKS, ...AUDIT };
const { WEBHOOK_ENDPOINT_TABLE, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const endpoints = dynamoWebhookChanges(WEBHOOK_ENDPOINT_TABLE, auditTrail(client, AUDIT_TABLE, logger));

export const handler = endpoint(WEBHOOK_ENDPOINTS.deleteWebhookEndpoint, async (request) => {
  const id = request.path.webhook_endpoint_id;
  await removeEndpoint(endpoints, requestAction(request), id);
  return ok(deletedEndpoint(id));
});
