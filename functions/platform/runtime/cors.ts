type Header = (name: string) => string | undefined;
type Headers = Readonly<Record<string, string>>;

/** The setting `allowedOrigins`, as the stack gives it to every function behind the gateway. */
const ALLOWED_ORIGINS = (process.env.ALLOWED_ORIGINS ?? '').split(' ').filter((origin) => origin !== '');

/** What a page may read of an answer besides its body. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'retry-after',
  'openai-poll-after-ms',
  'x-should-retry',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
].join(', ');

/** Browsers ask again after two hours at the latest. */
const PREFLIGHT_SECONDS = '7200';

/** A port of `*` stands for any port, as in the CORS rules of S3. */
const matches = (pattern: string, origin: string): boolean =>
  pattern.endsWith(':*')
    ? origin.startsWith(pattern.slice(0, -1)) && /^\d{1,5}$/.test(origin.slice(pattern.length - 1))
    : pattern === origin;

/** For every answer. Never with credentials: a page sends its key in a header, and no cookie counts. */
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
 * What a browser asks before the request itself; undefined where the answer is no. SDKs send headers of their own
 * that change with their versions, and no header opens anything but the key: what is asked for is allowed.
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
