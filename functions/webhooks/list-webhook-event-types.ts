import { endpoint } from '../identity/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { listWebhookEventTypes } from './api/endpoints.ts';
import { eventTypeList } from './api/webhook-object.ts';

export const ENVIRONMENT = KEYS;
const { KEY_TABLE } = readEnvironment(ENVIRONMENT);

export const handler = endpoint(listWebhookEventTypes, dynamoClient(), KEY_TABLE, async () =>
  ok(eventTypeList()),
);
