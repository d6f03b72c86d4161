import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { AUDIT, KEYS, readEnvironment, WEBHOOKS } from '../platform/runtime/environment.ts';
import { dynamoWebhookChanges, dynamoWebhookDescriptions } from './adapters/dynamo-webhook-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { endpointObject } from './api/webhook-object.ts';
import { updateEndpoint } from './usecases/manage-webhooks.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOKS, ...AUDIT };
const { WEBHOOK_ENDPOINT_TABLE, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const endpoints = {
  ...dynamoWebhookDescriptions(client, WEBHOOK_ENDPOINT_TABLE, logger),
  ...dynamoWebhookChanges(WEBHOOK_ENDPOINT_TABLE, auditTrail(client, AUDIT_TABLE, logger)),
};

export const handler = jsonEndpoint(
  WEBHOOK_ENDPOINTS.updateWebhookEndpoint,
  async ({ path, body, action }) => {
    const id = path.webhook_endpoint_id;
    const { name, url, event_types: eventTypes } = body;
    const wanted = { name, url, eventTypes };
    return endpointObject(await updateEndpoint(endpoints, action, id, wanted));
  },
);
