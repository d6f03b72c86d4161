import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import {
  type Dialect,
  errorHeaders,
  isOpenRouterClient,
  type KeyPlaces,
  openAiDialect,
  openRouterDialect,
} from '../api/dialects.ts';
import type { RequestBody } from '../body/body-text.ts';
import { DomainError } from '../domain/errors.ts';
import type { Logger } from '../domain/log-events.ts';
import { corsHeaders } from './cors.ts';
import { withLogFields } from './logger.ts';

export type HttpRequest = {
  readonly requestId: string;
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  readonly query: (name: string) => string | undefined;
  /** All values of a list, sent as `name[]` or as repeated `name`. */
  readonly queryAll: (name: string) => readonly string[];
  /** The parameters of the route. */
  readonly path: Readonly<Record<string, string>>;
  /** The matched route, such as `/v1/videos/{task_id}`. */
  readonly route: string;
  readonly body: RequestBody;
  /** The part of the path before the route: the stage, or nothing on a custom domain. */
  readonly prefix: string;
  /** The base URL that this request used. */
  readonly baseUrl: string;
  /** The base URL for clients: the configured one if there is one. */
  readonly publicUrl: string;
  readonly sourceIp: string | undefined;
  /** For the response, even if it is an error, and for the log line: `alias=model`. */
  readonly noteAlias: (alias: string) => void;
};
export type HttpResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body that is not JSON, instead of `body`; the headers name its type. */
  readonly text?: string;
  /** Each becomes a header of its own. */
  readonly cookies?: readonly string[];
};
export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status: 200,
  headers,
  body,
});

export const headerReader = ({ headers: given }: APIGatewayProxyEvent): HttpRequest['header'] => {
  const headers = new Map<string, string | undefined>();
  for (const name in given) headers.set(name.toLowerCase(), given[name]);
  return (name) => headers.get(name);
};

/** Reads the headers only if the deployment allows other origins. */
export const corsHeadersFor = (event: APIGatewayProxyEvent): Readonly<Record<string, string>> =>
  corsHeaders((name) => headerReader(event)(name));

export const keyPlaces = (event: APIGatewayProxyEvent): KeyPlaces => ({
  header: headerReader(event),
  query: (name) => event.queryStringParameters?.[name] ?? undefined,
});

/** The root of a stage may be requested with or without a trailing slash. */
const stagePrefix = ({ requestContext, path }: APIGatewayProxyEvent): string => {
  const called = path === '/' ? `${requestContext.path.replace(/\/$/, '')}/` : requestContext.path;
  return called.endsWith(path) ? called.slice(0, -path.length) : '';
};

const definedValues = (given: APIGatewayProxyEvent['pathParameters']): Record<string, string> => {
  const defined: Record<string, string> = {};
  for (const name in given) if (given[name] !== undefined) defined[name] = given[name];
  return defined;
};

/** Functions that send addresses of the service have `PUBLIC_ADDRESS` in their environment. */
const { PUBLIC_BASE_URL = '' } = process.env;

const readRequest = (event: APIGatewayProxyEvent, outcome: Outcome): HttpRequest => {
  const { header, query } = keyPlaces(event);
  const { requestId, domainName, identity } = event.requestContext;
  const prefix = stagePrefix(event);
  const baseUrl = `${header('x-forwarded-proto') ?? 'https'}://${header('host') ?? domainName}${prefix}`;
  return {
    requestId,
    method: event.httpMethod,
    prefix,
    header,
    query,
    queryAll: (name) =>
      [name, `${name}[]`].flatMap((each) => event.multiValueQueryStringParameters?.[each] ?? []),
    path: definedValues(event.pathParameters),
    route: event.resource,
    body: event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64') : (event.body ?? ''),
    baseUrl,
    publicUrl: PUBLIC_BASE_URL === '' ? baseUrl : PUBLIC_BASE_URL,
    sourceIp: identity?.sourceIp,
    noteAlias: (alias) => {
      outcome.alias = alias;
    },
  };
};

/** Calls to AWS that got no response, or that AWS could not process; the SDK has repeated them. */
const isUnreachable = (error: unknown): boolean => {
  const { $metadata: metadata }: Readonly<Record<string, unknown>> = Object(error);
  if (metadata === undefined) return false;
  const { httpStatusCode: status }: Readonly<Record<string, unknown>> = Object(metadata);
  return status === undefined || Number(status) >= 500;
};

/** Any error that is not a DomainError is logged and not shown. A store that cannot be reached may be reached soon. */
export const asDomainError = (error: unknown, logger: Logger): DomainError => {
  if (error instanceof DomainError) return error;
  logger.error('request failed', error, {});
  if (isUnreachable(error))
    return new DomainError('overloaded', 'The service cannot reach its data at the moment; try again.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  return new DomainError('internal', 'Something went wrong on our side.', { cause: error });
};

export const errorResponse = (error: DomainError, dialect: Dialect): HttpResponse => ({
  status: error.rule.http,
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
export const toResult = (event: APIGatewayProxyEvent, response: HttpResponse): APIGatewayProxyResult => {
  const result = encode(response, event.requestContext.requestId, corsHeadersFor(event));
  return event.httpMethod === 'HEAD' ? { ...result, body: '' } : result;
};

/** For the log line of the request. */
export type Outcome = { account?: string; code?: string; tool?: string; alias?: string };
export type PublicOptions = { readonly dialect: Dialect; readonly logger: Logger };

const withAlias = <Response extends Pick<HttpResponse, 'headers'>>(
  response: Response,
  { alias }: Outcome,
): Response =>
  alias === undefined ? response : { ...response, headers: { ...response.headers, 'x-model-alias': alias } };

export const respondTo = async <Response extends Pick<HttpResponse, 'status' | 'headers'>>(
  { dialect, logger }: PublicOptions,
  event: APIGatewayProxyEvent,
  handle: (request: HttpRequest, outcome: Outcome) => Promise<Response>,
): Promise<Response | HttpResponse> => {
  const started = Date.now();
  const outcome: Outcome = {};
  const request = readRequest(event, outcome);
  const { requestId } = request;
  const respond = async (): Promise<Response | HttpResponse> => {
    try {
      return await handle(request, outcome);
    } catch (error) {
      const told = withLogFields(outcome, () => asDomainError(error, logger));
      outcome.code = told.code;
      const isOpenRouter = dialect === openAiDialect && isOpenRouterClient(request.header);
      return errorResponse(told, isOpenRouter ? openRouterDialect : dialect);
    }
  };
  const response = withAlias(await withLogFields({ requestId }, respond), outcome);
  logger.info('request', {
    requestId,
    route: `${event.httpMethod} ${event.resource}`,
    status: response.status,
    milliseconds: Date.now() - started,
    // An error of a tool is part of a response with status 200.
    serverError: response.status >= 500 || outcome.code === 'internal',
    ...outcome,
  });
  return response;
};

/** For endpoints that need no key. They may name the account for the log. */
export const publicHandler =
  (options: PublicOptions, handle: (request: HttpRequest, outcome: Outcome) => Promise<HttpResponse>) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
    toResult(event, await respondTo(options, event, handle));
