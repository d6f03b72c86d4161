import * as z from 'zod/mini';
import {
  type Dialect,
  nativeDialect,
  nativeErrorSchema,
  openAiDialect,
  openAiErrorSchemaFor,
} from '../api/dialects.ts';
import { DomainError, ERRORS, type ErrorCode } from '../domain/errors.ts';
import { errorHeaderRefs, schemaRef, tidySchema } from './parameters.ts';

export type DialectName = 'openAi' | 'native';

type ErrorForm = {
  readonly dialect: Dialect;
  readonly schema: (codes: readonly ErrorCode[]) => z.core.$ZodType;
};

const FORMS: Readonly<Record<DialectName, ErrorForm>> = {
  openAi: { dialect: openAiDialect, schema: openAiErrorSchemaFor },
  native: { dialect: nativeDialect, schema: nativeErrorSchema },
};

/** API Gateway itself also returns these, always in the OpenAI form. */
const GATEWAY_ERRORS = new Set<ErrorCode>(['request_too_large', 'rate_limited', 'overloaded', 'internal']);

/** Converted schemas by dialect and codes, because many operations have the same errors. */
const converted = new Map<string, object>();

/** The whole error with its possible values: generators do not narrow a schema that extends another. */
const errorSchema = (name: DialectName, codes: readonly ErrorCode[]): object => {
  const key = [name, ...codes].join();
  const known = converted.get(key);
  if (known !== undefined) return known;
  const { $schema, ...schema } = z.toJSONSchema(FORMS[name].schema(codes), {
    io: 'input',
    override: tidySchema,
  });
  converted.set(key, schema);
  return schema;
};

/** How many of the errors can succeed if the request is repeated. */
const countRetryable = (codes: readonly ErrorCode[]): 'none' | 'some' | 'all' => {
  const isPermanent = codes.map((code) => 'retry' in ERRORS[code]);
  if (isPermanent.every(Boolean)) return 'none';
  return isPermanent.some(Boolean) ? 'some' : 'all';
};

const describeErrors = (
  name: DialectName,
  status: number,
  codes: readonly ErrorCode[],
  moreHeaders: object,
) => {
  const own = errorSchema(name, codes);
  const hasTwoForms = name === 'native' && codes.some((code) => GATEWAY_ERRORS.has(code));
  return {
    description: `Error codes: ${codes.join(', ')}.`,
    headers: { ...errorHeaderRefs(status, countRetryable(codes)), ...moreHeaders },
    content: {
      'application/json': {
        schema: hasTwoForms ? { anyOf: [own, errorSchema('openAi', codes)] } : own,
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            { value: FORMS[name].dialect.errorBody(new DomainError(code, ERROR_MESSAGES[code])) },
          ]),
        ),
      },
    },
  };
};

export const errorResponses = (
  name: DialectName,
  codes: readonly ErrorCode[],
  moreHeaders: object = {},
): Record<string, object> =>
  Object.fromEntries(
    Map.groupBy(codes, (code) => ERRORS[code].http)
      .entries()
      .toArray()
      .toSorted(([one], [other]) => one - other)
      .map(([status, group]) => [String(status), describeErrors(name, status, group, moreHeaders)]),
  );

export const GATEWAY_FAILURE = {
  description: 'The service failed (502), could not be started (503, with `Retry-After`) or timed out (504).',
  headers: errorHeaderRefs(503),
  content: { 'application/json': { schema: schemaRef('ErrorResponse') } },
};

const ERROR_MESSAGES = {
  invalid_request: 'size must be one of 1280x720, 720x1280, 1920x1080, 1080x1920, 3840x2160, 2160x3840.',
  INVALID_ARGUMENT: 'Negative prompt is not supported in your use case',
  unknown_parameter:
    'image_urls is not an accepted field: send the first frame as input_reference, the last as last_frame, or up to 3 reference_images.',
  invalid_image: 'input_reference is truncated.',
  remote_image_not_supported: 'input_reference must not have a private or reserved address as its host.',
  remote_image_not_loaded: 'input_reference could not be loaded: The server answered with status 404.',
  not_offered: 'This operation is not supported: create a new video instead.',
  upstream_rejected: 'The error message of the generator.',
  content_blocked: 'The prompt was blocked: PROHIBITED_CONTENT',
  invalid_api_key: 'The API key is unknown or revoked.',
  session_renewal_required:
    'The console session must be renewed: POST /v1/console/session/renew, or sign in again.',
  insufficient_permissions: 'An admin key manages its account: use a plain key to make videos and images.',
  not_found: 'There is no such endpoint.',
  model_not_found: 'There is no such model.',
  video_not_found: 'Video task_01kf0xw3g0a1b2c3d4e5f6g7h8 was not found.',
  file_not_found: 'File file_01kf0xw3g0a1b2c3d4e5f6g7h8 was not found.',
  video_not_ready: 'Video task_01kf0xw3g0a1b2c3d4e5f6g7h8 is queued; download it once it is completed.',
  video_failed: 'Video task_01kf0xw3g0a1b2c3d4e5f6g7h8 failed: The generator withheld the video.',
  video_completed: 'Video task_01kf0xw3g0a1b2c3d4e5f6g7h8 is completed and charged; it can be deleted.',
  video_in_progress:
    'Video task_01kf0xw3g0a1b2c3d4e5f6g7h8 was submitted to the generator, so it cannot be cancelled; it will be charged when it completes.',
  file_not_ready: 'File file_01kf0xw3g0a1b2c3d4e5f6g7h8 has not arrived: send its bytes to upload.url first.',
  idempotency_key_reused: 'This Idempotency-Key was used with a different request.',
  webhook_unreachable:
    'Webhook endpoint we_01kf0xw3g0a1b2c3d4e5f6g7h8 gave no answer. No answer within 10 seconds.',
  webhook_endpoint_limit: 'An account can have 10 webhook endpoints: delete one first.',
  webhook_endpoint_disabled:
    'Webhook endpoint we_01kf0xw3g0a1b2c3d4e5f6g7h8 is disabled: update it to enable it again.',
  share_limit: 'An account can have 1000 share links at a time. Revoke one first.',
  collection_limit:
    'An account can have 100 collections. Delete one with DELETE /v1/collections/{collection_id}.',
  webhook_delivery_in_progress: 'Delivery wd_01kf0xw3g0a1b2c3d4e5f6g7h8 is being sent just now.',
  concurrent_update:
    'Webhook endpoint we_01kf0xw3g0a1b2c3d4e5f6g7h8 is being changed by too many requests at once, and this change was not made; try again.',
  request_in_progress:
    'A request with the same Idempotency-Key is in progress. Try again when it has ended: you then get its images.',
  video_expired: 'The file of video task_01kf0xw3g0a1b2c3d4e5f6g7h8 has expired and was removed.',
  request_too_large:
    'The request is too large: about 4.4 MB are accepted. For a larger image send JSON {filename, bytes, mime_type, purpose} to POST /v1/files, PUT its bytes to upload.url of the answer, and name it by file_id.',
  unsupported_media_type: 'The content-type header must be application/json.',
  rate_limited: 'Too many requests; slow down.',
  insufficient_quota:
    'The account’s monthly budget has $0.40 left (of $100), and this request costs $3.20. It resets on 1 December.',
  image_not_converted:
    'The generator returned an image that cannot be read. The generation is charged; images are only converted if the request asks for another format or quality.',
  upstream_unavailable: 'The generator failed; try again later.',
  model_unavailable:
    'video-3.1-generate-preview is not available: the generator no longer offers it. The operator of this service has to choose another one.',
  overloaded:
    'The service is overloaded: videos of this account wait more than 60 minutes to start. Try again later.',
  internal: 'Something went wrong on our side.',
} as const satisfies Record<ErrorCode, string>;
