import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { FileObject } from '../../functions/files/api/file-object.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { ApiError } from '../api/errors.ts';
import { useQuery } from '../api/hooks.ts';
import { filePath } from '../api/images.ts';
import { createQuery } from '../api/query.ts';
import { getJson } from '../api/request.ts';
import { isUnfinished, videoPath } from '../api/videos.ts';
import { isImageId, type LibraryItem, toImageItem, toVideoItem } from './items.ts';
import { useIsNear } from './poster.tsx';

const STALE_MS = 60_000;
const UNFINISHED_POLL_MS = 4000;

const loadItem = async (id: string, signal?: AbortSignal): Promise<LibraryItem> =>
  isImageId(id)
    ? toImageItem(await getJson<FileObject>(filePath(id), signal))
    : toVideoItem(await getJson<VideoObject>(videoPath(id), signal));

const items = createQuery<[id: string], LibraryItem | null>(
  async (signal, [id]) => (id === '' ? null : loadItem(id, signal)),
  {
    staleMs: STALE_MS,
    pollMs: (item) => (item?.kind === 'video' && isUnfinished(item.video) ? UNFINISHED_POLL_MS : undefined),
  },
);

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

type CollectedItem = {
  /** Undefined until it is loaded, and if it cannot be. */
  readonly item: LibraryItem | undefined;
  /** It was deleted or has expired: a collection keeps the ids of such items. */
  readonly isGone: boolean;
};

/** One item of a collection, which has only ids. It is loaded once its card comes near; null has none. */
export const useCollectedItem = (id: string | null, card: RefObject<HTMLElement>): CollectedItem => {
  const isNear = useIsNear(card);
  const wasNear = useRef(false);
  wasNear.current ||= isNear;
  const { data, error } = useQuery(items, wasNear.current ? (id ?? '') : '');
  return isGone(error) ? { item: undefined, isGone: true } : { item: data ?? undefined, isGone: false };
};

const AT_ONCE = 8;

export const loadItems = async (ids: readonly string[]): Promise<readonly LibraryItem[]> => {
  const found: LibraryItem[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const result of await Promise.allSettled(ids.slice(at, at + AT_ONCE).map((id) => loadItem(id))))
      if (result.status === 'fulfilled') found.push(result.value);
      else if (!isGone(result.reason)) throw result.reason;
  return found;
};

export const moveItem = (ids: readonly string[], id: string, to: number): string[] =>
  ids.filter((each) => each !== id).toSpliced(to, 0, id);
