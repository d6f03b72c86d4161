import type { ServerResponse } from 'node:http';
import type { FunctionHost, InvocationResult } from '../functions/function-host.ts';
import type { ApiDefinition } from './api-definition.ts';
import { bufferedResponse, StreamedResponse } from './function-response.ts';
import type { GatewayError } from './gateway-responses.ts';
import type { GatewayRequest } from './request.ts';
import type { Route } from './routes.ts';

type Exchange = {
  readonly api: ApiDefinition;
  readonly functions: Pick<FunctionHost, 'invoke' | 'stream'>;
  readonly route: Route;
  readonly request: GatewayRequest;
  readonly response: ServerResponse;
  readonly payload: string;
};

type Outcome = InvocationResult | { readonly type: 'late' };

const ERRORS = {
  'function-error': 'MALFORMED_RESPONSE',
  late: 'INTEGRATION_TIMEOUT',
  'request-too-large': 'REQUEST_TOO_LARGE',
  throttled: 'INTEGRATION_FAILURE',
} as const satisfies Record<Exclude<Outcome['type'], 'response'>, GatewayError>;

/** Sends the function's response; returns an error if the gateway must respond instead. */
export const integrate = (exchange: Exchange): Promise<GatewayError | undefined> =>
  exchange.route.streamed ? stream(exchange) : buffer(exchange);

const buffer = async (exchange: Exchange): Promise<GatewayError | undefined> => {
  const { api, functions, route, request, response, payload } = exchange;
  const timer = timeout();
  timer.restart(route.timeoutMilliseconds);
  const result = await Promise.race([functions.invoke(route.functionId, payload), timer.late]);
  timer.stop();
  if (result.type !== 'response') return ERRORS[result.type];
  const answer = bufferedResponse(api, request, result.payload);
  if (answer === undefined) return 'MALFORMED_RESPONSE';
  try {
    response.writeHead(answer.status, answer.headers).end(answer.body);
  } catch {
    // A header is not valid in HTTP.
    return 'MALFORMED_RESPONSE';
  }
  return undefined;
};

const stream = async ({ api, functions, route, request, response, payload }: Exchange) => {
  const streamed = new StreamedResponse(response, request);
  const endsAt = Date.now() + route.timeoutMilliseconds;
  const timer = timeout();
  const expectMore = () => timer.restart(Math.min(endsAt - Date.now(), api.streamIdleMilliseconds));
  expectMore();
  const { promise: ended, resolve: end } = Promise.withResolvers<{ readonly type: 'ended' }>();
  const takeChunk = async (chunk: Uint8Array) => {
    await streamed.take(chunk);
    expectMore();
  };
  const onEnd = () => {
    if (streamed.isStarted) end({ type: 'ended' });
  };
  const invoked = functions.stream(route.functionId, payload, takeChunk, onEnd);
  const result = await Promise.race([invoked, ended, timer.late]);
  timer.stop();
  if (result.type === 'ended' || (result.type === 'response' && streamed.isStarted)) {
    streamed.end();
    return undefined;
  }
  if (streamed.isStarted) {
    streamed.abort();
    return undefined;
  }
  return result.type === 'response' ? 'MALFORMED_RESPONSE' : ERRORS[result.type];
};

const timeout = () => {
  const { promise: late, resolve } = Promise.withResolvers<{ readonly type: 'late' }>();
  let timer: NodeJS.Timeout | undefined;
  return {
    late,
    stop: () => clearTimeout(timer),
    restart: (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => resolve({ type: 'late' }), milliseconds);
    },
  };
};
