import type { Config } from '../config.ts';

type ErrorType = 'invalid_request_error' | 'rate_limit_error' | 'server_error';

type GatewayError = {
  /** The defaults keep the status that the gateway has chosen. */
  readonly statusCode?: number;
  readonly type: ErrorType;
  readonly code: string;
  readonly message: string;
};

const UNKNOWN_ROUTE: GatewayError = {
  statusCode: 404,
  type: 'invalid_request_error',
  code: 'not_found',
  message: 'There is no such endpoint.',
};

/** The gateway's own errors by response type, in the words and the form of the service's errors. */
const GATEWAY_ERRORS: Readonly<Record<string, GatewayError>> = {
  MISSING_AUTHENTICATION_TOKEN: UNKNOWN_ROUTE,
  RESOURCE_NOT_FOUND: UNKNOWN_ROUTE,
  REQUEST_TOO_LARGE: {
    statusCode: 413,
    type: 'invalid_request_error',
    code: 'request_too_large',
    message:
      'The request is too large: about 4.4 MB of multipart form or 6 MB of JSON are accepted. For a larger image send JSON {filename, bytes, mime_type, purpose} to POST /v1/files, PUT its bytes to upload.url of the answer, and name it by file_id.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    statusCode: 415,
    type: 'invalid_request_error',
    code: 'unsupported_media_type',
    message: 'The content type is not supported.',
  },
  THROTTLED: {
    statusCode: 429,
    type: 'rate_limit_error',
    code: 'rate_limited',
    message: 'Too many requests; slow down.',
  },
  QUOTA_EXCEEDED: {
    statusCode: 429,
    type: 'rate_limit_error',
    code: 'rate_limited',
    message: 'The quota is used up.',
  },
  WAF_FILTERED: {
    statusCode: 403,
    type: 'invalid_request_error',
    code: 'invalid_request',
    message: 'The web application firewall of this service blocked the request.',
  },
  INTEGRATION_TIMEOUT: {
    statusCode: 504,
    type: 'server_error',
    code: 'internal',
    message: 'The service did not answer in time.',
  },
  INTEGRATION_FAILURE: {
    statusCode: 502,
    type: 'server_error',
    code: 'internal',
    message: 'The service could not answer.',
  },
  DEFAULT_4XX: {
    type: 'invalid_request_error',
    code: 'invalid_request',
    message: 'The request cannot be read.',
  },
  DEFAULT_5XX: { type: 'server_error', code: 'internal', message: 'Something went wrong on our side.' },
};

/** A gateway response cannot choose among origins. Its text is always the same, so every page may read it. */
const CORS_HEADERS = {
  'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
  'gatewayresponse.header.Access-Control-Expose-Headers': "'x-request-id, retry-after'",
};

/** The value of `x-amazon-apigateway-gateway-responses` in the API's OpenAPI body. */
export const gatewayResponses = ({ allowedOrigins }: Pick<Config, 'allowedOrigins'>) =>
  Object.fromEntries(
    Object.entries(GATEWAY_ERRORS).map(([responseType, { statusCode, type, code, message }]) => [
      responseType,
      {
        ...(statusCode === undefined ? {} : { statusCode }),
        responseParameters: {
          'gatewayresponse.header.x-request-id': 'context.requestId',
          ...(statusCode === 429 ? { 'gatewayresponse.header.Retry-After': "'1'" } : {}),
          ...(allowedOrigins.length === 0 ? {} : CORS_HEADERS),
        },
        responseTemplates: {
          'application/json': JSON.stringify({ error: { message, type, param: null, code } }),
        },
      },
    ]),
  );
