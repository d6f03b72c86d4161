import { oneLine } from './text.ts';

/** Every error of a request, with its HTTP status and its name in both error formats. */

type ErrorRow = {
  readonly http: number;
  readonly type:
    | 'invalid_request_error'
    | 'authentication_error'
    | 'rate_limit_error'
    | 'insufficient_quota'
    | 'server_error';
  readonly status: string;
  /** False sends `x-should-retry: false`, because a retry cannot succeed. */
  readonly retry?: false;
};

const badRequest = { http: 400, type: 'invalid_request_error', status: 'INVALID_ARGUMENT' } as const;
const conflict = {
  http: 409,
  type: 'invalid_request_error',
  status: 'FAILED_PRECONDITION',
  retry: false,
} as const;
const missing = { http: 404, type: 'invalid_request_error', status: 'NOT_FOUND' } as const;

export const ERRORS = {
  invalid_request: badRequest,
  INVALID_ARGUMENT: badRequest,
  unknown_parameter: badRequest,
  invalid_image: badRequest,
  remote_image_not_supported: badRequest,
  remote_image_not_loaded: badRequest,
  not_offered: badRequest,
  upstream_rejected: badRequest,
  content_blocked: badRequest,
  // Without a spread, because bundlers keep objects with one even if nothing uses them.
  webhook_unreachable: {
    http: 400,
    type: 'invalid_request_error',
    status: 'INVALID_ARGUMENT',
    retry: false,
  },
  invalid_api_key: { http: 401, type: 'authentication_error', status: 'UNAUTHENTICATED' },
  session_renewal_required: { http: 401, type: 'authentication_error', status: 'UNAUTHENTICATED' },
  insufficient_permissions: { http: 403, type: 'invalid_request_error', status: 'PERMISSION_DENIED' },
  not_found: missing,
  model_not_found: missing,
  video_not_found: missing,
  file_not_found: missing,
  video_not_ready: conflict,
  video_failed: conflict,
  video_completed: conflict,
  video_in_progress: conflict,
  file_not_ready: conflict,
  idempotency_key_reused: conflict,
  webhook_endpoint_limit: conflict,
  webhook_endpoint_disabled: conflict,
  share_limit: conflict,
  collection_limit: conflict,
  webhook_delivery_in_progress: conflict,
  concurrent_update: { http: 409, type: 'invalid_request_error', status: 'ABORTED' },
  request_in_progress: { http: 409, type: 'invalid_request_error', status: 'ABORTED' },
  video_expired: { http: 410, type: 'invalid_request_error', status: 'NOT_FOUND' },
  request_too_large: { http: 413, type: 'invalid_request_error', status: 'INVALID_ARGUMENT' },
  unsupported_media_type: { http: 415, type: 'invalid_request_error', status: 'INVALID_ARGUMENT' },
  rate_limited: { http: 429, type: 'rate_limit_error', status: 'RESOURCE_EXHAUSTED' },
  insufficient_quota: {
    http: 429,
    type: 'insufficient_quota',
    status: 'RESOURCE_EXHAUSTED',
    retry: false,
  },
  image_not_converted: { http: 502, type: 'server_error', status: 'INTERNAL', retry: false },
  upstream_unavailable: { http: 503, type: 'server_error', status: 'UNAVAILABLE' },
  model_unavailable: { http: 503, type: 'server_error', status: 'UNAVAILABLE', retry: false },
  overloaded: { http: 503, type: 'server_error', status: 'UNAVAILABLE' },
  internal: { http: 500, type: 'server_error', status: 'INTERNAL' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

type Details = {
  readonly param?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly uploadStatus?: UploadStatus | undefined;
  readonly cause?: unknown;
};

/** The state of an upload in Google's protocol. */
export type UploadStatus = 'active' | 'final' | 'cancelled';

export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterSeconds: number | undefined;
  /** The caller's rate limit, if it caused the error. */
  readonly rateLimit: RateLimit | undefined;
  /** The state of the upload that the request belongs to; clients repeat a request without it. */
  readonly uploadStatus: UploadStatus | undefined;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(oneLine(message), { cause: details.cause });
    this.name = 'DomainError';
    this.code = code;
    this.param = details.param ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.rateLimit = details.rateLimit;
    this.uploadStatus = details.uploadStatus;
  }

  get rule(): ErrorRow {
    return ERRORS[this.code];
  }
}

/** The most common error: a field with a value that is not accepted. */
export const invalidField = (param: string, message: string): DomainError =>
  new DomainError('invalid_request', message, { param });

const NOT_FOUND: { readonly [what: string]: ErrorCode } = {
  Video: 'video_not_found',
  File: 'file_not_found',
};

/** Also for things of other accounts. The id is the client's, so it may be long. */
export const notFound = (what: string, id: string, param: string): DomainError =>
  new DomainError(NOT_FOUND[what] ?? 'not_found', `${what} ${id.slice(0, 64)} was not found.`, { param });

/** Lists accepted values in a sentence: `4, 6, 8`. */
/** As for a route that does not exist, also for one of a feature that the deployment leaves out. */
export const noEndpoint = (message = 'There is no such endpoint.'): DomainError =>
  new DomainError('not_found', message);

export const listed = (values: readonly (string | number)[]): string => values.join(', ');

/** The creates that an account has left in the current minute. */
export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};
