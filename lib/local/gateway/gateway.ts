import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FunctionHost } from '../functions/function-host.ts';
import { LocalCloudError } from '../local-cloud-error.ts';
import type { ApiDefinition } from './api-definition.ts';
import { type GatewayError, renderGatewayResponse } from './gateway-responses.ts';
import { integrate } from './integration.ts';
import { pathInStage, proxyEvent } from './proxy-event.ts';
import { type GatewayRequest, readBody, readRequest } from './request.ts';
import { gatewayHeaders } from './response-headers.ts';
import { createRouteMatcher, type RouteMatch } from './route-match.ts';
import { createThrottle } from './throttle.ts';

export interface RequestLog {
  readonly method: string;
  readonly path: string;
  /** undefined if the client left before it had an answer. */
  readonly status: number | undefined;
  readonly milliseconds: number;
}

export interface GatewayOptions {
  readonly api: ApiDefinition;
  readonly functions: Pick<FunctionHost, 'invoke' | 'stream'>;
  readonly port: number;
  readonly onRequest?: ((log: RequestLog) => void) | undefined;
}

export interface Gateway {
  readonly port: number;
  readonly close: () => Promise<void>;
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const handle = createHandler(options);
  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  server.on('clientError', refuseBrokenRequest);
  server.listen(options.port, '127.0.0.1');
  await Promise.race([
    once(server, 'listening'),
    once(server, 'error').then(([error]) => refusePort(options.port, error)),
  ]);
  const { port } = addressOf(server.address());
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port, close };
}

function createHandler({ api, functions, onRequest }: GatewayOptions) {
  const matchRoute = createRouteMatcher(api.routes);
  const passesThrottle = createThrottle(api.methodSettings);

  const findRoute = (request: GatewayRequest): RouteMatch | GatewayError => {
    try {
      return matchRoute(request.method, pathInStage(api, request)) ?? 'MISSING_AUTHENTICATION_TOKEN';
    } catch {
      // A percent sign that encodes nothing.
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
}

function sendGatewayResponse(
  api: ApiDefinition,
  request: GatewayRequest,
  response: ServerResponse,
  error: GatewayError,
): void {
  const requestHeaders = Object.fromEntries(
    request.headerList.map(([name, value]) => [name.toLowerCase(), value]),
  );
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
    requestHeaders,
  });
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, ...gatewayHeaders(request), 'Content-Length': length }).end(body);
}

const isInStage = ({ stage }: ApiDefinition, { rawPath }: GatewayRequest) =>
  rawPath === `/${stage}` || rawPath.startsWith(`/${stage}/`);

function requestLog({ method, rawPath, receivedAt }: GatewayRequest, response: ServerResponse): RequestLog {
  const status = response.headersSent && response.writableFinished ? response.statusCode : undefined;
  return { method, path: rawPath, status, milliseconds: Date.now() - receivedAt.getTime() };
}

/** Headers over the limit, or bytes that are not HTTP. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  else socket.destroy();
}

function refusePort(port: number, error: unknown): never {
  const isBusy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  throw new LocalCloudError(
    isBusy ? `Port ${port} is in use: choose another with --port.` : `Cannot listen on port ${port}.`,
    {
      cause: error,
    },
  );
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The gateway listens on no port.');
  return address;
}
