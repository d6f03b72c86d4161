import { useMemo } from 'preact/hooks';
import { usePages, useQuery } from '../api/hooks.ts';
import { imagePages } from '../api/images.ts';
import { updateEntry } from '../api/update-entry.ts';
import { videoPages } from '../api/videos.ts';
import { type LibraryItem, mergeSources, nextSource, toImageItem, toSource, toVideoItem } from './items.ts';
import { type Filters, toImageFilter, toTaskFilter } from './library-filters.tsx';
import { liveImages, liveVideos } from './live-pages.ts';
import { withoutItems } from './merge-pages.ts';

type Library = {
  /** Undefined until the first pages have arrived. */
  readonly items: readonly LibraryItem[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
};

/** The videos and images of the account that pass the filters, newest first, kept up to date. */
export const useLibrary = (filters: Filters): Library => {
  const taskFilter = toTaskFilter(filters);
  const imageFilter = toImageFilter(filters);
  const videos = usePages(videoPages, taskFilter);
  const images = usePages(imagePages, imageFilter);
  const live = [useQuery(liveVideos, taskFilter), useQuery(liveImages, imageFilter)];
  const lists = [videos, images];

  const sources = useMemo(
    () => [
      // A list that cannot be loaded does not hold back the other one.
      videos.pages === undefined && videos.error !== null ? NOTHING : toSource(videos.pages, toVideoItem),
      images.pages === undefined && images.error !== null ? NOTHING : toSource(images.pages, toImageItem),
    ],
    [videos.pages, videos.error, images.pages, images.error],
  );
  const items = useMemo(() => mergeSources(sources), [sources]);
  const next = lists[nextSource(sources)];
  const errors = [...lists, ...live].map(({ error }) => error);
  const isReady = lists.every(({ pages, error }) => pages !== undefined || error !== null);

  return {
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

const NOTHING = { items: [], completeTo: undefined };

/** Removes deleted items from what is shown; other lists are loaded again. */
export const forgetItems = (filters: Filters, ids: ReadonlySet<string>): void => {
  updateEntry(videoPages.entry(toTaskFilter(filters)), (pages) => withoutItems(pages, ids));
  updateEntry(imagePages.entry(toImageFilter(filters)), (pages) => withoutItems(pages, ids));
};
