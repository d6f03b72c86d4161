import { toError, withRetries } from './errors.ts';

const STALE_MS = 10_000;
/** How long unused data is kept. */
const UNUSED_MS = 5 * 60_000;

export type Snapshot<Data> = {
  readonly data: Data | undefined;
  readonly error: Error | null;
  /** When the data arrived; 0 if it must be fetched again. */
  readonly updatedAt: number;
};

type Load<Data> = (signal: AbortSignal, known: Data | undefined) => Promise<Data>;

type QueryOptions<Args, Data> = {
  readonly staleMs?: number;
  /** Used before the first fetch. */
  readonly initial?: Data;
  /** The interval at which visible data is fetched again; undefined for never. */
  readonly pollMs?: (data: Data | undefined, args: Args) => number | undefined;
};

/** Keeps the old object if nothing changed, so that nothing is rendered again. */
const keepIfEqual = <Data>(known: Data | undefined, next: Data): Data =>
  known !== undefined && JSON.stringify(known) === JSON.stringify(next) ? known : next;

const createEntry = <Data>(
  load: Load<Data>,
  { staleMs = STALE_MS, initial }: Pick<QueryOptions<never, Data>, 'staleMs' | 'initial'>,
  onUnused: () => void,
) => {
  const listeners = new Set<() => void>();
  let snapshot: Snapshot<Data> = {
    data: initial,
    error: null,
    updatedAt: initial === undefined ? 0 : Date.now(),
  };
  let running: { readonly done: Promise<void>; readonly controller: AbortController } | undefined;
  let removal: ReturnType<typeof setTimeout> | undefined;

  const change = (next: Partial<Snapshot<Data>>): void => {
    snapshot = { ...snapshot, ...next };
    for (const listener of [...listeners]) listener();
  };
  const stop = (): void => {
    running?.controller.abort();
    running = undefined;
  };
  const set = (data: Data): void =>
    change({ data: keepIfEqual(snapshot.data, data), error: null, updatedAt: Date.now() });

  const run = async (task: Load<Data>, signal: AbortSignal): Promise<void> => {
    const [result] = await Promise.allSettled([withRetries(() => task(signal, snapshot.data), signal)]);
    if (signal.aborted) return;
    running = undefined;
    if (result.status === 'fulfilled') set(result.value);
    else change({ error: toError(result.reason) });
  };
  /** Concurrent calls share one request. */
  const fetch = (task: Load<Data> = load): Promise<void> => {
    if (running === undefined) {
      if (snapshot.data === undefined && snapshot.error !== null) change({ error: null });
      const controller = new AbortController();
      running = { controller, done: run(task, controller.signal) };
    }
    return running.done;
  };
  const isStale = (): boolean => snapshot.updatedAt === 0 || Date.now() - snapshot.updatedAt >= staleMs;

  return {
    snapshot: () => snapshot,
    set,
    fetch,
    /** Waits for the current request first. */
    fetchNext: async (task: Load<Data>): Promise<void> => {
      await running?.done;
      await fetch(task);
    },
    stop,
    isStale,
    /** Restarts the current request, which may return data from before the change. */
    invalidate: async (): Promise<void> => {
      stop();
      snapshot = { ...snapshot, updatedAt: 0 };
      if (listeners.size > 0) await fetch();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      clearTimeout(removal);
      if (isStale()) void fetch();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop();
        removal = setTimeout(onUnused, UNUSED_MS);
      };
    },
  };
};

export type Entry<Data> = ReturnType<typeof createEntry<Data>>;

const clearers: (() => void)[] = [];

export const createQuery = <Args extends readonly unknown[], Data>(
  load: (signal: AbortSignal, args: Args, known: Data | undefined) => Promise<Data>,
  options: QueryOptions<Args, Data> = {},
) => {
  const entries = new Map<string, Entry<Data>>();
  const clear = (): void => {
    for (const entry of entries.values()) entry.stop();
    entries.clear();
  };
  clearers.push(clear);
  return {
    ...options,
    clear,
    entries: () => [...entries.values()],
    entry: (...args: Args): Entry<Data> => {
      const key = JSON.stringify(args);
      const known = entries.get(key);
      if (known !== undefined) return known;
      const entry: Entry<Data> = createEntry(
        (signal, before) => load(signal, args, before),
        options,
        () => {
          if (entries.get(key) === entry) entries.delete(key);
        },
      );
      entries.set(key, entry);
      return entry;
    },
    invalidate: async (): Promise<void> => {
      await Promise.all(Array.from(entries.values(), (entry) => entry.invalidate()));
    },
  };
};

export type Query<Args extends readonly unknown[], Data> = ReturnType<typeof createQuery<Args, Data>>;

/** Clears all caches, because another account may sign in next. */
export const clearQueries = (): void => {
  for (const clear of clearers) clear();
};

/** Of a list of videos or images. */
export type ItemFilter = {
  readonly model?: string | undefined;
  readonly api_key_id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly kept?: string | undefined;
  readonly created_after?: number | undefined;
  readonly created_before?: number | undefined;
};

export const emptyList = () => ({
  object: 'list' as const,
  data: [],
  first_id: null,
  last_id: null,
  has_more: false,
});

export const afterLast = (page: { has_more: boolean; last_id: string | null }): string | undefined =>
  page.has_more && page.last_id !== null ? page.last_id : undefined;

type PageLoader<Args, Page> = (args: Args, after: string, signal: AbortSignal) => Promise<Page>;

/** A list that is loaded page by page; fetching it again loads as many pages as before. */
export const createPagedQuery = <Args extends readonly unknown[], Page>(
  loadPage: PageLoader<Args, Page>,
  nextCursor: (page: Page) => string | undefined,
  options: QueryOptions<Args, readonly Page[]> = {},
) => {
  const endCursor = (pages: readonly Page[] | undefined): string | undefined => {
    const last = pages?.at(-1);
    return last === undefined ? undefined : nextCursor(last);
  };
  const query = createQuery<Args, readonly Page[]>(async (signal, args, known = []) => {
    const pages: Page[] = [await loadPage(args, '', signal)];
    for (let end = endCursor(pages); end !== undefined && pages.length < known.length; end = endCursor(pages))
      pages.push(await loadPage(args, end, signal));
    return pages;
  }, options);
  return {
    ...query,
    loadPage,
    hasMore: (pages: readonly Page[] | undefined): boolean => endCursor(pages) !== undefined,
    /** Loads the page after the last one. */
    loadMore: async (...args: Args): Promise<void> => {
      const entry = query.entry(...args);
      await entry.fetchNext(async (signal, known = []) => {
        const end = endCursor(known);
        if (end === undefined) return known;
        const page = await loadPage(args, end, signal);
        // The pages may have been refreshed meanwhile; append only if they still end at the same place.
        const now = entry.snapshot().data ?? known;
        return endCursor(now) === end ? [...now, page] : now;
      });
    },
  };
};

export type PagedQuery<Args extends readonly unknown[], Page> = ReturnType<
  typeof createPagedQuery<Args, Page>
>;

/** A value outside of all components, which follow its changes. */
export const createStore = <Value>(initial: Value) => {
  const listeners = new Set<(value: Value) => void>();
  let value = initial;
  return {
    get: (): Value => value,
    set: (next: Value): void => {
      value = next;
      for (const listener of [...listeners]) listener(value);
    },
    /** Returns a function that ends it. */
    subscribe: (listener: (value: Value) => void): (() => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};

export type Store<Value> = ReturnType<typeof createStore<Value>>;
