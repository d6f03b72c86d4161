import type { APIGatewayProxyEvent } from 'aws-lambda';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { endpoint, logger } from '../identity/authentication/endpoint.ts';
import { requestOrigin } from '../identity/domain/audit.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { AUDIT, KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoCollectionChanges, dynamoCollections } from './adapters/dynamo-collections.ts';
import {
  collectionObject,
  deletedCollection,
  readCollectionChange,
  readNewCollection,
} from './api/collection-object.ts';
import * as endpoints from './api/endpoints.ts';
import { createCollection, deleteCollection, updateCollection } from './usecases/manage-collections.ts';

/** Creates, changes and deletes collections, which need the same permissions. */

export const ENVIRONMENT = { ...KEYS, ...AUDIT, FILE_TABLE: text };
const { KEY_TABLE, FILE_TABLE, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const dependencies = {
  collections: {
    ...dynamoCollections(client, FILE_TABLE, logger),
    ...dynamoCollectionChanges(FILE_TABLE, auditTrail(client, AUDIT_TABLE, logger)),
  },
  now: Date.now,
};

const create = endpoint(endpoints.createCollection, client, KEY_TABLE, async (request) => {
  const change = readNewCollection(request.body);
  return ok(
    collectionObject(
      await createCollection(dependencies, request.caller.account, change, requestOrigin(request)),
    ),
  );
});

const update = endpoint(endpoints.updateCollection, client, KEY_TABLE, async (request) => {
  const { caller, path, body } = request;
  const change = readCollectionChange(body);
  const changed = await updateCollection(
    dependencies,
    caller.account,
    path.collection_id,
    change,
    requestOrigin(request),
  );
  return ok(collectionObject(changed));
});

const remove = endpoint(endpoints.deleteCollection, client, KEY_TABLE, async (request) => {
  const id = request.path.collection_id;
  await deleteCollection(dependencies, request.caller.account, id, requestOrigin(request));
  return ok(deletedCollection(id));
});

export const handler = (event: APIGatewayProxyEvent) => {
  if (event.httpMethod === 'DELETE') return remove(event);
  return event.resource === endpoints.createCollection.path ? create(event) : update(event);
};
