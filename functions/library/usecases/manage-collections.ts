import { type Action, auditEntry } from '../../identity/domain/audit.ts';
import { retryOvertaken } from '../../platform/domain/conflicts.ts';
import { DomainError, invalidField, notFound } from '../../platform/domain/errors.ts';
import {
  type Collection,
  type CollectionChange,
  type Collections,
  changeItems,
  isCollectionId,
  MAX_COLLECTED,
  MAX_COLLECTIONS,
  newCollectionId,
} from '../domain/collections.ts';

export const findCollection = async (
  collections: Pick<Collections, 'find'>,
  account: string,
  id: string,
): Promise<Collection> => {
  const found = isCollectionId(id) ? await collections.find(account, id) : undefined;
  if (found !== undefined) return found;
  throw notFound('Collection', id, 'collection_id');
};

/** A cover that is no longer an item gives its place to the first item. */
const withCover = (collection: Collection, coverId: string | null | undefined): Collection => {
  if (typeof coverId === 'string' && !collection.itemIds.includes(coverId))
    throw invalidField('cover_id', 'cover_id must be an item of the collection.');
  const wanted = coverId === undefined ? collection.coverId : (coverId ?? undefined);
  const isThere = wanted !== undefined && collection.itemIds.includes(wanted);
  return { ...collection, coverId: isThere ? wanted : undefined };
};

const details = ({ name, itemIds }: Collection) => ({ name, items: itemIds.length });

export const createCollection = async (
  collections: Pick<Collections, 'list' | 'create'>,
  action: Action,
  { name, added = [], coverId }: CollectionChange,
): Promise<Collection> => {
  const { account, at } = action;
  if (name === undefined) throw invalidField('name', 'name is required.');
  if ((await collections.list(account)).length >= MAX_COLLECTIONS)
    throw new DomainError(
      'collection_limit',
      `An account can have ${MAX_COLLECTIONS} collections. Delete one with DELETE /v1/collections/{collection_id}.`,
    );
  const id = newCollectionId(at);
  const created = withCover({ id, account, name, itemIds: added, createdAt: at, updatedAt: at }, coverId);
  await collections.create(created, auditEntry(action, 'collection.created', id, details(created)));
  return created;
};

export const updateCollection = (
  collections: Pick<Collections, 'find' | 'replace'>,
  action: Action,
  id: string,
  change: CollectionChange,
): Promise<Collection> =>
  retryOvertaken(`collection ${id}`, async () => {
    const before = await findCollection(collections, action.account, id);
    // Two changes in one millisecond must differ, so that the second does not undo the first.
    const updatedAt = Math.max(action.at, before.updatedAt + 1);
    const { name = before.name, coverId } = change;
    const itemIds = changeItems(before.itemIds, change);
    if (itemIds.length > MAX_COLLECTED)
      throw invalidField('add_item_ids', `A collection can have ${MAX_COLLECTED} items.`);
    const next = withCover({ ...before, name, itemIds, updatedAt }, coverId);
    const entry = auditEntry(action, 'collection.updated', id, details(next));
    return (await collections.replace(next, before, entry)) ? next : undefined;
  });

/** The items stay; only their collection is deleted. */
export const deleteCollection = async (
  collections: Pick<Collections, 'find' | 'remove'>,
  action: Action,
  id: string,
): Promise<void> => {
  await retryOvertaken(`collection ${id}`, async () => {
    const found = await findCollection(collections, action.account, id);
    const entry = auditEntry(action, 'collection.deleted', id, details(found));
    return (await collections.remove(found, entry)) ? found : undefined;
  });
};
