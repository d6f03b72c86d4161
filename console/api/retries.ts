import { ApiError } from './api-error.ts';

const MAX_TRIES = 3;
const LONGEST_WAIT_MS = 30_000;

const waitMs = (failures: number, error: unknown): number =>
  error instanceof ApiError && error.retryAfterMs !== undefined ? error.retryAfterMs : 1000 * 2 ** failures;

/** A person who has to wait for longer, as while the service is overloaded, is told so at once. */
const isRetryable = (failures: number, error: unknown): boolean =>
  error instanceof ApiError &&
  error.mayPass &&
  failures < MAX_TRIES &&
  waitMs(failures, error) <= LONGEST_WAIT_MS;

/** Asks again what may pass: a lost connection, too many requests, a server in trouble. */
export const withRetries = async <Result>(
  run: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> => {
  for (let failures = 0; ; failures += 1)
    try {
      return await run();
    } catch (error) {
      if (signal?.aborted === true || !isRetryable(failures, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs(failures, error)));
    }
};

export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
