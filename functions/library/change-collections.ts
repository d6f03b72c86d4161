import type { APIGatewayProxyEvent } from 'aws-lambda';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { AUDIT, KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { dynamoCollectionChanges, dynamoCollections } from './adapters/dynamo-collections.ts';
import {
  collectionObject,
  deletedCollection,
  readCollectionChange,
  readNewCollection,
} from './api/collection-object.ts';
import { LIBRARY_ENDPOINTS } from './api/endpoints.ts';
import { createCollection, deleteCollection, updateCollection } from './usecases/manage-collections.ts';

/** Creates, changes and deletes collections, which need the same permissions. */

export const ENVIRONMENT = { ...KEYS, ...AUDIT, FILE_TABLE: text };
const { FILE_TABLE, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const collections = {
  ...dynamoCollections(client, FILE_TABLE, logger),
  ...dynamoCollectionChanges(FILE_TABLE, auditTrail(client, AUDIT_TABLE, logger)),
};

const create = jsonEndpoint(LIBRARY_ENDPOINTS.createCollection, async ({ body, action }) => {
  const change = readNewCollection(body);
  return collectionObject(await createCollection(collections, action, change));
});

const update = jsonEndpoint(LIBRARY_ENDPOINTS.updateCollection, async ({ path, body, action }) => {
  const change = readCollectionChange(body);
  return collectionObject(await updateCollection(collections, action, path.collection_id, change));
});

const remove = jsonEndpoint(LIBRARY_ENDPOINTS.deleteCollection, async ({ path, action }) => {
  const id = path.collection_id;
  await deleteCollection(collections, action, id);
  return deletedCollection(id);
});

export const handler = (event: APIGatewayProxyEvent) => {
  if (event.httpMethod === 'DELETE') return remove(event);
  return event.resource === LIBRARY_ENDPOINTS.createCollection.path ? create(event) : update(event);
};
