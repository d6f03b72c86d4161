import * as z from 'zod/mini';
import { truncate } from '../../platform/domain/errors.ts';
import { UpstreamError, type UpstreamFault } from '../domain/upstream-error.ts';
import { jsonBody } from './json-body.ts';

/** Reads an error answer of the upstream: JSON of its own form, or whatever a proxy in between sent. */
const detailSchema = z.object({
  reason: z.optional(z.string()),
  retryDelay: z.optional(z.string()),
  violations: z.optional(z.array(z.object({ quotaId: z.optional(z.string()) }))),
});
const errorSchema = z.object({
  error: z.object({
    message: z._default(z.string(), ''),
    status: z.optional(z.string()),
    details: z._default(z.array(detailSchema), []),
  }),
});
type ErrorBody = z.infer<typeof errorSchema>['error'];

const MAX_MESSAGE = 500;

const readErrorBody = (text: string): ErrorBody => {
  try {
    return errorSchema.parse(JSON.parse(text)).error;
  } catch {
    // An HTML page or an empty body says nothing that a client should read.
    return { message: '', details: [] };
  }
};

const isBadKeyOrPlace = ({ status, details }: ErrorBody): boolean =>
  status === 'FAILED_PRECONDITION' || details.some(({ reason }) => reason === 'API_KEY_INVALID');

const isDailyQuota = ({ details }: ErrorBody): boolean =>
  details.some(({ violations }) => violations?.some(({ quotaId }) => quotaId?.includes('PerDay')));

const faultOf = (httpStatus: number, body: ErrorBody): UpstreamFault => {
  switch (httpStatus) {
    case 400:
      return isBadKeyOrPlace(body) ? 'operator' : 'rejected';
    case 401:
    case 402:
    case 403:
    case 404:
      return 'operator';
    case 429:
      return isDailyQuota(body) ? 'exhausted' : 'busy';
    case 408:
    case 502:
    case 504:
      // A proxy gave up waiting: what is behind it may have done the work.
      return 'unanswered';
    default:
      if (httpStatus >= 500) return 'failing';
      // A redirect of a call means a wrong base address.
      return httpStatus >= 400 ? 'rejected' : 'operator';
  }
};

const secondsOf = (duration: string | null | undefined): number | undefined => {
  const match = /^(\d+(?:\.\d+)?)s?$/.exec(duration ?? '');
  return match === null ? undefined : Number(match[1]);
};

export const upstreamErrorOf = async (response: Response): Promise<UpstreamError> => {
  const body = readErrorBody(await response.text().catch(() => ''));
  const retryDelay = body.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  return new UpstreamError(
    faultOf(response.status, body),
    truncate(body.message, MAX_MESSAGE) || `The generator answered ${response.status}.`,
    {
      httpStatus: response.status,
      retryAfterSeconds: secondsOf(retryDelay) ?? secondsOf(response.headers.get('retry-after')),
    },
  );
};

type UpstreamOptions = {
  readonly baseUrl: string;
  readonly keyHeader: string;
  readonly apiKey: () => Promise<string>;
  /** Our model names to the upstream's, where they differ. */
  readonly models: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
};

export type UpstreamClient = {
  readonly modelName: (model: string) => string;
  /** One JSON call; every failure is an UpstreamError. */
  readonly call: (
    path: string,
    options: { body?: unknown; timeoutMs: number; maxBytes: number },
  ) => Promise<unknown>;
  /** A file's address as it is kept: one at the upstream's own is found again wherever the upstream moves. */
  readonly addressOf: (uri: string) => string;
  /** The answer to a GET of a file that the upstream named, with redirects followed. */
  readonly download: (uri: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
};

const MAX_REDIRECTS = 5;

/** Codes of connections that were never made, so that the upstream cannot have seen the request. */
const NEVER_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
};

const networkError = (error: unknown): UpstreamError => {
  const neverConnected = NEVER_CONNECTED.includes(codeOf(error) ?? '');
  return new UpstreamError(neverConnected ? 'failing' : 'unanswered', 'The generator could not be reached.', {
    cause: error,
  });
};

const readLimited = async (response: Response, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes)
      throw new UpstreamError('unanswered', 'The generator sent more than can be taken.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

export const upstreamClient = (options: UpstreamOptions): UpstreamClient => {
  const base = new URL(options.baseUrl);
  // The key goes to the upstream's own host and nowhere else.
  const keyFor = async (url: URL): Promise<Record<string, string>> => {
    if (url.origin !== base.origin) return {};
    try {
      return { [options.keyHeader]: await options.apiKey() };
    } catch (error) {
      // Nothing was sent yet, so that trying again later is safe.
      throw new UpstreamError('failing', "The generator's key could not be read.", { cause: error });
    }
  };

  const send = async (url: URL, init: RequestInit): Promise<Response> => {
    const key = await keyFor(url);
    try {
      return await options.fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, ...key } });
    } catch (error) {
      throw networkError(error);
    }
  };

  return {
    modelName: (model) => options.models[model] ?? model,

    addressOf: (uri) => {
      const url = URL.parse(uri);
      // A path that begins with two slashes would be read as another host.
      if (url?.origin !== base.origin || url.pathname.startsWith('//')) return uri;
      return `${url.pathname}${url.search}`;
    },

    call: async (path, { body, timeoutMs, maxBytes }) => {
      const response = await send(new URL(`${base.pathname.replace(/\/$/, '')}/${path}`, base), {
        ...(body === undefined ? { method: 'GET' } : { method: 'POST', ...jsonBody(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw await upstreamErrorOf(response);
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
        if (!response.ok) throw await upstreamErrorOf(response);
        if (response.body === null) throw new UpstreamError('failing', 'The generator sent no file.');
        return withUpstreamErrors(response.body);
      }
      throw new UpstreamError('failing', 'The generator redirects too often.');
    },
  };
};

/** An address that the upstream names may be anywhere, but never less protected than the upstream itself. */
const trustedUrl = (address: string, from: URL, base: URL): URL => {
  const url = URL.parse(address, from.href);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== base.protocol))
    throw new UpstreamError('rejected', 'The generator named a file at an address that is not trusted.');
  return url;
};

/** A connection that breaks in mid-file is the upstream's failure too. */
async function* withUpstreamErrors(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw networkError(error);
  }
}
