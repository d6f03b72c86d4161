import type { StorageLimit } from '../../functions/billing/api/storage-object.ts';
import type { ItemObject } from '../../functions/library/api/item-object.ts';
import { files, galleryPages, imagePages } from './images.ts';
import { createQuery, type Entry } from './query.ts';
import { getJson, sendJson } from './request.ts';
import { updateEntry } from './update-entry.ts';
import { recentVideos, videoPages, videos } from './videos.ts';

export type ItemChange = { readonly name?: string | null; readonly kept?: boolean };

type Shown = { readonly id: string };
type Page<Item> = { readonly data: readonly Item[] };

/** The known lists and details show the change at once; items that no list has loaded are not fetched for it. */
const showChange = ({ id, name, kept, expires_at }: ItemObject): void => {
  const change = { name, kept, expires_at };
  const inItem = <Item extends Shown>(item: Item): Item => (item.id === id ? { ...item, ...change } : item);
  const inPages = <Item extends Shown, List extends Page<Item>>(entry: Entry<readonly List[]>): void => {
    const { data } = entry.snapshot();
    if (data?.some((page) => page.data.some((item) => item.id === id)) !== true) return;
    updateEntry(entry, (pages) => pages.map((page) => ({ ...page, data: page.data.map(inItem) })));
  };
  for (const entry of videoPages.entries()) inPages(entry);
  for (const entry of imagePages.entries()) inPages(entry);
  for (const entry of galleryPages.entries()) inPages(entry);
  for (const query of [videos, files])
    for (const entry of query.entries()) if (entry.snapshot().data?.id === id) void entry.invalidate();
  void recentVideos.invalidate();
};

export const updateItem = async (id: string, change: ItemChange): Promise<ItemObject> => {
  const item = await sendJson<ItemObject>('POST', `/v1/library/${encodeURIComponent(id)}`, change);
  showChange(item);
  if (change.kept !== undefined) void storage.invalidate();
  return item;
};

const storagePath = (projectId: string): string =>
  `/v1/organization/projects/${encodeURIComponent(projectId)}/storage_limit`;

export const storage = createQuery<[projectId: string], StorageLimit>((signal, [projectId]) =>
  getJson(storagePath(projectId), signal),
);

export const setStorageLimit = async (projectId: string, megabytes: number | null): Promise<void> =>
  storage
    .entry(projectId)
    .set(await sendJson<StorageLimit>('POST', storagePath(projectId), { limit_megabytes: megabytes }));
