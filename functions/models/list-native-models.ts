import { nativeEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ALIASES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { nativeModelList } from './api/native-models.ts';

export const ENVIRONMENT = { ...KEYS, ...ALIASES };
const { KEY_TABLE, MODEL_ALIASES } = readEnvironment(ENVIRONMENT);

export const handler = nativeEndpoint(dynamoClient(), KEY_TABLE, async ({ query }) =>
  ok(nativeModelList(MODEL_ALIASES, query)),
);
