import * as z from 'zod/mini';
import { truncate } from '../../platform/domain/text.ts';
import { UpstreamError, type UpstreamFault } from '../domain/upstream.ts';

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
    // A proxy may have sent an HTML page or an empty body.
    return { message: '', details: [] };
  }
};

const isBadKeyOrLocation = ({ status, details }: ErrorBody): boolean =>
  status === 'FAILED_PRECONDITION' || details.some(({ reason }) => reason === 'API_KEY_INVALID');

const isDailyQuota = ({ details }: ErrorBody): boolean =>
  details.some(({ violations }) => violations?.some(({ quotaId }) => quotaId?.includes('PerDay')));

const toFault = (httpStatus: number, body: ErrorBody): UpstreamFault => {
  switch (httpStatus) {
    case 400:
      return isBadKeyOrLocation(body) ? 'operator' : 'rejected';
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
      // A proxy gave up waiting, but the upstream may have processed the call.
      return 'unanswered';
    default:
      if (httpStatus >= 500) return 'failing';
      // A redirect means that the base URL is wrong.
      return httpStatus >= 400 ? 'rejected' : 'operator';
  }
};

const readSeconds = (duration: string | null | undefined): number | undefined => {
  const match = /^(\d+(?:\.\d+)?)s?$/.exec(duration ?? '');
  return match === null ? undefined : Number(match[1]);
};

/** The key is unknown, blocked, or not allowed to make this call. */
const refusesCredential = (httpStatus: number, { details }: ErrorBody): boolean =>
  httpStatus === 401 ||
  httpStatus === 403 ||
  (httpStatus === 400 && details.some(({ reason }) => reason === 'API_KEY_INVALID'));

type Failure = { readonly error: UpstreamError; readonly refusesCredential: boolean };

export const readFailure = async (response: Response): Promise<Failure> => {
  const body = readErrorBody(await response.text().catch(() => ''));
  const retryDelay = body.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  const error = new UpstreamError(
    toFault(response.status, body),
    truncate(body.message, MAX_MESSAGE) || `The generator answered ${response.status}.`,
    {
      httpStatus: response.status,
      retryAfterSeconds: readSeconds(retryDelay) ?? readSeconds(response.headers.get('retry-after')),
    },
  );
  return { error, refusesCredential: refusesCredential(response.status, body) };
};

export const readUpstreamError = async (response: Response): Promise<UpstreamError> =>
  (await readFailure(response)).error;

/** The connection failed, so the upstream cannot have received the request. */
const NEVER_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

const readErrorCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return readErrorCode(error.cause);
};

export const networkError = (error: unknown): UpstreamError => {
  const neverConnected = NEVER_CONNECTED.includes(readErrorCode(error) ?? '');
  return new UpstreamError(neverConnected ? 'failing' : 'unanswered', 'The generator could not be reached.', {
    cause: error,
  });
};

export const readLimited = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes)
      throw new UpstreamError('unanswered', 'The response of the generator is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Files may be on any host, but the protocol must not be weaker than the upstream's. */
export const trustedUrl = (address: string, from: URL, base: URL): URL => {
  const url = URL.parse(address, from.href);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== base.protocol))
    throw new UpstreamError('rejected', 'The generator returned an untrusted file address.');
  return url;
};

/** A connection that breaks during the download is an upstream error too. */
export async function* withUpstreamErrors(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw networkError(error);
  }
}
