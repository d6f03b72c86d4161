import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Dialect, errorHeaders } from '../api/errors.ts';
import type { Authenticate } from '../authentication/authenticate.ts';
import type { RequestBody } from '../body/parse.ts';
import type { Caller } from '../domain/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import type { Logger } from '../domain/log-events.ts';
import { requireRole } from '../domain/roles.ts';
import { isSessionId } from '../domain/session.ts';
import { withLogFields } from './logger.ts';

type Header = (name: string) => string | undefined;
type Headers = Readonly<Record<string, string>>;

/** The setting `allowedOrigins`, which the stack passes to every function behind the gateway. */
const ALLOWED_ORIGINS = (process.env.ALLOWED_ORIGINS ?? '').split(' ').filter((origin) => origin !== '');

/** The response headers that a page may read. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'retry-after',
  'openai-poll-after-ms',
  'x-should-retry',
  'x-ignored-parameters',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-file-id',
  'x-content-credentials',
  'x-goog-upload-url',
  'x-goog-upload-status',
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

export type HttpRequest = {
  readonly requestId: string;
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  readonly query: (name: string) => string | undefined;
  /** All values of a list, sent as `name[]` or as repeated `name`. */
  readonly queryAll: (name: string) => readonly string[];
  readonly path: (name: string) => string;
  /** The matched route, such as `/v1/videos/{task_id}`. */
  readonly route: string;
  readonly body: RequestBody;
  /** The part of the path before the route: the stage, or nothing on a custom domain. */
  readonly prefix: string;
  /** The base URL that this request used. */
  readonly baseUrl: string;
  readonly sourceIp: string | undefined;
};
export type AccountRequest = HttpRequest & { readonly caller: Caller };

export type HttpResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body that is not JSON, instead of `body`; the headers name its type. */
  readonly text?: string;
  /** Each becomes a header of its own. */
  readonly cookies?: readonly string[];
};
export type AccountHandler = (request: AccountRequest) => Promise<HttpResponse>;

export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status: 200,
  headers,
  body,
});

export const headerReader = (event: APIGatewayProxyEvent): HttpRequest['header'] => {
  const headers = new Map(
    Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return (name) => headers.get(name) ?? undefined;
};

/** The root of a stage may be requested with or without a trailing slash. */
const stagePrefix = ({ requestContext, path }: APIGatewayProxyEvent): string => {
  const called = path === '/' ? `${requestContext.path.replace(/\/$/, '')}/` : requestContext.path;
  return called.endsWith(path) ? called.slice(0, -path.length) : '';
};

const readRequest = (event: APIGatewayProxyEvent): HttpRequest => {
  const header = headerReader(event);
  const { requestId, domainName, identity } = event.requestContext;
  const prefix = stagePrefix(event);
  return {
    requestId,
    method: event.httpMethod,
    prefix,
    header,
    query: (name) => event.queryStringParameters?.[name] ?? undefined,
    queryAll: (name) =>
      [name, `${name}[]`].flatMap((each) => event.multiValueQueryStringParameters?.[each] ?? []),
    path: (name) => {
      const value = event.pathParameters?.[name];
      if (value === undefined) throw new Error(`the route has no parameter ${name}`);
      return value;
    },
    route: event.resource,
    body: event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64') : (event.body ?? ''),
    baseUrl: `${header('x-forwarded-proto') ?? 'https'}://${header('host') ?? domainName}${prefix}`,
    sourceIp: identity?.sourceIp,
  };
};

/** Any error that is not a DomainError is internal: it is logged and not shown. */
export const asDomainError = (error: unknown, logger: Logger): DomainError => {
  if (error instanceof DomainError) return error;
  logger.error('request failed', error, {});
  return new DomainError('internal', 'Something went wrong on our side.', { cause: error });
};

export const errorResponse = (error: DomainError, dialect: Dialect): HttpResponse => ({
  status: error.row.http,
  headers: errorHeaders(error),
  body: dialect.errorBody(error),
});

export const encode = (
  { status, headers, body, text, cookies }: HttpResponse,
  requestId: string,
  cors: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult => ({
  statusCode: status,
  headers: {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    ...cors,
    ...headers,
  },
  ...(cookies === undefined ? {} : { multiValueHeaders: { 'set-cookie': [...cookies] } }),
  body: body === undefined ? (text ?? '') : JSON.stringify(body),
});

/** A HEAD response has no body; the gateway does not remove it. */
export const forMethod = (method: string, result: APIGatewayProxyResult): APIGatewayProxyResult =>
  method === 'HEAD' ? { ...result, body: '' } : result;

export type HandlerOptions = {
  readonly dialect: Dialect;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
};

type Outcome = { account?: string; code?: string };
export type PublicOptions = Omit<HandlerOptions, 'authenticate'>;

export const respondTo = async <Response extends { readonly status: number }>(
  { dialect, logger }: PublicOptions,
  event: APIGatewayProxyEvent,
  handle: (request: HttpRequest, outcome: Outcome) => Promise<Response>,
): Promise<Response | HttpResponse> => {
  const started = Date.now();
  const request = readRequest(event);
  const { requestId } = request;
  const outcome: Outcome = {};
  const respond = async (): Promise<Response | HttpResponse> => {
    try {
      return await handle(request, outcome);
    } catch (error) {
      const told = withLogFields(outcome, () => asDomainError(error, logger));
      outcome.code = told.code;
      return errorResponse(told, dialect);
    }
  };
  const response = await withLogFields({ requestId }, respond);
  logger.info('request', {
    requestId,
    route: `${event.httpMethod} ${event.resource}`,
    status: response.status,
    milliseconds: Date.now() - started,
    serverError: response.status >= 500,
    ...outcome,
  });
  return response;
};

/** Authenticates, catches and logs. */
export const handleRequest = <Response extends { readonly status: number }>(
  options: HandlerOptions,
  event: APIGatewayProxyEvent,
  handle: (request: AccountRequest) => Promise<Response>,
): Promise<Response | HttpResponse> =>
  respondTo(options, event, async (request, outcome) => {
    const caller = await options.authenticate(options.dialect, request);
    outcome.account = caller.account;
    if (caller.role !== undefined)
      requireRole(caller.role, request.method, request.route, !isSessionId(caller.keyId));
    return withLogFields({ account: caller.account }, () => handle({ ...request, caller }));
  });

/** For endpoints that need no key. They may name the account for the log. */
export const publicHandler =
  (options: PublicOptions, handle: (request: HttpRequest, outcome: Outcome) => Promise<HttpResponse>) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
    forMethod(
      event.httpMethod,
      encode(
        await respondTo(options, event, handle),
        event.requestContext.requestId,
        corsHeaders(headerReader(event)),
      ),
    );

export const httpHandler =
  (options: HandlerOptions, handle: AccountHandler) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
    forMethod(
      event.httpMethod,
      encode(
        await handleRequest(options, event, handle),
        event.requestContext.requestId,
        corsHeaders(headerReader(event)),
      ),
    );
