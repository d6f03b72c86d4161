type Header = (name: string) => string | undefined;
type Headers = Readonly<Record<string, string>>;

/** The setting `allowedOrigins`, which the stack passes to every function behind the gateway. */
const ALLOWED_ORIGINS = (process.env.ALLOWED_ORIGINS ?? '').split(' ').filter((origin) => origin !== '');

const EXPOSED_HEADERS = [
  'x-request-id',
  'retry-after',
  'openai-poll-after-ms',
  'x-should-retry',
  'x-ignored-parameters',
  'x-model-alias',
  'x-advice',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-file-id',
  'x-content-credentials',
  'x-goog-upload-url',
  'x-goog-upload-status',
  'x-goog-upload-chunk-granularity',
  'x-goog-upload-size-received',
].join(', ');

/** Browsers cache a preflight for two hours at most. */
const PREFLIGHT_SECONDS = '7200';

/** The port `*` matches any port, as in the CORS rules of S3. */
const matches = (pattern: string, origin: string): boolean =>
  pattern.endsWith(':*')
    ? origin.startsWith(pattern.slice(0, -1)) && /^\d{1,5}$/.test(origin.slice(pattern.length - 1))
    : pattern === origin;

/** For every response. Credentials are not allowed: a page sends its key in a header, and cookies are ignored. */
export const corsHeaders = (header: Header, allowed: readonly string[] = ALLOWED_ORIGINS): Headers => {
  if (allowed.length === 0) return {};
  const origin = header('origin');
  if (origin === undefined || !allowed.some((pattern) => matches(pattern, origin))) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
  };
};

const METHOD = /^[A-Z]{1,20}$/;
const HEADER_NAMES = /^[\w, -]{1,4000}$/;

/**
 * The response to a preflight; undefined if the origin is not allowed. All requested headers are allowed: SDKs send
 * headers that change with their versions, and only the key gives access.
 */
export const preflightHeaders = (
  header: Header,
  allowed: readonly string[] = ALLOWED_ORIGINS,
): Headers | undefined => {
  const cors = corsHeaders(header, allowed);
  const method = header('access-control-request-method') ?? '';
  const names = header('access-control-request-headers');
  if (!('access-control-allow-origin' in cors) || !METHOD.test(method)) return undefined;
  return {
    ...cors,
    'access-control-allow-methods': method,
    ...(names !== undefined && HEADER_NAMES.test(names) ? { 'access-control-allow-headers': names } : {}),
    'access-control-max-age': PREFLIGHT_SECONDS,
  };
};
