import { dynamoClient } from './adapters/aws-clients.ts';
import { modelList } from './api/models.ts';
import { endpoint } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';

const { KEY_TABLE, MODEL_ALIASES } = readEnvironment(ENVIRONMENTS['list-models']);

export const handler = endpoint(dynamoClient(), KEY_TABLE, async () => ok(modelList(MODEL_ALIASES)));
