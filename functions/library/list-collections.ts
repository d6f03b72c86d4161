import { endpoint, logger } from '../identity/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoCollections } from './adapters/dynamo-collections.ts';
import { collectionList } from './api/collection-object.ts';
import { listCollections } from './api/endpoints.ts';

export const ENVIRONMENT = { ...KEYS, FILE_TABLE: text };
const { KEY_TABLE, FILE_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const collections = dynamoCollections(client, FILE_TABLE, logger);

export const handler = endpoint(listCollections, client, KEY_TABLE, async ({ caller }) =>
  ok(collectionList(await collections.list(caller.account))),
);
