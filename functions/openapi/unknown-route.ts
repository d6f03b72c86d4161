import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { isGooglePath } from '../identity/api/declare-endpoint.ts';
import { hasGoogleKey, nativeDialect, openAiDialect } from '../platform/api/dialects.ts';
import { noEndpoint } from '../platform/domain/errors.ts';
import { preflightHeaders } from '../platform/runtime/cors.ts';
import {
  errorResponse,
  type HttpResponse,
  headerReader,
  keyPlaces,
  toResult,
} from '../platform/runtime/http.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';

const logger = jsonLogger();

/** The path is not decoded: it may contain `%2F` for a slash. */
const isNative = (event: APIGatewayProxyEvent): boolean => {
  if (hasGoogleKey(keyPlaces(event))) return true;
  const { path } = event;
  try {
    return isGooglePath(decodeURIComponent(path));
  } catch {
    return isGooglePath(path);
  }
};

/** Endpoints that clients expect here, and how to do the same. */
const ALTERNATIVES: Readonly<Record<string, string>> = {
  '/v1/responses':
    'This deployment does not have this part of the Responses API: use POST /v1/chat/completions or POST /v1/images/generations.',
  '/v1/batches':
    'Batches are not available: send each request on its own. POST /v1/videos returns at once, and the video is generated later.',
  '/v1/images/variations':
    'Variations are not available: send the image and a prompt to POST /v1/images/edits.',
};

/** Includes the paths below an endpoint, such as `/v1/responses/{id}/cancel`. */
const missingEndpoint = ({ path }: APIGatewayProxyEvent): string | undefined =>
  Object.entries(ALTERNATIVES).find(([start]) => `${path}/`.startsWith(`${start}/`))?.[1];

const NO_ORIGIN = 'Pages of this origin may not call the API: the setting allowedOrigins does not name it.';

/** No route has the method OPTIONS, so CORS preflights arrive here too. */
const answer = (event: APIGatewayProxyEvent): HttpResponse & { readonly code?: string } => {
  const header = headerReader(event);
  const isPreflight = event.httpMethod === 'OPTIONS' && header('access-control-request-method') !== undefined;
  const allowed = isPreflight ? preflightHeaders(header) : undefined;
  if (allowed !== undefined) return { status: 204, headers: allowed };
  const error = noEndpoint(isPreflight ? NO_ORIGIN : missingEndpoint(event));
  const dialect = isNative(event) ? nativeDialect : openAiDialect;
  return { ...errorResponse(error, dialect), code: error.code };
};

export const ENVIRONMENT = {};

/** Handles unknown routes: the gateway itself would answer 403 to one with a Bearer key. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const started = Date.now();
  const { requestId } = event.requestContext;
  const { code, ...response } = answer(event);
  logger.info('request', {
    requestId,
    route: `${event.httpMethod} ${event.resource}`,
    status: response.status,
    milliseconds: Date.now() - started,
    serverError: false,
    ...(code === undefined ? {} : { code }),
  });
  return toResult(event, response);
};
