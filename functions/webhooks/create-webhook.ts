import { client, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { AUDIT, KEYS, readEnvironment, WEBHOOK_SECRETS } from '../platform/runtime/environment.ts';
import { webhookUrlRules } from './adapters/webhook-sender.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { endpointWithSecret } from './api/webhook-object.ts';
import { newEndpointSchema } from './api/webhook-schema.ts';
import { createEndpoint } from './usecases/manage-webhooks.ts';
import { createWebhookSecrets } from './webhook-endpoints.ts';

export const ENVIRONMENT = { ...KEYS, ...WEBHOOK_SECRETS, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const endpoints = createWebhookSecrets(client, environment);
const schema = newEndpointSchema(webhookUrlRules());

export const handler = jsonEndpoint(
  WEBHOOK_ENDPOINTS.createWebhookEndpoint,
  async ({ header, body, action }) => {
    const {
      name,
      url,
      event_types: eventTypes,
    } = parseBody(schema, readJsonContent(header('content-type'), body));
    const settings = { name, url, eventTypes };
    const made = await createEndpoint(endpoints, action, settings);
    return endpointWithSecret(made.endpoint, made.secret);
  },
);
