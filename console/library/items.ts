import type { FileObject } from '../../functions/files/api/file-object.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { type ListPage, uniqueItems } from './merge-pages.ts';

/** A video task or a generated image. */
export type LibraryItem =
  | { readonly kind: 'video'; readonly id: string; readonly createdAt: number; readonly video: VideoObject }
  | { readonly kind: 'image'; readonly id: string; readonly createdAt: number; readonly image: FileObject };

export const itemPrompt = (item: LibraryItem): string =>
  item.kind === 'video' ? item.video.prompt : (item.image.prompt ?? '');

/** The person who made the item; undefined if the key belonged to the account. */
export const itemPerson = (item: LibraryItem): string | undefined =>
  (item.kind === 'video' ? item.video.request?.user_id : item.image.user_id) ?? undefined;

export const isImageId = (id: string): boolean => id.startsWith('file_');

/** One object per response, so that what has not changed is not rendered again. */
const known = new WeakMap<object, LibraryItem>();

const remember = (key: object, item: LibraryItem): LibraryItem => {
  const existing = known.get(key) ?? item;
  known.set(key, existing);
  return existing;
};

export const toVideoItem = (video: VideoObject): LibraryItem =>
  remember(video, { kind: 'video', id: video.id, createdAt: video.created_at, video });

export const toImageItem = (image: FileObject): LibraryItem =>
  remember(image, { kind: 'image', id: image.id, createdAt: image.created_at, image });

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
