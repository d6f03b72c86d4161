import { nativeEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { nativeModelList } from './api/models.ts';

export const ENVIRONMENT = KEYS;
const { KEY_TABLE } = readEnvironment(ENVIRONMENT);

export const handler = nativeEndpoint(dynamoClient(), KEY_TABLE, async ({ query }) =>
  ok(nativeModelList(query)),
);
