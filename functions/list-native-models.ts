import { dynamoClient } from './adapters/aws-clients.ts';
import { nativeModelList } from './api/native-models.ts';
import { nativeEndpoint } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';

const { KEY_TABLE } = readEnvironment(ENVIRONMENTS['list-native-models']);

export const handler = nativeEndpoint(dynamoClient(), KEY_TABLE, async ({ query }) =>
  ok(nativeModelList(query)),
);
