import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { endpoint, logger } from '../identity/authentication/endpoint.ts';
import { requestAction } from '../identity/domain/audit.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { AUDIT, KEYS, readEnvironment, WEBHOOK_ENDPOINTS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoWebhookChanges } from './adapters/dynamo-webhook-endpoints.ts';
import { deleteWebhookEndpoint } from './api/endpoints.ts';
import { deletedEndpoint } from './api/webhook-object.ts';
import { removeEndpoint } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_ENDPOINTS, ...AUDIT };
const { KEY_TABLE, WEBHOOK_ENDPOINT_TABLE, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const endpoints = dynamoWebhookChanges(WEBHOOK_ENDPOINT_TABLE, auditTrail(client, AUDIT_TABLE, logger));

export const handler = endpoint(deleteWebhookEndpoint, client, KEY_TABLE, async (request) => {
  const id = request.path.webhook_endpoint_id;
  await removeEndpoint(endpoints, requestAction(request), id);
  return ok(deletedEndpoint(id));
});
