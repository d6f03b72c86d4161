import * as z from 'zod/mini';
import { isFileId } from '../../files/domain/files.ts';
import { deletion, listObject, toListSchema } from '../../platform/api/pages.ts';
import { toSeconds } from '../../platform/api/parameters.ts';
import { fields, list, name, optional, text, timestamp } from '../../platform/body/schema.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import { isTaskId } from '../../platform/domain/ids.ts';
import {
  COLLECTION_ID,
  type Collection,
  type CollectionChange,
  MAX_COLLECTED,
} from '../domain/collections.ts';

const ids = (description: string) => optional(list(text(), MAX_COLLECTED), description);
const terms = {
  cover_id: optional(
    z.nullable(text()),
    'The item whose picture stands for the collection. Null: the first one.',
  ),
};

export const newCollectionSchema = fields({
  name: name(),
  item_ids: ids(`The videos and generated images in their order, each once: up to ${MAX_COLLECTED} ids.`),
  ...terms,
});
export const collectionChangeSchema = fields({
  name: optional(name(), 'Another name.'),
  add_item_ids: ids('Items to add at the end. Those that are there already stay in their place.'),
  remove_item_ids: ids('Items to remove.'),
  order: ids('Item ids in their new order. Items that are not named follow, in the order that they had.'),
  ...terms,
}).check(z.describe('The fields to change; at least one. Fields that are absent stay as they are.'));

export const collectionSchema = z
  .object({
    id: z.string().check(z.regex(COLLECTION_ID)),
    object: z.literal('library.collection'),
    name: z.string(),
    item_ids: z
      .array(z.string())
      .check(z.describe('In their order. An item that has ended or was deleted is still listed.')),
    cover_id: z.nullable(z.string()).check(z.describe('Null without items.')),
    created_at: timestamp('When the collection was created.'),
    updated_at: timestamp('When the collection was last changed.'),
  })
  .check(z.describe('Videos and images under a name.'));

export const collectionListSchema = toListSchema(collectionSchema, z.string(), z.literal(false)).check(
  z.describe('All collections of the account, the newest first.'),
);

export const { schema: deletedCollectionSchema, answer: deletedCollection } = deletion(
  'library.collection.deleted',
);

export type CollectionObject = z.infer<typeof collectionSchema>;
export type CollectionList = z.infer<typeof collectionListSchema>;

/** Ids are checked for their form only, because items come and go. */
const readItems = (field: string, ids: readonly string[] | undefined): readonly string[] | undefined => {
  const position = ids?.findIndex((id) => !isTaskId(id) && !isFileId(id)) ?? -1;
  if (position >= 0)
    throw invalidField(
      `${field}[${position}]`,
      `${field}[${position}] must be the id of a video or of an image.`,
    );
  if (ids !== undefined && new Set(ids).size < ids.length)
    throw invalidField(field, `${field} must name each item once.`);
  return ids;
};

export const readNewCollection = (given: z.output<typeof newCollectionSchema>): CollectionChange => ({
  name: given.name,
  added: readItems('item_ids', given.item_ids),
  coverId: given.cover_id,
});

export const readCollectionChange = (given: z.output<typeof collectionChangeSchema>): CollectionChange => {
  if (Object.values(given).every((value) => value === undefined))
    throw invalidField(
      'name',
      'Send at least one of name, add_item_ids, remove_item_ids, order and cover_id.',
    );
  return {
    name: given.name,
    added: readItems('add_item_ids', given.add_item_ids),
    removed: readItems('remove_item_ids', given.remove_item_ids),
    order: readItems('order', given.order),
    coverId: given.cover_id,
  };
};

export const collectionObject = (collection: Collection): CollectionObject => ({
  id: collection.id,
  object: 'library.collection',
  name: collection.name,
  item_ids: [...collection.itemIds],
  cover_id: collection.coverId ?? collection.itemIds[0] ?? null,
  created_at: toSeconds(collection.createdAt),
  updated_at: toSeconds(collection.updatedAt),
});

export const collectionList = (collections: readonly Collection[]): CollectionList =>
  listObject(collections.toReversed().map(collectionObject), false);
