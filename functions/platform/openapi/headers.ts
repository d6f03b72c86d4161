/** The headers of answers, by the name they have in the document's components. */

const text = (description: string, schema: object = {}) => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
});
const seconds = text('Seconds to wait before asking again.', { pattern: '^[0-9]+$' });

const WHOLE = { pattern: '^[0-9]+$' };

export const HEADERS = {
  RequestId: text('Identifies the request in the service’s logs.'),
  RetryAfter: seconds,
  PollAfter: {
    ...text('Milliseconds to wait before polling again; absent once the task has ended.', {
      pattern: '^[0-9]+$',
    }),
    required: false,
  },
  PollRetryAfter: { ...seconds, required: false },
  ShouldRetry: text('Repeating the request cannot help.', { const: 'false' }),
  MayNotRetry: {
    ...text('Sent where repeating the request cannot help.', { const: 'false' }),
    required: false,
  },
  RateLimit: { ...text('Creates a minute, where the account is limited.', WHOLE), required: false },
  RateRemaining: { ...text('How many of them are left in this minute.', WHOLE), required: false },
  RateReset: { ...text('When the minute ends.', { pattern: '^[0-9]+s$' }), required: false },
  Location: text('A signed address that holds for at most 5 minutes.', { format: 'uri' }),
  CacheControl: {
    ...text('Answers are not to be kept; the gateway leaves it out of what it refuses itself.'),
    required: false,
  },
  SetCookie: text('The session, for this browser alone.'),
  AllowOrigin: text('Tools in a browser may read it.', { const: '*' }),
  NoStore: text('The address is for this client and this moment.', { const: 'no-store' }),
} as const;

type HeaderComponent = keyof typeof HEADERS;
const ref = (name: HeaderComponent) => ({ $ref: `#/components/headers/${name}` });

export const EVERY_ANSWER = { 'x-request-id': ref('RequestId'), 'cache-control': ref('CacheControl') };
export const POLL_HINTS = { 'openai-poll-after-ms': ref('PollAfter'), 'retry-after': ref('PollRetryAfter') };
export const RATE_LIMIT = {
  'x-ratelimit-limit-requests': ref('RateLimit'),
  'x-ratelimit-remaining-requests': ref('RateRemaining'),
  'x-ratelimit-reset-requests': ref('RateReset'),
};
export const FOR_BROWSERS = { 'access-control-allow-origin': ref('AllowOrigin') };
export const SIGNS_IN = { 'set-cookie': ref('SetCookie') };
export const REDIRECT = { location: ref('Location'), 'cache-control': ref('NoStore') };

/** As `errorHeaders` of the dialects sends them. */
export const errorHeaderRefs = (status: number, retry: 'never' | 'some' | 'all' = 'all') => ({
  ...EVERY_ANSWER,
  ...(retry === 'never' ? { 'x-should-retry': ref('ShouldRetry') } : {}),
  ...(retry === 'some' ? { 'x-should-retry': ref('MayNotRetry') } : {}),
  ...(status === 429 || status === 503 ? { 'retry-after': ref('RetryAfter') } : {}),
  ...(status === 429 ? RATE_LIMIT : {}),
});
