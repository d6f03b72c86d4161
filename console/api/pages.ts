import { createQuery, type Query, type QueryOptions } from './query.ts';

type PageLoader<Args, Page> = (args: Args, after: string, signal: AbortSignal) => Promise<Page>;

export type PagedQuery<Args extends readonly unknown[], Page> = Query<Args, readonly Page[]> & {
  /** Reads on where the known pages end. */
  readonly loadMore: (...args: Args) => Promise<void>;
  readonly hasMore: (pages: readonly Page[] | undefined) => boolean;
};

/** A list that is read page by page; asking again reads as many pages as are known. */
export const createPagedQuery = <Args extends readonly unknown[], Page>(
  loadPage: PageLoader<Args, Page>,
  nextOf: (page: Page) => string | undefined,
  options: QueryOptions<Args, readonly Page[]> = {},
): PagedQuery<Args, Page> => {
  const endOf = (pages: readonly Page[] | undefined): string | undefined => {
    const last = pages?.at(-1);
    return last === undefined ? undefined : nextOf(last);
  };
  const query = createQuery<Args, readonly Page[]>(async (signal, args, known = []) => {
    const pages: Page[] = [await loadPage(args, '', signal)];
    for (let end = endOf(pages); end !== undefined && pages.length < known.length; end = endOf(pages))
      pages.push(await loadPage(args, end, signal));
    return pages;
  }, options);
  return {
    ...query,
    hasMore: (pages) => endOf(pages) !== undefined,
    loadMore: async (...args) => {
      const entry = query.entry(...args);
      await entry.fetchNext(async (signal, known = []) => {
        const end = endOf(known);
        if (end === undefined) return known;
        const page = await loadPage(args, end, signal);
        // The pages may have been brought up to date meanwhile; it follows only what still ends the same.
        const now = entry.snapshot().data ?? known;
        return endOf(now) === end ? [...now, page] : now;
      });
    },
  };
};
