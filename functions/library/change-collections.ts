import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { endpoint, logger } from '../identity/authentication/endpoint.ts';
import { requestOrigin } from '../identity/domain/audit.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { AUDIT, KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoCollectionChanges, dynamoCollections } from './adapters/dynamo-collections.ts';
import {
  collectionChangeSchema,
  collectionObject,
  deletedCollection,
  newCollectionSchema,
  readCollectionChange,
} from './api/collection-object.ts';
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

export const handler = endpoint(client, KEY_TABLE, async (request) => {
  const { caller, method, route, path, header, body } = request;
  const { account } = caller;
  const origin = requestOrigin(request);
  if (method === 'DELETE') {
    const id = path('collection_id');
    await deleteCollection(dependencies, account, id, origin);
    return ok(deletedCollection(id));
  }
  const read = (schema: typeof newCollectionSchema | typeof collectionChangeSchema) =>
    readCollectionChange(parseBody(schema, readJsonContent(header('content-type'), body)));
  return ok(
    collectionObject(
      route.endsWith('{collection_id}')
        ? await updateCollection(
            dependencies,
            account,
            path('collection_id'),
            read(collectionChangeSchema),
            origin,
          )
        : await createCollection(dependencies, account, read(newCollectionSchema), origin),
    ),
  );
});
