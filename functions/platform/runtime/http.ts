import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Dialect, errorHeaders } from '../api/errors.ts';
import type { Authenticate } from '../authentication/authenticate.ts';
import type { RequestBody } from '../body/fields.ts';
import type { Caller } from '../domain/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import type { Logger } from '../domain/ports.ts';
import { corsHeaders } from './cors.ts';
import { withLogFields } from './logger.ts';

export type HttpRequest = {
  readonly requestId: string;
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  readonly query: (name: string) => string | undefined;
  /** All values of a list, which clients write as `name[]` or as `name` again and again. */
  readonly queryAll: (name: string) => readonly string[];
  /** A parameter of the route; the stack's route and the handler agree on its name. */
  readonly path: (name: string) => string;
  /** The route that was matched, as the stack names it. */
  readonly route: string;
  readonly body: RequestBody;
  /** What stands before the route in the path that was called: the stage, or nothing on a custom domain. */
  readonly prefix: string;
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

/** The root of a stage is called with a slash at its end or without. */
const prefixOf = ({ requestContext, path }: APIGatewayProxyEvent): string => {
  const called = path === '/' ? `${requestContext.path.replace(/\/$/, '')}/` : requestContext.path;
  return called.endsWith(path) ? called.slice(0, -path.length) : '';
};

const readRequest = (event: APIGatewayProxyEvent): HttpRequest => {
  const header = headerReader(event);
  const { requestId, domainName } = event.requestContext;
  const prefix = prefixOf(event);
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

/** The answer to a HEAD is that to a GET without its body, which the gateway is not known to take off. */
export const forMethod = (method: string, result: APIGatewayProxyResult): APIGatewayProxyResult =>
  method === 'HEAD' ? { ...result, body: '' } : result;

export type HandlerOptions = {
  readonly dialect: Dialect;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
};

type Outcome = { account?: string; code?: string };
export type PublicOptions = Omit<HandlerOptions, 'authenticate'>;

/** Catches and logs. */
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

/** Authenticates, catches and logs; what is between is the handler's. */
export const handleRequest = <Response extends { readonly status: number }>(
  options: HandlerOptions,
  event: APIGatewayProxyEvent,
  handle: (request: AccountRequest) => Promise<Response>,
): Promise<Response | HttpResponse> =>
  respondTo(options, event, async (request, outcome) => {
    const caller = await options.authenticate(options.dialect, request);
    outcome.account = caller.account;
    return withLogFields({ account: caller.account }, () => handle({ ...request, caller }));
  });

/** For what needs no key; the rest is as for the others. */
export const publicHandler =
  (options: PublicOptions, handle: (request: HttpRequest) => Promise<HttpResponse>) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
    encode(
      await respondTo(options, event, handle),
      event.requestContext.requestId,
      corsHeaders(headerReader(event)),
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
