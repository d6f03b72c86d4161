import { PREFIX } from '../environment.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { ApiError, type ErrorBody } from './api-error.ts';
import { setServerTime } from './clock.ts';
import { setConnected } from './connection.ts';

const readErrorBody = async (response: Response): Promise<ErrorBody> => {
  try {
    const body: ErrorBody | null = await response.json();
    return body ?? {};
  } catch {
    // The error page of a proxy is not JSON.
    return {};
  }
};

let unauthorizedListener: (path: string) => void = () => {};

/** Sets the listener for responses with status 401. */
export const onUnauthorized = (listener: (path: string) => void): void => {
  unauthorizedListener = listener;
};

export const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
  let response: Response;
  try {
    response = await fetch(`${PREFIX}${path}`, { credentials: 'same-origin', ...init });
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    setConnected(false);
    throw new ApiError(0, { error: { message: texts.errors.noConnection } }, new Headers(), cause);
  }
  setConnected(true);
  setServerTime(response.headers.get('date'));
  if (response.status === 401) unauthorizedListener(path);
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

/** Writes arrays as `name[]`, like the SDKs, and omits empty values. */
export const queryString = (
  values: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') continue;
    if (typeof value === 'object') for (const item of value) search.append(`${name}[]`, item);
    else search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};
