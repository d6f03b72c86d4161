import { PREFIX } from '../environment.ts';
import { texts } from '../texts.ts';
import { noteServerTime } from './clock.ts';

/** Both dialects: the native one has a number for its code, and a name for its status. */
type ErrorBody = {
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

const readErrorBody = async (response: Response): Promise<ErrorBody> => {
  try {
    const body: ErrorBody | null = await response.json();
    return body ?? {};
  } catch {
    // A proxy's error page is not JSON; the status says enough.
    return {};
  }
};

export const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
  let response: Response;
  try {
    response = await fetch(`${PREFIX}${path}`, { credentials: 'same-origin', ...init });
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new ApiError(0, { error: { message: texts.errors.noConnection } }, new Headers(), cause);
  }
  noteServerTime(response.headers.get('date'));
  if (!response.ok) throw new ApiError(response.status, await readErrorBody(response), response.headers);
  return response;
};

export const getJson = async <Shape>(path: string, signal?: AbortSignal): Promise<Shape> =>
  (await send(path, signal === undefined ? {} : { signal })).json();

export const sendJson = async <Shape>(method: string, path: string, body?: unknown): Promise<Shape> =>
  (
    await send(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  ).json();

/** A query string with arrays as `name[]`, as the SDKs write them; absent values are left out. */
export const queryString = (
  values: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') continue;
    if (typeof value === 'object') for (const one of value) search.append(`${name}[]`, one);
    else search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};
