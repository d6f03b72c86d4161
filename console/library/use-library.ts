import { useMemo } from 'preact/hooks';
import { usePages, useQuery } from '../api/hooks.ts';
import { imagePages } from '../api/images.ts';
import { createQuery, type PagedQuery } from '../api/query.ts';
import { updateEntry } from '../api/update-entry.ts';
import { isUnfinished, videoPages } from '../api/videos.ts';
import {
  type ListPage,
  mergePages,
  mergeSources,
  nextSource,
  toImageItem,
  toSource,
  toVideoItem,
  withoutItems,
} from './items.ts';
import { type Filters, toImageFilter, toTaskFilter } from './library-filters.tsx';

const UNFINISHED_POLL_MS = 4000;
const POLL_MS = 15_000;
/** The number of pages refreshed at a time besides the first. */
const MAX_PAGES = 3;

/** Keeps a list up to date: new items, and unfinished items on every page. */
const liveQuery = <Filter, Page extends ListPage<{ readonly id: string }>>(
  query: PagedQuery<[filter: Filter], Page>,
  hasUnfinished: (page: Page) => boolean,
) => {
  const knownPages = (filter: Filter): readonly Page[] => query.entry(filter).snapshot().data ?? [];

  const refresh = async (signal: AbortSignal, [filter]: [filter: Filter]): Promise<number> => {
    const known = knownPages(filter);
    const others = known.flatMap((page, index) => (index > 0 && hasUnfinished(page) ? [index] : []));
    for (const index of known.length === 0 ? [] : [0, ...others.slice(0, MAX_PAGES)]) {
      const fresh = await query.loadPage([filter], known[index - 1]?.last_id ?? '', signal);
      const now = knownPages(filter);
      if (now.length > 0) query.entry(filter).set(mergePages(now, index, fresh));
    }
    return known.length;
  };

  return createQuery(refresh, {
    initial: 0,
    staleMs: Number.POSITIVE_INFINITY,
    pollMs: (_, [filter]) => (knownPages(filter).some(hasUnfinished) ? UNFINISHED_POLL_MS : POLL_MS),
  });
};

const liveVideos = liveQuery(videoPages, ({ data }) => data.some(isUnfinished));
const liveImages = liveQuery(imagePages, () => false);

/** The videos and images of the account that pass the filters, newest first, kept up to date. */
export const useLibrary = (filters: Filters) => {
  const taskFilter = toTaskFilter(filters);
  const imageFilter = toImageFilter(filters);
  const videos = usePages(videoPages, taskFilter);
  const images = usePages(imagePages, imageFilter);
  const live = [useQuery(liveVideos, taskFilter), useQuery(liveImages, imageFilter)];
  const lists = [videos, images];

  const sources = useMemo(
    () => [
      // A list that cannot be loaded does not hold back the other one.
      videos.data === undefined && videos.error !== null ? NOTHING : toSource(videos.data, toVideoItem),
      images.data === undefined && images.error !== null ? NOTHING : toSource(images.data, toImageItem),
    ],
    [videos.data, videos.error, images.data, images.error],
  );
  const items = useMemo(() => mergeSources(sources), [sources]);
  const next = lists[nextSource(sources)];
  const errors = [...lists, ...live].map(({ error }) => error);
  const isReady = lists.every(({ data, error }) => data !== undefined || error !== null);

  return {
    /** Undefined until the first pages have arrived. */
    items: isReady ? items : undefined,
    error: errors.find((error) => error !== null) ?? null,
    refetch: () => {
      for (const { refetch } of lists) refetch();
    },
    hasMore: next !== undefined,
    isLoadingMore: lists.some(({ isLoadingMore }) => isLoadingMore),
    loadMore: () => void next?.loadMore(),
  };
};

export type LoadedLibrary = ReturnType<typeof useLibrary>;

const NOTHING = { items: [], completeTo: undefined };

/** Removes deleted items from what is shown; other lists are loaded again. */
export const forgetItems = (filters: Filters, ids: ReadonlySet<string>): void => {
  updateEntry(videoPages.entry(toTaskFilter(filters)), (pages) => withoutItems(pages, ids));
  updateEntry(imagePages.entry(toImageFilter(filters)), (pages) => withoutItems(pages, ids));
};
