import type { Endpoint } from '../../identity/api/endpoint.ts';
import { collectionChangeSchema, newCollectionSchema } from './collection-object.ts';
import { itemChangeSchema } from './item-object.ts';

export const updateItem = {
  method: 'POST',
  path: '/v1/library/{item_id}',
  summary: 'Rename, keep or release a video or image',
  role: 'member',
  body: itemChangeSchema,
} as const satisfies Endpoint;

export const listCollections = {
  method: 'GET',
  path: '/v1/collections',
  summary: 'List collections',
  role: 'viewer',
} as const satisfies Endpoint;

export const createCollection = {
  method: 'POST',
  path: '/v1/collections',
  summary: 'Create a collection',
  role: 'member',
  body: newCollectionSchema,
} as const satisfies Endpoint;

export const updateCollection = {
  method: 'POST',
  path: '/v1/collections/{collection_id}',
  summary: 'Rename a collection, or change its items, their order or its cover',
  role: 'member',
  body: collectionChangeSchema,
} as const satisfies Endpoint;

export const deleteCollection = {
  method: 'DELETE',
  path: '/v1/collections/{collection_id}',
  summary: 'Delete a collection',
  role: 'member',
} as const satisfies Endpoint;

export const LIBRARY_ENDPOINTS = {
  listCollections,
  createCollection,
  updateCollection,
  deleteCollection,
  updateItem,
};
