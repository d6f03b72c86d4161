import { ApiError } from './api-error.ts';

const MAX_RETRIES = 3;
const MAX_WAIT_MS = 30_000;

const waitMs = (failures: number, error: unknown): number =>
  error instanceof ApiError && error.retryAfterMs !== undefined ? error.retryAfterMs : 1000 * 2 ** failures;

/** A longer wait, for example while the service is overloaded, is shown as an error at once. */
const isRetryable = (failures: number, error: unknown): boolean =>
  error instanceof ApiError &&
  error.isTransient &&
  failures < MAX_RETRIES &&
  waitMs(failures, error) <= MAX_WAIT_MS;

/** Repeats a request after transient errors. */
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
