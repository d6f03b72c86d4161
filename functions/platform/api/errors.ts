import type { DomainError } from '../domain/errors.ts';
import type { NativeError, OpenAiError } from './error-schema.ts';
import { rateLimitHeaders } from './rate-limit.ts';

/** Where a request can carry its key. */
export type KeyPlaces = {
  readonly header: (name: string) => string | undefined;
  readonly query: (name: string) => string | undefined;
};

/** How a family of endpoints takes its key and words its errors. */
export type Dialect<ErrorBody = OpenAiError | NativeError> = {
  /** The key that the request carries, if any. */
  readonly readApiKey: (places: KeyPlaces) => string | undefined;
  readonly keyHint: string;
  readonly errorBody: (error: DomainError) => ErrorBody;
};

const BEARER = /^bearer +(\S+) *$/i;
const bearerKey = ({ header }: KeyPlaces) => BEARER.exec(header('authorization') ?? '')?.[1];

export const openAiDialect: Dialect<OpenAiError> = {
  readApiKey: bearerKey,
  keyHint: 'the header Authorization: Bearer <API_KEY>',
  errorBody: ({ message, row, param, code }) => ({ error: { message, type: row.type, param, code } }),
};

export const nativeDialect: Dialect<NativeError> = {
  // The first that is there decides, so that two keys in one request never mean two things.
  readApiKey: (places) =>
    places.header('x-vendor-api-key') ??
    places.header('x-goog-api-key') ??
    bearerKey(places) ??
    places.query('key'),
  keyHint: 'the header x-vendor-api-key: <API_KEY>, or as x-goog-api-key, a Bearer token or ?key=',
  errorBody: ({ message, row }) => ({ error: { code: row.http, message, status: row.status } }),
};

const isBusy = ({ http }: DomainError['row']): boolean => http === 429 || http === 503;

/** What no time mends has none. */
const retryAfter = (row: DomainError['row'], seconds: number | undefined): Record<string, string> =>
  isBusy(row) && (seconds !== undefined || row.retry !== false)
    ? { 'retry-after': String(Math.ceil(seconds ?? 5)) }
    : {};

export const errorHeaders = ({ row, retryAfterSeconds, rateLimit }: DomainError): Record<string, string> => ({
  ...(row.retry === false ? { 'x-should-retry': 'false' } : {}),
  ...retryAfter(row, retryAfterSeconds),
  ...rateLimitHeaders(rateLimit),
});
