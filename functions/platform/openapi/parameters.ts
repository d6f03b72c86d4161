import { DEFAULT_LIMIT, MAX_LIMIT, ORDERS } from '../api/parameters.ts';

export const pathParameter = (name: string, description: string, schema: object) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});
export const queryParameter = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  schema,
});
export const listParameter = (name: string, description: string, items: object) => ({
  ...queryParameter(`${name}[]`, description, { type: 'array', items: { type: 'string', ...items } }),
  explode: true,
});

export const UNIX_SECONDS = { type: 'integer', minimum: 0, maximum: 99_999_999_999 };

/** Used by several slices. */
export const SHARED_PARAMETERS = {
  Limit: queryParameter(
    'limit',
    'Maximum number of items on the page. A page can be shorter if prompts are long; check has_more.',
    {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    },
  ),
  Order: queryParameter('order', 'Sort order by creation time.', {
    type: 'string',
    enum: ORDERS,
    default: 'desc',
  }),
};

const requiredHeader = (description: string, schema: object = {}) => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
});
const optionalHeader = (description: string, schema: object = {}) => ({
  ...requiredHeader(description, schema),
  required: false,
});
const WHOLE = { pattern: '^[0-9]+$' };

export const HEADERS = {
  RequestId: requiredHeader('Identifies the request in the service’s logs.'),
  RetryAfter: requiredHeader('Seconds to wait before the next request.', WHOLE),
  PollAfter: optionalHeader(
    'Milliseconds to wait before polling again; absent once the task has ended.',
    WHOLE,
  ),
  PollRetryAfter: optionalHeader('Seconds to wait before the next request.', WHOLE),
  ShouldRetry: requiredHeader('The request cannot succeed if it is repeated.', { const: 'false' }),
  MayNotRetry: optionalHeader('Sent if the request cannot succeed when it is repeated.', { const: 'false' }),
  RateLimit: optionalHeader('Create requests per minute, if the account has a limit.', WHOLE),
  RateRemaining: optionalHeader('Create requests left in this minute.', WHOLE),
  RateReset: optionalHeader('Seconds until the minute ends.', { pattern: '^[0-9]+s$' }),
  Location: requiredHeader('A signed URL that is valid for at most 5 minutes.', { format: 'uri' }),
  CacheControl: optionalHeader('Responses must not be cached. Absent from errors of the gateway itself.'),
  SetCookie: requiredHeader('The session cookie.'),
  AllowOrigin: requiredHeader('Pages of any origin can read the response.', { const: '*' }),
  NoStore: requiredHeader('The redirect must not be cached.', { const: 'no-store' }),
} as const;

const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

export const COMMON_HEADERS = {
  'x-request-id': headerRef('RequestId'),
  'cache-control': headerRef('CacheControl'),
};
export const POLL_HEADERS = {
  'openai-poll-after-ms': headerRef('PollAfter'),
  'retry-after': headerRef('PollRetryAfter'),
};
export const RATE_LIMIT_HEADERS = {
  'x-ratelimit-limit-requests': headerRef('RateLimit'),
  'x-ratelimit-remaining-requests': headerRef('RateRemaining'),
  'x-ratelimit-reset-requests': headerRef('RateReset'),
};
export const ANY_ORIGIN_HEADERS = { 'access-control-allow-origin': headerRef('AllowOrigin') };
export const SESSION_HEADERS = { 'set-cookie': headerRef('SetCookie') };
export const REDIRECT_HEADERS = { location: headerRef('Location'), 'cache-control': headerRef('NoStore') };

/** The headers that `errorHeaders` sends. */
export const errorHeaderRefs = (status: number, retryable: 'none' | 'some' | 'all' = 'all') => ({
  ...COMMON_HEADERS,
  ...(retryable === 'none' ? { 'x-should-retry': headerRef('ShouldRetry') } : {}),
  ...(retryable === 'some' ? { 'x-should-retry': headerRef('MayNotRetry') } : {}),
  ...(status === 429 || status === 503 ? { 'retry-after': headerRef('RetryAfter') } : {}),
  ...(status === 429 ? RATE_LIMIT_HEADERS : {}),
});
