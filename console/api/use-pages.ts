import { useState } from 'preact/hooks';
import type { PagedQuery } from './pages.ts';
import { type QueryState, useQuery } from './use-query.ts';

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
