import { jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { KEYS } from '../platform/runtime/environment.ts';
import { WEBHOOK_ENDPOINTS } from './api/endpoints.ts';
import { eventTypeList } from './api/webhook-object.ts';

export const ENVIRONMENT = KEYS;

export const handler = jsonEndpoint(WEBHOOK_ENDPOINTS.listWebhookEventTypes, async () => eventTypeList());
