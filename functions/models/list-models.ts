import { endpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ALIASES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { modelList } from './api/models.ts';

export const ENVIRONMENT = { ...KEYS, ...ALIASES };
const { KEY_TABLE, MODEL_ALIASES } = readEnvironment(ENVIRONMENT);

export const handler = endpoint(dynamoClient(), KEY_TABLE, async () => ok(modelList(MODEL_ALIASES)));
