import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { OnError } from '../errors.ts';
import type { FunctionHost } from '../functions/function-host.ts';
import { listenOnLoopback } from '../loopback.ts';
import type { ApiDefinition, MethodSetting } from './api-definition.ts';
import { gatewayHeaders } from './function-response.ts';
import { type GatewayError, renderGatewayResponse } from './gateway-responses.ts';
import { integrate } from './integration.ts';
import {
  type GatewayRequest,
  headerValue,
  isAtDomain,
  pathInStage,
  proxyEvent,
  readBody,
  readRequest,
} from './request.ts';
import { createRouteMatcher, type Route, type RouteMatch } from './routes.ts';

export type RequestLog = {
  readonly method: string;
  readonly path: string;
  /** Undefined if the client disconnected before the end of the response. */
  readonly status: number | undefined;
  readonly milliseconds: number;
};

/** API Gateway's limit for the request line and headers together. */
const HEADER_LIMIT = 10_240;

export type GatewaySettings = {
  /** 0 chooses any free port. */
  readonly port: number;
  readonly onRequest?: (log: RequestLog) => void;
  readonly onError?: OnError;
};

type GatewayOptions = GatewaySettings & {
  readonly api: ApiDefinition;
  readonly functions: Pick<FunctionHost, 'invoke' | 'stream'>;
};

export const startGateway = async (options: GatewayOptions) => {
  const handle = createRequestHandler(options);
  const servers = new Set<Server>();
  const create = (): Server => {
    const server = createServer({ maxHeaderSize: HEADER_LIMIT }, (message, response) => {
      handle(message, response).catch((error: unknown) => {
        // A client that disconnects during its request is not an error.
        if (message.complete) options.onError?.('gateway', error);
        response.destroy();
      });
    });
    server.on('clientError', rejectBrokenRequest);
    // Longer than any client's, so that no connection is closed just as it is reused.
    server.keepAliveTimeout = 120_000;
    servers.add(server);
    return server;
  };
  const { port, close } = await listenOnLoopback(create, options.port);
  return {
    port,
    close: async () => {
      const closed = close();
      for (const server of servers) server.closeAllConnections();
      await closed;
    },
  };
};

/** Responds to oversized headers and to bytes that are not HTTP. */
const rejectBrokenRequest = (error: NodeJS.ErrnoException, socket: Socket): void => {
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  else socket.destroy();
};

const createRequestHandler = ({ api, functions, onRequest }: GatewayOptions) => {
  const matchRoute = createRouteMatcher(api.routes);
  const passesThrottle = createThrottle(api.methodSettings);

  const findRoute = (request: GatewayRequest): RouteMatch | GatewayError => {
    try {
      return matchRoute(request.method, pathInStage(api, request)) ?? unmatchedError(request);
    } catch {
      // Malformed percent-encoding.
      return 'BAD_REQUEST';
    }
  };

  const answer = async (message: IncomingMessage, response: ServerResponse, request: GatewayRequest) => {
    const match = findRoute(request);
    if (typeof match === 'string') return match;
    if (!passesThrottle(match.route)) return 'THROTTLED';
    const body = await readBody(message);
    if (body === 'too-large') return 'REQUEST_TOO_LARGE';
    if (!match.route.permitted) return 'API_CONFIGURATION_ERROR';
    const payload = JSON.stringify(proxyEvent(api, request, match, body));
    return integrate({ api, functions, route: match.route, request, response, payload });
  };

  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = readRequest(message);
    response.on('close', () => onRequest?.(requestLog(request, response)));
    if (!isInStage(api, request)) {
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"message":"Forbidden"}');
      return;
    }
    const error = await answer(message, response, request);
    if (error !== undefined) sendGatewayResponse(api, request, response, error);
    message.resume();
  };
};

const sendGatewayResponse = (
  api: ApiDefinition,
  request: GatewayRequest,
  response: ServerResponse,
  error: GatewayError,
): void => {
  const variables = {
    apiId: api.apiId,
    extendedRequestId: request.extendedRequestId,
    httpMethod: request.method,
    'identity.sourceIp': request.sourceIp,
    path: request.rawPath,
    protocol: request.protocol,
    requestId: request.requestId,
    requestTimeEpoch: String(request.receivedAt.getTime()),
    stage: api.stage,
  };
  const { status, headers, body } = renderGatewayResponse(api.gatewayResponses, error, {
    variables,
    message: error === 'INCOMPLETE_SIGNATURE' ? signatureError(request) : undefined,
  });
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, ...gatewayHeaders(request), 'Content-Length': length }).end(body);
};

const isInStage = (api: ApiDefinition, request: GatewayRequest): boolean => {
  const { stage, isOnlyAtDomains } = api;
  if (isAtDomain(api, request)) return true;
  return !isOnlyAtDomains && (request.rawPath === `/${stage}` || request.rawPath.startsWith(`/${stage}/`));
};

const requestLog = (
  { method, rawPath, receivedAt }: GatewayRequest,
  response: ServerResponse,
): RequestLog => {
  const status = response.headersSent && response.writableFinished ? response.statusCode : undefined;
  return { method, path: rawPath, status, milliseconds: Date.now() - receivedAt.getTime() };
};

const SIGNATURE_PARAMETERS = ['Credential', 'Signature', 'SignedHeaders'];

/** If no route matches, AWS requires a signature and treats any Authorization header as one. */
const unmatchedError = (request: GatewayRequest): GatewayError =>
  authorization(request) === '' ? 'MISSING_AUTHENTICATION_TOKEN' : 'INCOMPLETE_SIGNATURE';

/** AWS's message for an Authorization header that is not a signature. */
const signatureError = (request: GatewayRequest): string => {
  const header = authorization(request);
  const [, ...parts] = header.split(/[\s,]+/);
  const invalid = parts.find((part) => !part.includes('='));
  if (invalid !== undefined)
    return `'${invalid}' not a valid key=value pair (missing equal-sign) in Authorization header: '${header}'.`;
  const missing = SIGNATURE_PARAMETERS.map((name) => `Authorization header requires '${name}' parameter.`);
  const date = "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.";
  return [...missing, date, `Authorization=${header}`].join(' ');
};

const authorization = (request: GatewayRequest) => headerValue(request, 'authorization')?.trim() ?? '';

type Bucket = {
  readonly rate: number;
  readonly burst: number;
  tokens: number;
  filledAt: number;
};

/** Throttles with one token bucket per method, configured by the method's setting or the stage's. */
export const createThrottle = (settings: readonly MethodSetting[], now: () => number = Date.now) => {
  const limits = new Map(settings.map((setting) => [settingKey(setting), setting]));
  const buckets = new Map<string, Bucket>();
  return ({ method, resourcePath }: Pick<Route, 'method' | 'resourcePath'>): boolean => {
    const key = `${method} ${resourcePath}`;
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } =
      limits.get(key) ?? limits.get('* /*') ?? {};
    if (rate === undefined || burst === undefined) return true;
    const bucket = buckets.get(key) ?? { rate, burst, tokens: burst, filledAt: now() };
    buckets.set(key, bucket);
    return take(bucket, now());
  };
};

/** The template writes `/~1v1~1videos` for the path /v1/videos. */
const settingKey = ({ HttpMethod, ResourcePath }: MethodSetting): string =>
  `${HttpMethod} ${ResourcePath.replace(/^\/(?=~1)/, '').replaceAll('~1', '/')}`;

const take = (bucket: Bucket, now: number): boolean => {
  const refilled = bucket.tokens + ((now - bucket.filledAt) / 1000) * bucket.rate;
  bucket.tokens = Math.min(bucket.burst, refilled);
  bucket.filledAt = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
};
