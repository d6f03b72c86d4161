import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { type ApiPart, jsonContent, jsonResponse } from '../../platform/openapi/operation.ts';
import { pathParameter } from '../../platform/openapi/parameters.ts';
import { COLLECTION_ID } from '../domain/collections.ts';
import * as objects from './collection-object.ts';
import { LIBRARY_ENDPOINTS } from './endpoints.ts';
import { type ItemObject, itemChangeSchema, itemSchema } from './item-object.ts';

const SCHEMAS = {
  UpdateItem: itemChangeSchema,
  LibraryItem: itemSchema,
  CreateCollection: objects.newCollectionSchema,
  UpdateCollection: objects.collectionChangeSchema,
  Collection: objects.collectionSchema,
  CollectionList: objects.collectionListSchema,
  DeletedCollection: objects.deletedCollectionSchema,
};

const PARAMETERS = {
  CollectionId: pathParameter('collection_id', 'Identifier of the collection.', COLLECTION_ID),
  ItemId: pathParameter('item_id', 'Identifier of a video or of a generated image.'),
};

const EXAMPLE: ItemObject = {
  id: 'task_01kf0xw3g0a1b2c3d4e5f6g7h8',
  object: 'library.item',
  kind: 'video',
  name: 'Paper boat, final cut',
  kept: true,
  expires_at: null,
};

const COLLECTION = {
  id: 'collection_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'example',
  name: 'Boats',
  itemIds: [EXAMPLE.id, 'file_01kf0xw3g1a1b2c3d4e5f6g7h8'],
  createdAt: Date.UTC(2026, 0, 15, 9, 30),
  updatedAt: Date.UTC(2026, 0, 15, 9, 45),
};
const COLLECTION_EXAMPLE = { collection: objects.collectionObject(COLLECTION) };
const { name, itemIds: item_ids } = COLLECTION;

const OPERATIONS = toOperations(LIBRARY_ENDPOINTS, {
  listCollections: {
    description: 'All collections of the account, the newest first, with the ids of their items.',
    responses: jsonResponse('The collections.', 'CollectionList', {
      list: objects.collectionList([COLLECTION]),
    }),
  },
  createCollection: {
    description: 'Items are not moved or kept: an item can be in several collections, and ends as before.',
    body: jsonContent('CreateCollection', { boats: { name, item_ids } }),
    responses: jsonResponse('The collection.', 'Collection', COLLECTION_EXAMPLE),
    errors: ['unknown_parameter', 'collection_limit'],
  },
  updateCollection: {
    description: 'Changes at the same time do not undo each other.',
    body: jsonContent('UpdateCollection', {
      add: { add_item_ids: item_ids.slice(0, 1) },
      order: { order: item_ids.toReversed() },
      rename: { name },
    }),
    responses: jsonResponse('The collection.', 'Collection', COLLECTION_EXAMPLE),
    errors: ['unknown_parameter', 'not_found', 'concurrent_update'],
  },
  deleteCollection: {
    description: 'Its videos and images stay.',
    responses: jsonResponse('The collection is deleted.', 'DeletedCollection', {
      deleted: objects.deletedCollection(COLLECTION.id),
    }),
    errors: ['not_found', 'concurrent_update'],
  },
  updateItem: {
    description:
      'A kept item is stored until it is released or deleted, and counts towards the storage limit of the account. Input images of a video are not kept with it.',
    body: jsonContent('UpdateItem', { keep: { kept: true }, rename: { name: EXAMPLE.name } }),
    responses: jsonResponse('The item after the change.', 'LibraryItem', { kept: EXAMPLE }),
    errors: [
      'unknown_parameter',
      'video_not_found',
      'file_not_found',
      'video_not_ready',
      'video_failed',
      'video_expired',
      'concurrent_update',
      'insufficient_quota',
    ],
  },
});

export const LIBRARY_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
