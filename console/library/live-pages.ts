import { fetchImages, imagePages } from '../api/images.ts';
import { createQuery, type PagedQuery } from '../api/query.ts';
import { fetchVideos, isUnfinished, videoPages } from '../api/videos.ts';
import { type ListPage, mergePages } from './merge-pages.ts';

const UNFINISHED_POLL_MS = 4000;
const POLL_MS = 15_000;
/** The number of pages refreshed at a time besides the first. */
const MAX_PAGES = 3;

/** Keeps a list up to date: new items, and unfinished items on every page. */
const liveQuery = <Filter, Page extends ListPage<{ readonly id: string }>>(
  query: PagedQuery<[filter: Filter], Page>,
  fetchPage: (filter: Filter, after: string, signal: AbortSignal) => Promise<Page>,
  hasUnfinished: (page: Page) => boolean,
) => {
  const knownPages = (filter: Filter): readonly Page[] => query.entry(filter).snapshot().data ?? [];

  const refresh = async (signal: AbortSignal, [filter]: [filter: Filter]): Promise<number> => {
    const known = knownPages(filter);
    const others = known.flatMap((page, index) => (index > 0 && hasUnfinished(page) ? [index] : []));
    for (const index of known.length === 0 ? [] : [0, ...others.slice(0, MAX_PAGES)]) {
      const fresh = await fetchPage(filter, known[index - 1]?.last_id ?? '', signal);
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

export const liveVideos = liveQuery(videoPages, fetchVideos, ({ data }) => data.some(isUnfinished));
export const liveImages = liveQuery(imagePages, fetchImages, () => false);
