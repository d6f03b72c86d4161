import { UpstreamError, type UpstreamFault, upstreamMessage } from '../domain/faults.ts';
import { readAskedDelay } from './asked-delay.ts';
import {
  type ErrorBody,
  isBadKeyOrLocation,
  isBlockedPrompt,
  isDailyQuota,
  needsPayment,
  readErrorBody,
  readReplacement,
  refusesCredential,
} from './error-body.ts';

/** An endless error page is not read to its end. */
const MAX_ERROR_BYTES = 64 * 1024;

const toQuotaFault = (body: ErrorBody): UpstreamFault => {
  if (needsPayment(body)) return 'operator';
  return isDailyQuota(body) ? 'exhausted' : 'busy';
};

const toFault = (httpStatus: number, body: ErrorBody, namesModel: boolean): UpstreamFault => {
  switch (httpStatus) {
    case 400:
      return isBadKeyOrLocation(body) ? 'operator' : 'rejected';
    case 403:
      return isBlockedPrompt(body) ? 'rejected' : 'operator';
    case 401:
    case 402:
      return 'operator';
    case 404:
      return namesModel ? 'retired' : 'operator';
    case 410:
      return namesModel ? 'retired' : 'rejected';
    case 429:
      return toQuotaFault(body);
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

export const readErrorText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status alone says enough.
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_ERROR_BYTES);
};

/** `namesModel` tells whether the call named a model, which a 404 then concerns. */
export const readFailure = async (response: Response, namesModel = false, now = Date.now()) => {
  const { status, headers } = response;
  const body = readErrorBody(await readErrorText(response));
  const fault = toFault(status, body, namesModel);
  const asked = [...body.details.map(({ retryDelay }) => retryDelay), headers.get('retry-after')];
  const message = upstreamMessage(body.message, `The generator answered ${status}.`);
  const error = new UpstreamError(fault, message, {
    httpStatus: status,
    retryAfterSeconds: asked.flatMap((delay) => readAskedDelay(delay, fault, now) ?? [])[0],
    replacement: fault === 'retired' ? readReplacement(body) : undefined,
  });
  return { error, refusesCredential: refusesCredential(status, body) };
};

/** The connection failed, so the upstream cannot have received the request. */
const NEVER_CONNECTED: readonly unknown[] = [
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
  const neverConnected = NEVER_CONNECTED.includes(readErrorCode(error));
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

/** Far more than any answer has; an empty value takes a hundred times its bytes once it is parsed. */
const MAX_VALUES = 200_000;

/** Every value follows one of these characters, except the first. */
const STARTS = [',', '[', '{'] as const;

const holdsTooMany = (text: string, start: string): boolean => {
  let at = -1;
  for (let count = 0; count <= MAX_VALUES; count += 1) {
    at = text.indexOf(start, at + 1);
    if (at === -1) return false;
  }
  return true;
};

export const parseAnswer = (text: string): unknown => {
  if (STARTS.some((start) => holdsTooMany(text, start)))
    throw new UpstreamError('unanswered', 'The response of the generator has too many values.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw networkError(error);
  }
};

export const withPath = (base: URL, path: string): URL =>
  new URL(`${base.pathname.replace(/\/$/, '')}/${path}`, base);

export const storedAddress = (uri: string, base: URL): string => {
  const address = URL.parse(uri);
  // A relative address that begins with two slashes would name another host.
  if (address?.origin !== base.origin || address.pathname.startsWith('//')) return uri;
  return `${address.pathname}${address.search}`;
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

/** Reads an answer without content; what is gone already counts as deleted. */
export const removed = async (
  answer: Promise<AsyncIterable<Uint8Array>>,
  isGone = ({ httpStatus }: UpstreamError) => httpStatus === 404,
): Promise<void> => {
  try {
    await Array.fromAsync(await answer);
  } catch (error) {
    if (!(error instanceof UpstreamError && isGone(error))) throw error;
  }
};
