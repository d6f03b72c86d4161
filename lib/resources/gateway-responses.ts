import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Config } from '../config.ts';

type Answer = {
  readonly type: ResponseType;
  readonly status: string;
  readonly code: string;
  readonly kind: string;
  readonly message: string;
};

const INVALID = 'invalid_request_error';
const SERVER = 'server_error';

/** What the gateway says by itself, in the words and the form of the service's own errors. */
const ANSWERS: readonly Answer[] = [
  {
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    status: '404',
    code: 'not_found',
    kind: INVALID,
    message: 'There is no such endpoint.',
  },
  {
    type: ResponseType.RESOURCE_NOT_FOUND,
    status: '404',
    code: 'not_found',
    kind: INVALID,
    message: 'There is no such endpoint.',
  },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    status: '413',
    code: 'request_too_large',
    kind: INVALID,
    message:
      'The request is too large: about 4.4 MB of multipart form or 6 MB of JSON are accepted. For a larger image send JSON {filename, bytes, mime_type, purpose} to POST /v1/files, PUT its bytes to upload.url of the answer, and name it by file_id.',
  },
  {
    type: ResponseType.UNSUPPORTED_MEDIA_TYPE,
    status: '415',
    code: 'unsupported_media_type',
    kind: INVALID,
    message: 'The content type is not supported.',
  },
  {
    type: ResponseType.THROTTLED,
    status: '429',
    code: 'rate_limited',
    kind: 'rate_limit_error',
    message: 'Too many requests; slow down.',
  },
  {
    type: ResponseType.QUOTA_EXCEEDED,
    status: '429',
    code: 'rate_limited',
    kind: 'rate_limit_error',
    message: 'The quota is used up.',
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    status: '504',
    code: 'internal',
    kind: SERVER,
    message: 'The service did not answer in time.',
  },
  {
    type: ResponseType.INTEGRATION_FAILURE,
    status: '502',
    code: 'internal',
    kind: SERVER,
    message: 'The service could not answer.',
  },
  {
    type: ResponseType.DEFAULT_4XX,
    status: '400',
    code: 'invalid_request',
    kind: INVALID,
    message: 'The request cannot be read.',
  },
  {
    type: ResponseType.DEFAULT_5XX,
    status: '500',
    code: 'internal',
    kind: SERVER,
    message: 'Something went wrong on our side.',
  },
];

/**
 * A gateway response cannot choose among origins, and there is nothing in it to keep from any page: the text is
 * always the same. What another page may not do is call at all.
 */
const FOR_PAGES = {
  'Access-Control-Allow-Origin': "'*'",
  'Access-Control-Expose-Headers': "'x-request-id, retry-after'",
};

export const addGatewayResponses = (
  api: RestApi,
  { allowedOrigins }: Pick<Config, 'allowedOrigins'>,
): void => {
  for (const { type, status, code, kind, message } of ANSWERS)
    api.addGatewayResponse(type.responseType, {
      type,
      ...(type === ResponseType.DEFAULT_4XX || type === ResponseType.DEFAULT_5XX
        ? {}
        : { statusCode: status }),
      responseHeaders: {
        'x-request-id': 'context.requestId',
        ...(status === '429' ? { 'Retry-After': "'1'" } : {}),
        ...(allowedOrigins.length === 0 ? {} : FOR_PAGES),
      },
      templates: {
        'application/json': JSON.stringify({ error: { message, type: kind, param: null, code } }),
      },
    });
};
