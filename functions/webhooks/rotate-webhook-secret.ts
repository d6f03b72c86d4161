import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { sealedWithSecret } from '../platform/aws/secret.ts';
import { AUDIT, KEYS, readEnvironment, WEBHOOK_SECRETS } from '../platform/runtime/environment.ts';
import { dynamoWebhookDescriptions, dynamoWebhookSecrets } from './adapters/dynamo-webhook-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { endpointWithSecret } from './api/webhook-object.ts';
import { rotateSecret } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_SECRETS, ...AUDIT };
const { WEBHOOK_ENDPOINT_TABLE, WEBHOOK_SECRET_ARN, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const endpoints = {
  ...dynamoWebhookDescriptions(client, WEBHOOK_ENDPOINT_TABLE, logger),
  ...dynamoWebhookSecrets(
    WEBHOOK_ENDPOINT_TABLE,
    sealedWithSecret(WEBHOOK_SECRET_ARN),
    auditTrail(client, AUDIT_TABLE, logger),
  ),
};

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.rotateWebhookSecret, async ({ path, body, action }) => {
  const id = path.webhook_endpoint_id;
  const keepsOld = body.keep_old_secret_active_for_24_hours ?? false;
  const rotated = await rotateSecret(endpoints, action, id, keepsOld);
  return endpointWithSecret(rotated.endpoint, rotated.secret);
});
