import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { ApiError, toError } from './errors.ts';
import type { PagedQuery, Query, Snapshot, Store } from './query.ts';

const isPermanent = (error: Error | null): boolean => error instanceof ApiError && !error.isTransient;

export type QueryState<Data> = Snapshot<Data> & { readonly refetch: () => void };

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

export const usePages = <Args extends readonly unknown[], Page>(
  query: PagedQuery<Args, Page>,
  ...args: Args
) => {
  const state = useQuery(query, ...args);
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const loadMore = async (): Promise<void> => {
    if (isLoadingMore) return;
    setIsLoadingMore(true);
    await query.loadMore(...args);
    setIsLoadingMore(false);
  };
  return { ...state, hasMore: query.hasMore(state.data), isLoadingMore, loadMore };
};

type MutationState<Output> = {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly data: Output | undefined;
};

export type Mutation<Input extends readonly unknown[] = [], Output = unknown> = MutationState<Output> & {
  /** Resolves to false if the action failed; `error` then says why. Does nothing while it is under way. */
  readonly mutate: (...input: Input) => Promise<boolean>;
};

const IDLE = { isPending: false, error: null, data: undefined } as const;

/** An action such as a button press. `onSuccess` runs even if the page has been left meanwhile. */
export const useMutation = <Input extends readonly unknown[], Output>(
  run: (...input: Input) => Promise<Output>,
  onSuccess: (output: Output) => void = () => {},
): Mutation<Input, Output> => {
  const [state, setState] = useState<MutationState<Output>>(IDLE);
  // Known at once, unlike the state: the second click of a double click comes before the next render.
  const isRunning = useRef(false);
  const show = (next: MutationState<Output>): void => {
    isRunning.current = next.isPending;
    setState(next);
  };
  const mutate = async (...input: Input): Promise<boolean> => {
    if (isRunning.current) return false;
    show({ ...IDLE, isPending: true });
    try {
      const data = await run(...input);
      show({ ...IDLE, data });
      onSuccess(data);
      return true;
    } catch (error) {
      show({ ...IDLE, error: toError(error) });
      return false;
    }
  };
  return { ...state, mutate };
};

/** Renders again when what is read of the value changes. */
export const useStore = <Value, Part = Value>(store: Store<Value>, read: (value: Value) => Part): Part => {
  const [part, setPart] = useState(() => read(store.get()));
  useEffect(() => {
    const update = (value: Value): void => setPart(() => read(value));
    // It may have changed since the first render.
    update(store.get());
    return store.subscribe(update);
  }, []);
  return part;
};

/** Handles an event of the page for as long as the component is shown, from its first frame. */
export const useWindowEvent = <Name extends keyof WindowEventMap>(
  name: Name,
  handle: (event: WindowEventMap[Name]) => void,
): void =>
  useLayoutEffect(() => {
    addEventListener(name, handle);
    return () => removeEventListener(name, handle);
  });
