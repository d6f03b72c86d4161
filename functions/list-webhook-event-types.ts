import { dynamoClient } from './adapters/aws-clients.ts';
import { eventTypeList } from './api/webhooks/webhook-object.ts';
import { endpoint } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';

const { KEY_TABLE } = readEnvironment(ENVIRONMENTS['list-webhook-event-types']);

export const handler = endpoint(dynamoClient(), KEY_TABLE, async () => ok(eventTypeList()));
