import { type InfiniteData, useQuery } from '@tanstack/preact-query';
import { queryClient } from '../api/query-client.ts';
import type { Page, Video } from '../api/shapes.ts';
import { fetchVideos, isUnfinished, type TaskFilter, videosKey } from '../api/videos.ts';
import { mergePages } from './merge-pages.ts';

const UNFINISHED_MS = 4000;
const QUIET_MS = 15_000;
/** Pages besides the first that are asked for again at a time. */
const MAX_PAGES = 3;

type Known = InfiniteData<Page<Video>, string>;

const knownPages = (filter: TaskFilter): Known | undefined =>
  queryClient.getQueryData<Known>(videosKey(filter));

const hasUnfinished = ({ data }: Page<Video>): boolean => data.some(isUnfinished);

const refresh = async (filter: TaskFilter, signal: AbortSignal): Promise<number> => {
  const known = knownPages(filter);
  if (known === undefined) return 0;
  const others = known.pages.flatMap((page, index) => (index > 0 && hasUnfinished(page) ? [index] : []));
  for (const index of [0, ...others.slice(0, MAX_PAGES)]) {
    const fresh = await fetchVideos(filter, known.pageParams[index] ?? '', signal);
    queryClient.setQueryData<Known>(videosKey(filter), (now) => {
      if (now === undefined) return now;
      const pages = mergePages(now.pages, index, fresh);
      return { pages: [...pages], pageParams: now.pageParams.slice(0, pages.length) };
    });
  }
  return known.pages.length;
};

/** New tasks appear by themselves, and unfinished ones go on, on whatever page they are. */
export const useLivePages = (filter: TaskFilter): Error | null =>
  useQuery({
    queryKey: ['live-videos', filter],
    queryFn: ({ signal }) => refresh(filter, signal),
    initialData: 0,
    initialDataUpdatedAt: Date.now,
    refetchInterval: () =>
      knownPages(filter)?.pages.some(hasUnfinished) === true ? UNFINISHED_MS : QUIET_MS,
  }).error;
