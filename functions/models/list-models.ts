import { endpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { modelList } from './api/models.ts';

const { KEY_TABLE, MODEL_ALIASES } = readEnvironment(ENVIRONMENTS['list-models']);

export const handler = endpoint(dynamoClient(), KEY_TABLE, async () => ok(modelList(MODEL_ALIASES)));
