import { UpstreamError } from '../domain/faults.ts';
import type { Credential } from './credentials.ts';
import { toBody } from './request-bodies.ts';
import {
  networkError,
  parseAnswer,
  readFailure,
  readLimited,
  storedAddress,
  trustedUrl,
  withPath,
  withUpstreamErrors,
} from './upstream-http.ts';

export type Authorization = {
  header(): Promise<readonly [name: string, value: string]>;
  /** Called after the upstream refused this value; true if another value is available. */
  renew(refused: string, httpStatus: number | undefined): Promise<boolean>;
};

/** The API key of an upstream, in a header of its own or as a bearer token. */
export const keyAuthorization = (credential: Credential, keyHeader: string, scheme = ''): Authorization => {
  const requireKey = (value: unknown): string => {
    if (typeof value === 'string' && value !== '') return value;
    throw new UpstreamError(
      'operator',
      `The credential of the upstream "${credential.name}" must be its API key, a text.`,
    );
  };
  return {
    header: async () => [keyHeader, `${scheme}${requireKey(await credential.read())}`],
    renew: async (refused) => `${scheme}${await credential.readAgain()}` !== refused,
  };
};

type Call = {
  readonly method?: 'DELETE';
  /** With a body, a form or a value for JSON, the call is a POST. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the call names a model: then 404 means that the upstream does not offer it. */
  readonly namesModel?: boolean;
  readonly timeoutMs: number;
  /** Of a response of JSON. */
  readonly maxBytes?: number;
};

export type ServerOptions = {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly authorization: Authorization;
  /** Other hosts of the upstream. The credential is sent to no further one, not even after a redirect. */
  readonly origins?: readonly string[];
  /** Replaces an error by one that the operator understands. */
  readonly explain?: (error: UpstreamError) => UpstreamError;
};

const MAX_BYTES = 1_000_000;
const MAX_REDIRECTS = 5;

const readRedirect = ({ status, headers }: Response): string | undefined =>
  Math.floor(status / 100) === 3 ? (headers.get('location') ?? undefined) : undefined;

const toRequest = ({ method, body, headers, timeoutMs }: Call): (() => RequestInit) => {
  const signal = AbortSignal.timeout(timeoutMs);
  // A body can be sent only once, so each attempt needs its own.
  return () => {
    const sent = body === undefined ? { method: method ?? 'GET' } : { method: 'POST', ...toBody(body) };
    return { ...sent, headers: { ...sent.headers, ...headers }, signal };
  };
};

/** A server that is known by its base URL: paths are below it. Every failure is an UpstreamError. */
export const connectServer = ({ baseUrl, fetch, authorization, ...options }: ServerOptions) => {
  const base = new URL(baseUrl);
  const { origins = [], explain = (error) => error } = options;
  const url = (path: string): URL => withPath(base, path);

  const attempt = async (url: URL, request: RequestInit) => {
    const isOwn = [base.origin, ...origins].includes(url.origin);
    const header = isOwn ? await authorization.header() : undefined;
    const headers = { ...request.headers, ...(header && { [header[0]]: header[1] }) };
    try {
      return { sent: header?.[1], response: await fetch(url, { ...request, redirect: 'manual', headers }) };
    } catch (error) {
      throw networkError(error);
    }
  };

  /** Repeats a call with a renewed credential: the upstream refused it, so it cannot be executed twice. */
  const send = async (url: URL, request: () => RequestInit, namesModel = false): Promise<Response> => {
    for (let isRepeated = false; ; isRepeated = true) {
      const { sent, response } = await attempt(url, request());
      if (response.ok || readRedirect(response) !== undefined) return response;
      const { error, refusesCredential } = await readFailure(response, namesModel);
      const mayRepeat = !isRepeated && sent !== undefined && refusesCredential;
      if (!mayRepeat || !(await authorization.renew(sent, error.httpStatus))) throw explain(error);
    }
  };

  /** One call whose response is read as it arrives. */
  const stream = async (to: string | URL, call: Call): Promise<AsyncIterable<Uint8Array>> => {
    const response = await send(typeof to === 'string' ? url(to) : to, toRequest(call), call.namesModel);
    if (!response.ok) throw (await readFailure(response)).error;
    return withUpstreamErrors(response.body ?? new Blob([]).stream());
  };

  return {
    url,
    stream,

    call: async (path: string, { maxBytes = MAX_BYTES, ...call }: Call): Promise<unknown> =>
      parseAnswer(await readLimited(await stream(path, call), maxBytes)),

    download: async (from: string | URL, timeoutMs: number): Promise<AsyncIterable<Uint8Array>> => {
      const file = typeof from === 'string' ? trustedUrl(from, base, base) : from;
      const request = toRequest({ timeoutMs });
      let url = file;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const response = await send(url, request);
        const location = readRedirect(response);
        if (location === undefined) {
          if (response.body === null) throw new UpstreamError('failing', 'The generator sent no file.');
          return withUpstreamErrors(response.body);
        }
        await response.body?.cancel();
        url = trustedUrl(location, url, file);
      }
      throw new UpstreamError('failing', 'The generator redirected too often.');
    },

    /** The form in which a file's address is stored: relative if it is the upstream's own, in case its host changes. */
    storedAddress: (uri: string): string => storedAddress(uri, base),
  };
};

export type UpstreamServer = ReturnType<typeof connectServer>;

export type BearerOptions = Pick<ServerOptions, 'baseUrl' | 'fetch'> & { readonly credential: Credential };

export const connectBearer = ({ baseUrl, credential, fetch }: BearerOptions) =>
  connectServer({ baseUrl, authorization: keyAuthorization(credential, 'authorization', 'Bearer '), fetch });
