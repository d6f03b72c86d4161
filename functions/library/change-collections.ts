import type { APIGatewayProxyEvent } from 'aws-lambda';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, endpoint, logger } from '../identity/authentication/endpoint.ts';
import { requestAction } from '../identity/domain/audit.ts';
import { AUDIT, KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
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

const create = endpoint(LIBRARY_ENDPOINTS.createCollection, async (request) => {
  const change = readNewCollection(request.body);
  return ok(collectionObject(await createCollection(collections, requestAction(request), change)));
});

const update = endpoint(LIBRARY_ENDPOINTS.updateCollection, async (request) => {
  const { path, body } = request;
  const change = readCollectionChange(body);
  const action = requestAction(request);
  return ok(collectionObject(await updateCollection(collections, action, path.collection_id, change)));
});

const remove = endpoint(LIBRARY_ENDPOINTS.deleteCollection, async (request) => {
  const id = request.path.collection_id;
  await deleteCollection(collections, requestAction(request), id);
  return ok(deletedCollection(id));
});

export const handler = (event: APIGatewayProxyEvent) => {
  if (event.httpMethod === 'DELETE') return remove(event);
  return event.resource === LIBRARY_ENDPOINTS.createCollection.path ? create(event) : update(event);
};
