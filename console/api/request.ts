import { PREFIX } from '../environment.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { ApiError, type ErrorBody } from './api-error.ts';
import { setServerTime } from './clock.ts';

const readErrorBody = async (response: Response): Promise<ErrorBody> => {
  try {
    const body: ErrorBody | null = await response.json();
    return body ?? {};
  } catch {
    // A proxy's error page is not JSON; the status says enough.
    return {};
  }
};

let unauthorized: (path: string) => void = () => {};

/** Is told of each answer 401. */
export const onUnauthorized = (listener: (path: string) => void): void => {
  unauthorized = listener;
};

export const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
  let response: Response;
  try {
    response = await fetch(`${PREFIX}${path}`, { credentials: 'same-origin', ...init });
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new ApiError(0, { error: { message: texts.errors.noConnection } }, new Headers(), cause);
  }
  setServerTime(response.headers.get('date'));
  if (response.status === 401) unauthorized(path);
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
