import * as z from 'zod/mini';
import { type DomainError, ERRORS, type ErrorCode, type RateLimit } from '../domain/errors.ts';

type Row = (typeof ERRORS)[ErrorCode];

const errorRows = (codes: readonly ErrorCode[]): readonly Row[] => codes.map((code) => ERRORS[code]);

const openAiError = (codes: readonly string[], rows: readonly Row[]) =>
  z.object({
    error: z.object({
      message: z.string(),
      type: z.enum(rows.map(({ type }) => type)),
      param: z.nullable(z.string()).check(z.describe('The field or parameter that is wrong.')),
      code: z.enum(codes),
    }),
  });

export const openAiErrorSchema = openAiError(Object.keys(ERRORS), Object.values(ERRORS)).check(
  z.describe('An error of the `/v1` endpoints, and of the gateway itself.'),
);

export const openAiErrorSchemaFor = (codes: readonly ErrorCode[]) => openAiError(codes, errorRows(codes));

export const nativeErrorSchema = (codes: readonly ErrorCode[]) =>
  z.object({
    error: z.object({
      code: z
        .literal([...new Set(errorRows(codes).map(({ http }): number => http))])
        .check(z.describe('The HTTP status.')),
      message: z.string(),
      status: z.enum(errorRows(codes).map(({ status }): string => status)),
    }),
  });

type OpenAiError = z.infer<typeof openAiErrorSchema>;
type NativeError = z.infer<ReturnType<typeof nativeErrorSchema>>;
type OpenRouterError = {
  readonly error: { readonly code: number; readonly message: string; readonly metadata: object };
};

/** OpenAI's headers for the creates left this minute; none without a limit. */
export const rateLimitHeaders = (rateLimit: RateLimit | undefined): Record<string, string> =>
  rateLimit === undefined
    ? {}
    : {
        'x-ratelimit-limit-requests': String(rateLimit.limit),
        'x-ratelimit-remaining-requests': String(rateLimit.remaining),
        'x-ratelimit-reset-requests': `${rateLimit.resetSeconds}s`,
      };

/** Recommendations about an accepted request. */
export const adviceHeaders = (advice: readonly (string | undefined)[]): Record<string, string> => {
  const given = advice.filter((each) => each !== undefined);
  return given.length === 0 ? {} : { 'x-advice': given.join('; ') };
};

export type KeyPlaces = {
  readonly header: (name: string) => string | undefined;
  readonly query: (name: string) => string | undefined;
};

/** How a family of routes reads its key and formats its errors. */
export type Dialect<ErrorBody = OpenAiError | NativeError | OpenRouterError> = {
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
  errorBody: ({ message, rule, param, code }) => ({ error: { message, type: rule.type, param, code } }),
};

/** OpenRouter's clients name themselves, or the application that uses them. */
export const isOpenRouterClient = (header: KeyPlaces['header']): boolean =>
  /@openrouter\/|ai-sdk\/openrouter/.test(header('user-agent') ?? '') ||
  ['x-openrouter-title', 'x-openrouter-categories'].some((name) => header(name) !== undefined);

/** OpenRouter's clients refuse an error whose code is not a number. */
export const openRouterDialect: Dialect<OpenRouterError> = {
  ...openAiDialect,
  errorBody: ({ message, rule, param, code }) => ({
    error: { code: rule.http, message, metadata: { type: rule.type, param, code } },
  }),
};

export const nativeDialect: Dialect<NativeError> = {
  // The first key found wins, so that a request with two keys is not ambiguous.
  readApiKey: (places) =>
    places.header('x-vendor-api-key') ??
    places.header('x-goog-api-key') ??
    bearerKey(places) ??
    places.query('key'),
  keyHint: 'the header x-vendor-api-key: <API_KEY>, or as x-goog-api-key, a Bearer token or ?key=',
  errorBody: ({ message, rule }) => ({ error: { code: rule.http, message, status: rule.status } }),
};

/** On a path that OpenAI's and Google's clients share, the place of the key tells whose request it is. */
export const hasGoogleKey = (places: KeyPlaces): boolean =>
  places.header('x-vendor-api-key') !== undefined ||
  places.header('x-goog-api-key') !== undefined ||
  (bearerKey(places) === undefined && places.query('key') !== undefined);

const isBusy = ({ http }: DomainError['rule']): boolean => http === 429 || http === 503;

/** Permanent errors carry no Retry-After. */
const retryAfter = (rule: DomainError['rule'], seconds: number | undefined): Record<string, string> =>
  isBusy(rule) && (seconds !== undefined || rule.retry !== false)
    ? { 'retry-after': String(Math.ceil(seconds ?? 5)) }
    : {};

export const errorHeaders = ({
  rule,
  retryAfterSeconds,
  rateLimit,
  uploadStatus,
}: DomainError): Record<string, string> => ({
  ...(rule.retry === false ? { 'x-should-retry': 'false' } : {}),
  ...retryAfter(rule, retryAfterSeconds),
  ...rateLimitHeaders(rateLimit),
  ...(uploadStatus === undefined ? {} : { 'x-goog-upload-status': uploadStatus }),
});
