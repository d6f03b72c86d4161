import type { VideoList } from '../../functions/videos/api/video-list.ts';
import { createQuery } from '../api/query.ts';
import { useQuery } from '../api/use-query.ts';
import { fetchVideos, isUnfinished, type TaskFilter, videoPages } from '../api/videos.ts';
import { mergePages } from './merge-pages.ts';

const UNFINISHED_POLL_MS = 4000;
const POLL_MS = 15_000;
/** The number of pages refreshed at a time besides the first. */
const MAX_PAGES = 3;

const hasUnfinished = ({ data }: VideoList): boolean => data.some(isUnfinished);

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
  pollMs: (_, [filter]) => (knownPages(filter).some(hasUnfinished) ? UNFINISHED_POLL_MS : POLL_MS),
});

/** Keeps the list up to date: new tasks, and unfinished tasks on every page. */
export const useLivePages = (filter: TaskFilter): Error | null => useQuery(live, filter).error;
