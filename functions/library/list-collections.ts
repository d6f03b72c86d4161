import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { dynamoCollections } from './adapters/dynamo-collections.ts';
import { collectionList } from './api/collection-object.ts';
import { LIBRARY_ENDPOINTS } from './api/endpoints.ts';

export const ENVIRONMENT = { ...KEYS, FILE_TABLE: text };
const { FILE_TABLE } = readEnvironment(ENVIRONMENT);
const collections = dynamoCollections(client, FILE_TABLE, logger);

export const handler = jsonEndpoint(LIBRARY_ENDPOINTS.listCollections, async ({ caller }) =>
  collectionList(await collections.list(caller.account)),
);
