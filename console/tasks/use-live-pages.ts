import { createQuery } from '../api/query.ts';
import type { Page, Video } from '../api/shapes.ts';
import { useQuery } from '../api/use-query.ts';
import { fetchVideos, isUnfinished, type TaskFilter, videoPages } from '../api/videos.ts';
import { mergePages } from './merge-pages.ts';

const UNFINISHED_MS = 4000;
const QUIET_MS = 15_000;
/** Pages besides the first that are asked for again at a time. */
const MAX_PAGES = 3;

const hasUnfinished = ({ data }: Page<Video>): boolean => data.some(isUnfinished);

const knownPages = (filter: TaskFilter) => videoPages.entry(filter).snapshot().data ?? [];

const refresh = async (signal: AbortSignal, [filter]: [TaskFilter]): Promise<number> => {
  const known = knownPages(filter);
  const others = known.flatMap((page, index) => (index > 0 && hasUnfinished(page) ? [index] : []));
  for (const index of known.length === 0 ? [] : [0, ...others.slice(0, MAX_PAGES)]) {
    const fresh = await fetchVideos(filter, known[index - 1]?.last_id ?? '', signal);
    const now = knownPages(filter);
    if (now.length > 0) videoPages.entry(filter).set(mergePages(now, index, fresh));
  }
  return known.length;
};

const live = createQuery(refresh, {
  initial: 0,
  staleMs: Number.POSITIVE_INFINITY,
  pollMs: (_, [filter]) => (knownPages(filter).some(hasUnfinished) ? UNFINISHED_MS : QUIET_MS),
});

/** New tasks appear by themselves, and unfinished ones go on, on whatever page they are. */
export const useLivePages = (filter: TaskFilter): Error | null => useQuery(live, filter).error;
