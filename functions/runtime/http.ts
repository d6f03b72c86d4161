import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { RequestBody } from '../api/body/fields.ts';
import { type Dialect, errorHeaders } from '../api/errors.ts';
import type { Caller } from '../domain/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import type { Logger } from '../domain/ports.ts';
import type { Authenticate } from './authenticate.ts';
import { corsHeaders } from './cors.ts';
import { withLogFields } from './logger.ts';

type HttpRequest = {
  readonly requestId: string;
  readonly header: (name: string) => string | undefined;
  readonly query: (name: string) => string | undefined;
  /** A parameter of the route; the stack's route and the handler agree on its name. */
  readonly path: (name: string) => string;
  /** The route that was matched, as the stack names it. */
  readonly route: string;
  readonly body: RequestBody;
  /** Where clients reach the service, as this request did. */
  readonly baseUrl: string;
};
export type AccountRequest = HttpRequest & { readonly caller: Caller };

export type HttpResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
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

/** What stands before the route in the address that was called: the stage, or nothing on a custom domain. */
const baseUrlOf = ({ requestContext, path }: APIGatewayProxyEvent, header: HttpRequest['header']): string => {
  const prefix = requestContext.path.endsWith(path) ? requestContext.path.slice(0, -path.length) : '';
  return `${header('x-forwarded-proto') ?? 'https'}://${header('host') ?? requestContext.domainName}${prefix}`;
};

const readRequest = (event: APIGatewayProxyEvent): HttpRequest => {
  const header = headerReader(event);
  return {
    requestId: event.requestContext.requestId,
    header,
    query: (name) => event.queryStringParameters?.[name] ?? undefined,
    path: (name) => {
      const value = event.pathParameters?.[name];
      if (value === undefined) throw new Error(`the route has no parameter ${name}`);
      return value;
    },
    route: event.resource,
    body: event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64') : (event.body ?? ''),
    baseUrl: baseUrlOf(event, header),
  };
};

/** Anything that is not an error of ours is internal: logged, and told to nobody. */
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
  { status, headers, body }: HttpResponse,
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
  body: body === undefined ? '' : JSON.stringify(body),
});

export type HandlerOptions = {
  readonly dialect: Dialect;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
};

/** Authenticates, catches and logs; what is between is the handler's. */
export const handleRequest = async <Response extends { readonly status: number }>(
  { dialect, authenticate, logger }: HandlerOptions,
  event: APIGatewayProxyEvent,
  handle: (request: AccountRequest) => Promise<Response>,
): Promise<Response | HttpResponse> => {
  const started = Date.now();
  const request = readRequest(event);
  const { requestId } = request;
  const outcome: { account?: string; code?: string } = {};
  const respond = async (): Promise<Response | HttpResponse> => {
    try {
      const caller = await authenticate(dialect, request);
      outcome.account = caller.account;
      return await withLogFields({ account: caller.account }, () => handle({ ...request, caller }));
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

export const httpHandler =
  (options: HandlerOptions, handle: AccountHandler) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
    encode(
      await handleRequest(options, event, handle),
      event.requestContext.requestId,
      corsHeaders(headerReader(event)),
    );
