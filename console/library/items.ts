import type { FileObject } from '../../functions/files/api/file-object.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { toError } from '../api/errors.ts';

const common = (
  content: VideoObject | FileObject,
  made: Pick<FileObject, 'api_key_id' | 'user_id'> = {},
) => ({
  id: content.id,
  createdAt: content.created_at,
  prompt: content.prompt ?? '',
  name: content.name ?? undefined,
  isKept: content.kept === true,
  /** When the file ends; null if the item is kept or has none. */
  expires_at: content.expires_at,
  model: content.model ?? '',
  size: content.size ?? '',
  charge: content.charge,
  keyId: made.api_key_id,
  /** Undefined if the key belonged to the account. */
  personId: made.user_id ?? undefined,
});

/** A video task or a generated image. */
export type LibraryItem = Readonly<ReturnType<typeof common>> &
  (
    | { readonly kind: 'video'; readonly video: VideoObject }
    | { readonly kind: 'image'; readonly image: FileObject }
  );

export const isImageId = (id: string): boolean => id.startsWith('file_');

/** One object per response, so that what has not changed is not rendered again. */
const known = new WeakMap<object, LibraryItem>();

const remember = (key: object, item: LibraryItem): LibraryItem => {
  const existing = known.get(key) ?? item;
  known.set(key, existing);
  return existing;
};

export const toVideoItem = (video: VideoObject): LibraryItem =>
  remember(video, { ...common(video, video.request), kind: 'video', video });

export const toImageItem = (image: FileObject): LibraryItem =>
  remember(image, { ...common(image, image), kind: 'image', image });

/** A page of a list that can be continued after `last_id`. */
export type ListPage<Item> = {
  readonly data: readonly Item[];
  readonly last_id: string | null;
  readonly has_more: boolean;
};
type Identified = { readonly id: string };

/** The new first page, followed by the known items that it does not reach. */
const mergeFirst = <Page extends ListPage<Identified>>(known: Page, fresh: Page): Page | undefined => {
  const ids = new Set(fresh.data.map(({ id }) => id));
  const end = known.data.findLastIndex(({ id }) => ids.has(id));
  return end < 0 ? undefined : { ...known, data: [...fresh.data, ...known.data.slice(end + 1)] };
};

/** Replaces one page. A new first page that does not overlap the known one, or is the last, replaces all pages. */
export const mergePages = <Page extends ListPage<Identified>>(
  pages: readonly Page[],
  index: number,
  fresh: Page,
): readonly Page[] => {
  const known = pages[index];
  if (known === undefined) return pages;
  if (index > 0) return pages.with(index, { ...fresh, last_id: known.last_id, has_more: known.has_more });
  const first = fresh.has_more ? mergeFirst(known, fresh) : undefined;
  return first === undefined ? [fresh] : pages.with(0, first);
};

/** All items without duplicates: after a deletion, a page overlaps the next one. */
export const uniqueItems = <Item extends Identified>(pages: readonly ListPage<Item>[]): readonly Item[] => {
  const items = new Map<string, Item>();
  for (const item of pages.flatMap(({ data }) => data)) if (!items.has(item.id)) items.set(item.id, item);
  return [...items.values()];
};

export const withoutItems = <Page extends ListPage<Identified>>(
  pages: readonly Page[],
  ids: ReadonlySet<string>,
): readonly Page[] => pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => !ids.has(id)) }));

/** One of the lists that the library merges, as far as it is loaded. */
export type Source = {
  readonly items: readonly LibraryItem[];
  /** The creation time down to which the list is complete; undefined if nothing is missing. */
  readonly completeTo: number | undefined;
};

export const toSource = <Item extends { readonly id: string }>(
  pages: readonly ListPage<Item>[] | undefined,
  toItem: (item: Item) => LibraryItem,
): Source => {
  if (pages === undefined) return { items: [], completeTo: Number.POSITIVE_INFINITY };
  const items = uniqueItems(pages).map(toItem);
  if (pages.at(-1)?.has_more !== true) return { items, completeTo: undefined };
  return { items, completeTo: items.at(-1)?.createdAt ?? Number.POSITIVE_INFINITY };
};

/** Newest first. An item waits until all other lists are loaded as far as it, so that nothing appears above it later. */
export const mergeSources = (sources: readonly Source[]): readonly LibraryItem[] =>
  sources
    .flatMap((source) =>
      source.items.filter(({ createdAt }) =>
        sources.every(
          (other) => other === source || other.completeTo === undefined || createdAt > other.completeTo,
        ),
      ),
    )
    .toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));

/** The list that holds back the others, and so is loaded next; -1 if all are complete. */
export const nextSource = (sources: readonly Source[]): number => {
  const ends = sources.map(({ completeTo }) => completeTo ?? Number.NEGATIVE_INFINITY);
  const newest = Math.max(...ends);
  return newest === Number.NEGATIVE_INFINITY ? -1 : ends.indexOf(newest);
};

/** The outcome of an action on several items. */
export type Outcome = {
  readonly done: readonly LibraryItem[];
  readonly failed: readonly { readonly item: LibraryItem; readonly error: Error }[];
};

const AT_ONCE = 4;

/** Runs the action for every item, a few at a time. A failure does not stop the others. */
export const forEachItem = async (
  items: readonly LibraryItem[],
  act: (item: LibraryItem) => Promise<unknown>,
  onProgress: (count: number) => void,
  atOnce = AT_ONCE,
): Promise<Outcome> => {
  const [done, failed]: [LibraryItem[], { item: LibraryItem; error: Error }[]] = [[], []];
  const rest = [...items];
  const work = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      try {
        await act(item);
        done.push(item);
      } catch (error) {
        failed.push({ item, error: toError(error) });
      }
      onProgress(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, failed };
};
