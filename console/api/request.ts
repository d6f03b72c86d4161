import { PREFIX } from '../environment.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { setServerTime } from './clock.ts';
import { ApiError, type ErrorBody } from './errors.ts';
import { createStore } from './query.ts';
import type { Renewal } from './renewal.ts';

/** Whether the last request got a response, and the browser says that it is online. */
export const connection = createStore(true);

export const setConnected = (isConnected: boolean): void => {
  if (isConnected !== connection.get()) connection.set(isConnected);
};

const readErrorBody = async (response: Response): Promise<ErrorBody> => {
  try {
    const body: ErrorBody | null = await response.json();
    return body ?? {};
  } catch {
    // The error page of a proxy is not JSON.
    return {};
  }
};

let refusalListener: (path: string) => void = () => {};

/** Sets the listener for requests that were refused because the session has ended or the role does not suffice. */
export const onRefusal = (listener: (path: string) => void): void => {
  refusalListener = listener;
};

export const RENEW_PATH = '/v1/console/session/renew';
/** The session must be renewed before the request is accepted. */
export const RENEW_CODE = 'session_renewal_required';

let renewal: Renewal = { isDue: () => false, run: async () => false };

export const setRenewal = (chosen: Renewal): void => {
  renewal = chosen;
};

const attempt = async (path: string, init: RequestInit): Promise<Response> => {
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
  if (!response.ok) throw new ApiError(response.status, await readErrorBody(response), response.headers);
  return response;
};

const isRefusal = ({ status, code }: ApiError): boolean =>
  status === 401 || (status === 403 && code === 'insufficient_permissions');

/** Renews the session where that is due, and repeats the request once if it was refused for that reason. */
export const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const canRenew = path !== RENEW_PATH;
  if (canRenew && renewal.isDue()) await renewal.run();
  try {
    return await attempt(path, init);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (canRenew && error.code === RENEW_CODE && (await renewal.run())) return attempt(path, init);
    if (isRefusal(error)) refusalListener(path);
    throw error;
  }
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
