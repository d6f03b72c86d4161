import { MutationCache, QueryCache, QueryClient } from '@tanstack/preact-query';
import { ApiError } from './request.ts';

const MAX_TRIES = 3;
const LONGEST_WAIT_MS = 30_000;

export const retryable = (failures: number, error: Error): boolean =>
  error instanceof ApiError && error.mayPass && failures < MAX_TRIES;

export const retryDelay = (failures: number, error: Error): number =>
  Math.min(
    error instanceof ApiError && error.retryAfterMs !== undefined ? error.retryAfterMs : 1000 * 2 ** failures,
    LONGEST_WAIT_MS,
  );

/** Any page may learn first that the session has ended: then the session itself is asked for again. */
const onError = (error: Error): void => {
  if (error instanceof ApiError && error.status === 401) void refreshSession();
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== 'session') onError(error);
    },
  }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry: retryable, retryDelay, staleTime: 10_000 } },
});

const refreshSession = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['session'] });
