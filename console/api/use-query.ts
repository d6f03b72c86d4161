import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks';
import { ApiError } from './api-error.ts';
import type { PagedQuery, Query, Snapshot } from './query.ts';

const isPermanent = (error: Error | null): boolean => error instanceof ApiError && !error.isTransient;

type QueryState<Data> = Snapshot<Data> & { readonly refetch: () => void };

/** Fetches on first use, and again when the data is stale, on return to the page and at the poll interval. */
export const useQuery = <Args extends readonly unknown[], Data>(
  query: Query<Args, Data>,
  ...args: Args
): QueryState<Data> => {
  const entry = query.entry(...args);
  const snapshot = entry.snapshot();
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  // A layout effect, so that a response that arrives right after the first render is not missed.
  useLayoutEffect(() => {
    const stop = entry.subscribe(() => rerender(0));
    // The entry may have changed since the render.
    if (entry.snapshot() !== snapshot) rerender(0);
    return stop;
  }, [entry]);

  const pollMs = isPermanent(snapshot.error) ? undefined : query.pollMs?.(snapshot.data, args);
  useEffect(() => {
    const poll = (): void => {
      if (!document.hidden) void entry.fetch();
    };
    const wake = (): void => {
      if (pollMs !== undefined || entry.isStale()) poll();
    };
    const timer = pollMs === undefined ? undefined : setTimeout(poll, pollMs);
    document.addEventListener('visibilitychange', wake);
    addEventListener('online', wake);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
      removeEventListener('online', wake);
    };
  }, [entry, snapshot, pollMs]);
  return { ...snapshot, refetch: () => void entry.fetch() };
};

type PagesState<Page> = Omit<QueryState<readonly Page[]>, 'data'> & {
  readonly pages: readonly Page[] | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => Promise<void>;
};

export const usePages = <Args extends readonly unknown[], Page>(
  query: PagedQuery<Args, Page>,
  ...args: Args
): PagesState<Page> => {
  const { data: pages, ...state } = useQuery(query, ...args);
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const loadMore = async (): Promise<void> => {
    if (isLoadingMore) return;
    setIsLoadingMore(true);
    await query.loadMore(...args);
    setIsLoadingMore(false);
  };
  return { ...state, pages, hasMore: query.hasMore(pages), isLoadingMore, loadMore };
};
