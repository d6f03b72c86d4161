import { nativeEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { nativeModelList } from './api/native-models.ts';

const { KEY_TABLE } = readEnvironment(ENVIRONMENTS['list-native-models']);

export const handler = nativeEndpoint(dynamoClient(), KEY_TABLE, async ({ query }) =>
  ok(nativeModelList(query)),
);
