import { initialTexts as texts } from '../texts/initial-texts.ts';

/** Both dialects: the native one has a number for its code, and a name for its status. */
export type ErrorBody = {
  readonly error?: {
    readonly message?: string;
    readonly param?: string | null;
    readonly code?: string | number | null;
    readonly status?: string;
  };
};

/** An answer that is an error, or no answer at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly #mayRetry: boolean;

  constructor(status: number, body: ErrorBody, headers: Headers, cause?: unknown) {
    super(body.error?.message ?? texts.errors.unexplained(status), { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof body.error?.code === 'string' ? body.error.code : body.error?.status;
    this.field = body.error?.param ?? undefined;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.#mayRetry = headers.get('x-should-retry') !== 'false';
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  }

  /** Worth asking again: the network, too many requests, or a server that is in trouble. */
  get mayPass(): boolean {
    const mayHeal = this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
    return mayHeal && this.#mayRetry;
  }
}
