import type { DomainError } from '../domain/errors.ts';
import type { NativeError, OpenAiError } from './error-schema.ts';

type Headers = (name: string) => string | undefined;

/** How a family of endpoints takes its key and words its errors. */
export type Dialect<ErrorBody = OpenAiError | NativeError> = {
  /** The key that the request carries, if any. */
  readonly readApiKey: (headers: Headers) => string | undefined;
  readonly keyHint: string;
  readonly errorBody: (error: DomainError) => ErrorBody;
};

const BEARER = /^bearer +(\S+) *$/i;

export const openAiDialect: Dialect<OpenAiError> = {
  readApiKey: (headers) => BEARER.exec(headers('authorization') ?? '')?.[1],
  keyHint: 'Authorization: Bearer <API_KEY>',
  errorBody: ({ message, row, param, code }) => ({ error: { message, type: row.type, param, code } }),
};

export const nativeDialect: Dialect<NativeError> = {
  readApiKey: (headers) => headers('x-vendor-api-key'),
  keyHint: 'x-vendor-api-key: <API_KEY>',
  errorBody: ({ message, row }) => ({ error: { code: row.http, message, status: row.status } }),
};

export const errorHeaders = ({ row, retryAfterSeconds }: DomainError): Record<string, string> => ({
  ...(row.retry === false ? { 'x-should-retry': 'false' } : {}),
  ...(row.http === 429 || row.http === 503
    ? { 'retry-after': String(Math.ceil(retryAfterSeconds ?? 5)) }
    : {}),
});
