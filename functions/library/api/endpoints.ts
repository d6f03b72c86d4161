import { declareFor, POST } from '../../identity/api/declare-endpoint.ts';
import { collectionChangeSchema, newCollectionSchema } from './collection-object.ts';
import { itemChangeSchema } from './item-object.ts';

const collections = declareFor('collections');

export const LIBRARY_ENDPOINTS = {
  listCollections: collections.GET('/v1/collections', 'List collections', 'viewer'),
  createCollection: collections.POST('/v1/collections', 'Create a collection', 'member', {
    body: newCollectionSchema,
  }),
  updateCollection: collections.POST(
    '/v1/collections/{collection_id}',
    'Rename a collection, or change its items, their order or its cover',
    'member',
    { body: collectionChangeSchema },
  ),
  deleteCollection: collections.DELETE('/v1/collections/{collection_id}', 'Delete a collection', 'member'),
  updateItem: POST('/v1/library/{item_id}', 'Rename, keep or release a video or image', 'member', {
    body: itemChangeSchema,
  }),
};
