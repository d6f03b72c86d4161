import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FunctionHost } from '../functions/function-host.ts';
import type { ApiDefinition } from './api-definition.ts';
import { type GatewayError, renderGatewayResponse } from './gateway-responses.ts';
import { integrate } from './integration.ts';
import { isAtDomain, pathInStage, proxyEvent } from './proxy-event.ts';
import { type GatewayRequest, readBody, readRequest } from './request.ts';
import { gatewayHeaders } from './response-headers.ts';
import { createRouteMatcher, type RouteMatch } from './route-match.ts';
import { createThrottle } from './throttle.ts';
import { signatureError, unmatchedError } from './unmatched-request.ts';

export type RequestLog = {
  readonly method: string;
  readonly path: string;
  /** undefined if the client left before it had the whole answer. */
  readonly status: number | undefined;
  readonly milliseconds: number;
};

export type HandlerOptions = {
  readonly api: ApiDefinition;
  readonly functions: Pick<FunctionHost, 'invoke' | 'stream'>;
  readonly onRequest?: ((log: RequestLog) => void) | undefined;
};

/** From a client's request to the function's answer, or to the gateway's own. */
export const createRequestHandler = ({ api, functions, onRequest }: HandlerOptions) => {
  const matchRoute = createRouteMatcher(api.routes);
  const passesThrottle = createThrottle(api.methodSettings);

  const findRoute = (request: GatewayRequest): RouteMatch | GatewayError => {
    try {
      return matchRoute(request.method, pathInStage(api, request)) ?? unmatchedError(request);
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
};

const sendGatewayResponse = (
  api: ApiDefinition,
  request: GatewayRequest,
  response: ServerResponse,
  error: GatewayError,
): void => {
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
