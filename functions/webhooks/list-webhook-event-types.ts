import { endpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { eventTypeList } from './api/webhook-object.ts';

const { KEY_TABLE } = readEnvironment(ENVIRONMENTS['list-webhook-event-types']);

export const handler = endpoint(dynamoClient(), KEY_TABLE, async () => ok(eventTypeList()));
