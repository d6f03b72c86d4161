import { initialTexts as texts } from '../texts/initial-texts.ts';

/** Covers both API formats: the native one has a numeric code and a status name. */
export type ErrorBody = {
  readonly error?: {
    readonly message?: string;
    readonly param?: string | null;
    readonly code?: string | number | null;
    readonly status?: string;
  };
};

/** An error response, or no response at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly #shouldRetry: boolean;

  constructor(status: number, body: ErrorBody, headers: Headers, cause?: unknown) {
    super(body.error?.message ?? texts.errors.unexplained(status), { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof body.error?.code === 'string' ? body.error.code : body.error?.status;
    this.field = body.error?.param ?? undefined;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.#shouldRetry = headers.get('x-should-retry') !== 'false';
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  }

  /** Network errors, timeouts, rate limits and server errors, unless the server says otherwise. */
  get isTransient(): boolean {
    const isTransient = this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
    return isTransient && this.#shouldRetry;
  }
}

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
