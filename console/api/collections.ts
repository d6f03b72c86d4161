import type { CollectionList, CollectionObject } from '../../functions/library/api/collection-object.ts';
import { createQuery } from './query.ts';
import { getJson, sendJson } from './request.ts';
import { updateEntry } from './update-entry.ts';

const PATH = '/v1/collections';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

const fetchCollections = async (signal?: AbortSignal): Promise<readonly CollectionObject[]> =>
  (await getJson<CollectionList>(PATH, signal)).data;

/** All collections of the account, the newest first. */
export const collections = createQuery<[], readonly CollectionObject[]>((signal) => fetchCollections(signal));

type CollectionChange = Partial<Pick<CollectionObject, 'name' | 'item_ids' | 'cover_id'>>;

export const createCollection = async (
  name: string,
  itemIds: readonly string[] = [],
): Promise<CollectionObject> => {
  const created = await sendJson<CollectionObject>('POST', PATH, { name, item_ids: itemIds });
  updateEntry(collections.entry(), (known) => [created, ...known]);
  return created;
};

const showChange = (id: string, change: CollectionChange): void =>
  updateEntry(collections.entry(), (known) =>
    known.map((collection) => (collection.id === id ? { ...collection, ...change } : collection)),
  );

let lastChange: Promise<unknown> = Promise.resolve();

/** Shown at once. Changes are sent one after the other, because each move sends the whole order. */
export const changeCollection = async (id: string, change: CollectionChange): Promise<void> => {
  showChange(id, change);
  const own = lastChange.then(() => sendJson<CollectionObject>('POST', pathOf(id), change));
  const settled = own.catch(() => {});
  lastChange = settled;
  try {
    const changed = await own;
    if (lastChange === settled) showChange(id, changed);
  } catch (error) {
    void collections.invalidate();
    throw error;
  }
};

/** Reads the collection first, because another person may have changed it. Undefined if it was deleted. */
export const addToCollection = async (
  id: string,
  itemIds: readonly string[],
): Promise<CollectionObject | undefined> => {
  const found = (await fetchCollections()).find((collection) => collection.id === id);
  if (found === undefined) {
    void collections.invalidate();
    return undefined;
  }
  const all = new Set([...found.item_ids, ...itemIds]);
  if (all.size > found.item_ids.length) await changeCollection(id, { item_ids: [...all] });
  return found;
};

export const deleteCollection = async (id: string): Promise<void> => {
  await sendJson('DELETE', pathOf(id));
  updateEntry(collections.entry(), (known) => known.filter((collection) => collection.id !== id));
};
