import * as z from 'zod/mini';
import { type Dialect, nativeDialect, nativeErrorOf, openAiDialect, openAiErrorOf } from '../api/errors.ts';
import { DomainError, ERRORS, type ErrorCode } from '../domain/errors.ts';
import { type SchemaName, schemaRef, tidySchema } from './components.ts';
import { EVERY_ANSWER, errorHeaderRefs, type ParameterName, parameterRef } from './parameters.ts';

/** One row of the table of operations: what a method of a path takes and answers. */
export type Operation = {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Whose header holds the key, and whose form the errors have; none where no key is needed. */
  readonly dialect?: DialectName;
  readonly parameters?: readonly ParameterName[];
  readonly body?: Readonly<Record<string, object>>;
  readonly bodyIsOptional?: true;
  readonly answers?: Readonly<Record<string, object>>;
  /** Codes beyond those that every request can meet. */
  readonly errors?: readonly ErrorCode[];
};

const examplesOf = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

export const jsonContent = (schema: SchemaName, examples: Readonly<Record<string, unknown>>) => ({
  'application/json': { schema: schemaRef(schema), examples: examplesOf(examples) },
});

export const formContent = (
  schema: SchemaName,
  encoding: object,
  examples: Readonly<Record<string, unknown>>,
) => ({
  'multipart/form-data': { schema: schemaRef(schema), encoding, examples: examplesOf(examples) },
});

/** OpenAPI 3.1 cannot say what an event holds but in words; the reference is for readers and tools that look. */
export const eventContent = (description: string, data: SchemaName) => ({
  'text/event-stream': {
    schema: {
      type: 'string',
      description,
      contentMediaType: 'text/event-stream',
      contentSchema: schemaRef(data),
    },
  },
});

export const answer = (description: string, content: object, headers: object = {}) => ({
  description,
  headers: { ...EVERY_ANSWER, ...headers },
  content,
});

/** Any one of these holds the key. */
const SECURITY: Readonly<Record<DialectName, readonly string[]>> = {
  openAi: ['bearer'],
  native: ['vendorKey', 'googleKey', 'bearer', 'queryKey'],
};

const errorsOf = ({ dialect, body, errors = [] }: Operation): Record<string, object> => {
  const always = dialect === undefined ? (['rate_limited', 'internal'] as const) : EVERY_REQUEST;
  return errorResponses(dialect ?? 'openAi', [
    ...always,
    ...(body === undefined ? [] : EVERY_BODY),
    ...errors,
  ]);
};

/** The operation as OpenAPI writes it. */
export const describeOperation = (operation: Operation) => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  ...(operation.description === undefined ? {} : { description: operation.description }),
  security:
    operation.dialect === undefined
      ? []
      : [...SECURITY[operation.dialect], 'session'].map((name) => ({ [name]: [] })),
  ...(operation.parameters === undefined ? {} : { parameters: operation.parameters.map(parameterRef) }),
  ...(operation.body === undefined
    ? {}
    : { requestBody: { required: operation.bodyIsOptional !== true, content: operation.body } }),
  responses: { ...operation.answers, ...errorsOf(operation), default: GATEWAY_FAILURE },
});

export type DialectName = 'openAi' | 'native';

type Form = {
  readonly dialect: Dialect;
  readonly schemaOf: (codes: readonly ErrorCode[]) => z.core.$ZodType;
};

const FORMS: Readonly<Record<DialectName, Form>> = {
  openAi: { dialect: openAiDialect, schemaOf: openAiErrorOf },
  native: { dialect: nativeDialect, schemaOf: nativeErrorOf },
};

/** Errors that the gateway has by itself, always in the OpenAI form. */
const GATEWAY_ERRORS = [
  'request_too_large',
  'rate_limited',
  'internal',
] as const satisfies readonly ErrorCode[];
const isGatewayError = (code: ErrorCode): boolean => GATEWAY_ERRORS.some((known) => known === code);

/** Few sets of codes come often, and a conversion takes a while at start-up. */
const converted = new Map<string, object>();

/** The whole error with the values of these codes: generators narrow nothing that is written as an addition. */
const schemaOf = (name: DialectName, codes: readonly ErrorCode[]): object => {
  const key = [name, ...codes].join();
  const known = converted.get(key);
  if (known !== undefined) return known;
  const { $schema, ...schema } = z.toJSONSchema(FORMS[name].schemaOf(codes), {
    io: 'input',
    override: tidySchema,
  });
  converted.set(key, schema);
  return schema;
};

const formsOf = (name: DialectName, codes: readonly ErrorCode[]): readonly DialectName[] =>
  name === 'native' && codes.some(isGatewayError) ? ['native', 'openAi'] : [name];

/** Which of the errors of one status may be worth a repetition. */
const retryOf = (codes: readonly ErrorCode[]): 'never' | 'some' | 'all' => {
  const rows = codes.map((code) => ERRORS[code]);
  if (rows.every((row) => 'retry' in row)) return 'never';
  return rows.some((row) => 'retry' in row) ? 'some' : 'all';
};

const responseOf = (name: DialectName, status: number, codes: readonly ErrorCode[]) => {
  const schemas = formsOf(name, codes).map((form) => schemaOf(form, codes));
  return {
    description: `Refused or failed: ${codes.join(', ')}.`,
    headers: errorHeaderRefs(status, retryOf(codes)),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
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

/** The error answers of an operation by status, with the codes that it can have. */
export const errorResponses = (name: DialectName, codes: readonly ErrorCode[]): Record<string, object> =>
  Object.fromEntries(
    Map.groupBy(codes, (code) => ERRORS[code].http)
      .entries()
      .toArray()
      .toSorted(([one], [other]) => one - other)
      .map(([status, group]) => [String(status), responseOf(name, status, group)]),
  );

/** What can happen to every request with a key, and to every one with a body. */
export const EVERY_REQUEST = [
  'invalid_request',
  'invalid_api_key',
  'insufficient_permissions',
  'rate_limited',
  'overloaded',
  'internal',
] as const;
export const EVERY_BODY = ['request_too_large', 'unsupported_media_type'] as const;

export const GATEWAY_FAILURE = {
  description: 'The gateway could not reach the service (502), or not in time (504).',
  headers: errorHeaderRefs(502),
  content: { 'application/json': { schema: schemaRef('ErrorResponse') } },
};

/** What the service says with each code, for the document's examples; a code without a row fails the compiler. */
export const ERROR_MESSAGES = {
  invalid_request: 'size must be one of 1280x720, 720x1280, 1920x1080, 1080x1920, 3840x2160, 2160x3840.',
  INVALID_ARGUMENT: 'Negative prompt is not supported in your use case',
  invalid_image: 'input_reference is truncated.',
  remote_image_not_supported:
    'input_reference is a remote address, which is not fetched: send the file itself, or a data URI.',
  not_offered: 'This operation is not supported: create a new video instead.',
  upstream_rejected: 'The generator’s own words on what is wrong.',
  content_blocked: 'The prompt was blocked: PROHIBITED_CONTENT',
  invalid_api_key: 'The API key is unknown or revoked.',
  insufficient_permissions: 'An admin key manages its account: use a plain key to make videos and images.',
  not_found: 'There is no such endpoint.',
  model_not_found: 'There is no such model.',
  video_not_found: 'Video task_01kf0xw3g0a1b2c3d4e5f6g7h8 was not found.',
  file_not_found: 'File file_01kf0xw3g0a1b2c3d4e5f6g7h8 was not found.',
  video_not_ready: 'Video task_01kf0xw3g0a1b2c3d4e5f6g7h8 is queued; download it once it is completed.',
  video_failed: 'Video task_01kf0xw3g0a1b2c3d4e5f6g7h8 failed: The generator withheld the video.',
  video_in_progress:
    'Video task_01kf0xw3g0a1b2c3d4e5f6g7h8 is in progress; it can be deleted once it has ended.',
  file_not_ready:
    'File file_01kf0xw3g0a1b2c3d4e5f6g7h8 has not arrived: send its bytes to the address in upload.url first.',
  idempotency_key_reused: 'This Idempotency-Key was used with a different request.',
  webhook_unreachable:
    'Webhook endpoint we_01kf0xw3g0a1b2c3d4e5f6g7h8 gave no answer. No answer within 10 seconds.',
  webhook_endpoint_limit: 'An account can have 10 webhook endpoints: delete one first.',
  webhook_endpoint_disabled:
    'Webhook endpoint we_01kf0xw3g0a1b2c3d4e5f6g7h8 is disabled: update it to enable it again.',
  webhook_delivery_in_progress: 'Delivery wd_01kf0xw3g0a1b2c3d4e5f6g7h8 is being sent just now.',
  concurrent_update:
    'Webhook endpoint we_01kf0xw3g0a1b2c3d4e5f6g7h8 is being changed by too many requests at once, and this change was not made; try again.',
  video_expired: 'The file of video task_01kf0xw3g0a1b2c3d4e5f6g7h8 has expired and was removed.',
  request_too_large:
    'The request is too large: about 4.4 MB of multipart form or 6 MB of JSON are accepted. For a larger image send JSON {filename, bytes, mime_type, purpose} to POST /v1/files, PUT its bytes to upload.url of the answer, and name it by file_id.',
  unsupported_media_type: 'The content-type header must be application/json.',
  rate_limited: 'Too many requests; slow down.',
  insufficient_quota:
    'The account’s monthly budget of 100 USD is used up: 99.60 is spent or reserved, and this request costs 3.20. It resets at 2026-12-01T00:00:00Z.',
  upstream_unavailable: 'The generator failed; try again later.',
  overloaded:
    'The service is overloaded: videos of this account wait more than 60 minutes to start. Try again later.',
  internal: 'Something went wrong on our side.',
} as const satisfies Record<ErrorCode, string>;
