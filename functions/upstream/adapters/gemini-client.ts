import { UpstreamError } from '../domain/upstream.ts';
import { jsonBody } from './json-body.ts';
import {
  networkError,
  readLimited,
  readUpstreamError,
  trustedUrl,
  withUpstreamErrors,
} from './upstream-http.ts';

type GeminiOptions = {
  readonly baseUrl: string;
  readonly keyHeader: string;
  readonly apiKey: () => Promise<string>;
  /** Maps our model names to the upstream's where they differ. */
  readonly models: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
};

export type GeminiClient = {
  readonly modelName: (model: string) => string;
  /** One JSON call; every failure is an UpstreamError. */
  readonly call: (
    path: string,
    options: { body?: unknown; timeoutMs: number; maxBytes: number },
  ) => Promise<unknown>;
  /** The form in which a file's address is stored: relative if it is the upstream's own, in case its host changes. */
  readonly storedAddress: (uri: string) => string;
  /** Downloads a file that the upstream named; follows redirects. */
  readonly download: (uri: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
};

const MAX_REDIRECTS = 5;

export const geminiClient = (options: GeminiOptions): GeminiClient => {
  const base = new URL(options.baseUrl);
  // The key is sent only to the upstream's own origin.
  const keyHeader = async (url: URL): Promise<Record<string, string>> => {
    if (url.origin !== base.origin) return {};
    try {
      return { [options.keyHeader]: await options.apiKey() };
    } catch (error) {
      // Nothing was sent yet, so a retry is safe.
      throw new UpstreamError('failing', "The generator's key could not be read.", { cause: error });
    }
  };

  const send = async (url: URL, init: RequestInit): Promise<Response> => {
    const key = await keyHeader(url);
    try {
      return await options.fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, ...key } });
    } catch (error) {
      throw networkError(error);
    }
  };

  return {
    modelName: (model) => options.models[model] ?? model,

    storedAddress: (uri) => {
      const url = URL.parse(uri);
      // A relative address that begins with two slashes would name another host.
      if (url?.origin !== base.origin || url.pathname.startsWith('//')) return uri;
      return `${url.pathname}${url.search}`;
    },

    call: async (path, { body, timeoutMs, maxBytes }) => {
      const response = await send(new URL(`${base.pathname.replace(/\/$/, '')}/${path}`, base), {
        ...(body === undefined ? { method: 'GET' } : { method: 'POST', ...jsonBody(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw await readUpstreamError(response);
      try {
        return JSON.parse(await readLimited(response, maxBytes));
      } catch (error) {
        throw error instanceof UpstreamError ? error : networkError(error);
      }
    },

    download: async (uri, timeoutMs) => {
      const signal = AbortSignal.timeout(timeoutMs);
      let url = trustedUrl(uri, base, base);
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const response = await send(url, { signal });
        const location = response.headers.get('location');
        if (response.status >= 300 && response.status < 400 && location !== null) {
          await response.body?.cancel();
          url = trustedUrl(location, url, base);
          continue;
        }
        if (!response.ok) throw await readUpstreamError(response);
        if (response.body === null) throw new UpstreamError('failing', 'The generator sent no file.');
        return withUpstreamErrors(response.body);
      }
      throw new UpstreamError('failing', 'The generator redirected too often.');
    },
  };
};
