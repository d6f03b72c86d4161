import type { CollectionList, CollectionObject } from '../../functions/library/api/collection-object.ts';
import { createQuery } from './query.ts';
import { getJson, sendJson } from './request.ts';
import { updateEntry } from './update-entry.ts';

const PATH = '/v1/collections';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

export const collections = createQuery<[], readonly CollectionObject[]>(
  async (signal) => (await getJson<CollectionList>(PATH, signal)).data,
);

export type CollectionChange = {
  readonly name?: string;
  readonly add_item_ids?: readonly string[];
  readonly remove_item_ids?: readonly string[];
  readonly order?: readonly string[];
  readonly cover_id?: string;
};

export const createCollection = async (
  name: string,
  itemIds: readonly string[] = [],
): Promise<CollectionObject> => {
  const created = await sendJson<CollectionObject>('POST', PATH, { name, item_ids: itemIds });
  updateEntry(collections.entry(), (known) => [created, ...known]);
  return created;
};

const show = (id: string, change: Partial<CollectionObject>): void =>
  updateEntry(collections.entry(), (known) =>
    known.map((collection) => (collection.id === id ? { ...collection, ...change } : collection)),
  );

let lastChange: Promise<unknown> = Promise.resolve();

/** Shown at once, if it is known how. Changes are sent one after the other, because each move sends the whole order. */
export const changeCollection = async (
  id: string,
  change: CollectionChange,
  shown: Partial<CollectionObject> = {},
): Promise<CollectionObject> => {
  show(id, shown);
  const own = lastChange.then(() => sendJson<CollectionObject>('POST', pathOf(id), change));
  const settled = own.catch(() => {});
  lastChange = settled;
  try {
    const changed = await own;
    if (lastChange === settled) show(id, changed);
    return changed;
  } catch (error) {
    void collections.invalidate();
    throw error;
  }
};

export const deleteCollection = async (id: string): Promise<void> => {
  await sendJson('DELETE', pathOf(id));
  updateEntry(collections.entry(), (known) => known.filter((collection) => collection.id !== id));
};
