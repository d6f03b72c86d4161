import * as z from 'zod/mini';
import { openAiErrorSchema } from '../api/dialects.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, ORDERS } from '../api/pages.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Zod adds the limits of JavaScript's integers, and gives integer literals the type `number`. */
const tidyIntegers = (schema: JsonSchema): void => {
  if (schema.type === 'number' && [schema.const, ...(schema.enum ?? [])].some(Number.isInteger))
    schema.type = 'integer';
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
};

/** Replaces a `oneOf` of one option, for which generators create a needless type. */
const tidyChoice = (schema: JsonSchema): void => {
  const [only, ...others] = schema.oneOf ?? [];
  if (only === undefined || others.length > 0) return;
  delete schema.oneOf;
  Object.assign(schema, only);
};

const typedOption = (values: readonly unknown[]): JsonSchema => {
  if (values.every((value) => typeof value === 'number')) return { type: 'integer', enum: [...values] };
  const [value, ...others] = values;
  return others.length === 0 ? { type: 'boolean', const: value === true } : { type: 'boolean' };
};

/**
 * Values that may also be sent as text, such as 1 and "1". Generators cannot name both in one enum, nor in two enums of
 * the same field, so the texts become a pattern.
 */
const tidyEnum = (schema: JsonSchema): void => {
  const values = schema.enum ?? [];
  const texts = values.filter((value) => typeof value === 'string');
  const others = values.filter((value) => typeof value !== 'string');
  if (texts.length === 0 || others.length === 0) return;
  delete schema.enum;
  schema.anyOf = [
    typedOption(others),
    { type: 'string', pattern: `^(?:${texts.join('|')})$`, examples: texts },
  ];
};

export const tidySchema = ({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void => {
  tidyIntegers(jsonSchema);
  tidyEnum(jsonSchema);
  tidyChoice(jsonSchema);
};

const isRejected = (field: unknown): boolean => Object.hasOwn(Object(field), 'not');

type Field = NonNullable<JsonSchema['properties']>[string];

/** A field that accepts any value is text in a form. */
const asText = (field: Field): Field => {
  if (typeof field === 'boolean' || (field.type ?? field.anyOf ?? field.oneOf ?? field.$ref) !== undefined)
    return field;
  const { examples = [], ...rest } = field;
  const texts = examples.map((example) => (typeof example === 'string' ? example : JSON.stringify(example)));
  return { ...rest, type: 'string', examples: texts };
};

/** Removes fields that are never accepted, because generators cannot create code for them in a form. */
export const withoutRejectedFields = (schema: JsonSchema): JsonSchema => {
  const fields = Object.entries(schema.properties ?? {});
  const rejected = fields.filter(([, field]) => isRejected(field)).map(([name]) => name);
  return {
    ...schema,
    description: `${schema.description} Not supported: ${rejected.join(', ')}.`,
    properties: Object.fromEntries(
      fields.filter(([, field]) => !isRejected(field)).map(([name, field]) => [name, asText(field)]),
    ),
  };
};

const PREFIX = '#/components/schemas/';
export const schemaRef = (name: string) => ({ $ref: `${PREFIX}${name}` });

export const SHARED_SCHEMAS = { ErrorResponse: openAiErrorSchema };

/** Zod schemas as JSON schemas that refer to each other by name. */
export const toComponents = (
  schemas: Readonly<Record<string, z.core.$ZodType>>,
): Readonly<Record<string, JsonSchema>> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `${PREFIX}${id}`,
    override: tidySchema,
  });
  return Object.fromEntries(
    Object.entries(converted.schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema]),
  );
};

/** Text that matches, one of some texts, or any text; other values have a schema of their own. */
type Values = RegExp | readonly string[] | object;

const toSchema = (values: Values = {}): object => {
  if (values instanceof RegExp) return { type: 'string', pattern: values.source };
  return { type: 'string', ...(Array.isArray(values) ? { enum: values } : values) };
};

export const pathParameter = (name: string, description: string, values?: Values) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: toSchema(values),
});
export const queryParameter = (name: string, description: string, values?: Values) => ({
  name,
  in: 'query',
  description,
  schema: toSchema(values),
});
export const afterParameter = (items: string, id?: RegExp) =>
  queryParameter('after', `Returns ${items} after this one, such as last_id of the previous page.`, id);
export const listParameter = (name: string, description: string, values?: Values) => ({
  ...queryParameter(`${name}[]`, description, { type: 'array', items: toSchema(values) }),
  explode: true,
});

export const UNIX_SECONDS = { type: 'integer', minimum: 0, maximum: 99_999_999_999 };

export const fromParameter = (name: string, items: string) =>
  queryParameter(name, `Only ${items} at or after this time, in Unix seconds.`, UNIX_SECONDS);
export const beforeParameter = (name: string, items: string) =>
  queryParameter(name, `Only ${items} before this time, in Unix seconds.`, UNIX_SECONDS);

/** The size of a page. */
export const upTo = (maximum: number, byDefault: number) => ({
  type: 'integer',
  minimum: 1,
  maximum,
  default: byDefault,
});

export const SHARED_PARAMETERS = {
  Limit: queryParameter(
    'limit',
    'Maximum number of items on the page. A page can be shorter if prompts are long; check has_more.',
    upTo(MAX_LIMIT, DEFAULT_LIMIT),
  ),
  Order: queryParameter('order', 'Sort order by creation time.', { enum: ORDERS, default: 'desc' }),
};

const requiredHeader = (description: string, schema: object = {}) => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
});
const optionalHeader = (description: string, schema: object = {}) => ({
  ...requiredHeader(description, schema),
  required: false,
});
const WHOLE = { pattern: '^[0-9]+$' };

export const HEADERS = {
  RequestId: requiredHeader('Identifies the request in the service’s logs.'),
  RetryAfter: requiredHeader('Seconds to wait before the next request.', WHOLE),
  PollAfter: optionalHeader(
    'Milliseconds to wait before polling again; absent once the task has ended.',
    WHOLE,
  ),
  PollRetryAfter: optionalHeader('Seconds to wait before the next request.', WHOLE),
  ShouldRetry: requiredHeader('The request cannot succeed if it is repeated.', { const: 'false' }),
  MayNotRetry: optionalHeader('Sent if the request cannot succeed when it is repeated.', { const: 'false' }),
  RateLimit: optionalHeader('Create requests per minute, if the account has a limit.', WHOLE),
  RateRemaining: optionalHeader('Create requests left in this minute.', WHOLE),
  RateReset: optionalHeader('Seconds until the minute ends.', { pattern: '^[0-9]+s$' }),
  IgnoredParameters: optionalHeader(
    'The names of fields that were accepted but not applied, such as user, metadata.campaign.',
  ),
  ModelAlias: optionalHeader(
    'The name that the request used and the model that it stands for, such as sora-2=video-3.1-fast-generate-preview; absent without an alias. Errors have it too.',
  ),
  Advice: optionalHeader('A recommendation for requests like this one, which was accepted.'),
  FileIds: optionalHeader(
    'The files in which the images are kept, separated by commas; absent if images are not stored.',
  ),
  ContentCredentials: optionalHeader(
    'Present if the conversion to another format or quality removed the content credentials (C2PA) of an image.',
    { const: 'removed' },
  ),
  Location: requiredHeader('A signed URL that is valid for at most 5 minutes.', { format: 'uri' }),
  CacheControl: optionalHeader('Responses must not be cached. Absent from errors of the gateway itself.'),
  SetCookie: requiredHeader('The session cookie.'),
  AllowOrigin: requiredHeader('Pages of any origin can read the response.', { const: '*' }),
  UploadUrl: optionalHeader('A secret URL that accepts the bytes of the file.', { format: 'uri' }),
  UploadStatus: optionalHeader('Absent if the request belongs to no upload.', {
    enum: ['active', 'final', 'cancelled'],
  }),
  UploadGranularity: optionalHeader('All chunks but the last are multiples of this number of bytes.', WHOLE),
  UploadReceived: optionalHeader('The number of bytes that have arrived.', WHOLE),
  NoStore: requiredHeader('The redirect must not be cached.', { const: 'no-store' }),
} as const;

const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

export const COMMON_HEADERS = {
  'x-request-id': headerRef('RequestId'),
  'cache-control': headerRef('CacheControl'),
};
export const POLL_HEADERS = {
  'openai-poll-after-ms': headerRef('PollAfter'),
  'retry-after': headerRef('PollRetryAfter'),
};
export const RATE_LIMIT_HEADERS = {
  'x-ratelimit-limit-requests': headerRef('RateLimit'),
  'x-ratelimit-remaining-requests': headerRef('RateRemaining'),
  'x-ratelimit-reset-requests': headerRef('RateReset'),
};
export const MODEL_HEADERS = { 'x-model-alias': headerRef('ModelAlias') };
/** Of the response to a create request. */
export const CREATE_HEADERS = {
  ...RATE_LIMIT_HEADERS,
  'x-ignored-parameters': headerRef('IgnoredParameters'),
  ...MODEL_HEADERS,
};
export const CREATE_TASK_HEADERS = {
  ...POLL_HEADERS,
  ...CREATE_HEADERS,
  'x-advice': headerRef('Advice'),
};
export const IMAGE_HEADERS = {
  ...CREATE_HEADERS,
  'x-file-id': headerRef('FileIds'),
  'x-advice': headerRef('Advice'),
};
export const CONVERTED_IMAGE_HEADERS = {
  ...IMAGE_HEADERS,
  'x-content-credentials': headerRef('ContentCredentials'),
};
export const ANY_ORIGIN_HEADERS = { 'access-control-allow-origin': headerRef('AllowOrigin') };
export const SESSION_HEADERS = { 'set-cookie': headerRef('SetCookie') };
export const UPLOAD_HEADERS = {
  'x-goog-upload-url': headerRef('UploadUrl'),
  'x-goog-upload-status': headerRef('UploadStatus'),
  'x-goog-upload-chunk-granularity': headerRef('UploadGranularity'),
  'x-goog-upload-size-received': headerRef('UploadReceived'),
};
export const REDIRECT_HEADERS = { location: headerRef('Location'), 'cache-control': headerRef('NoStore') };

/** The headers that `errorHeaders` sends. */
export const errorHeaderRefs = (status: number, retryable: 'none' | 'some' | 'all' = 'all') => ({
  ...COMMON_HEADERS,
  ...(retryable === 'none' ? { 'x-should-retry': headerRef('ShouldRetry') } : {}),
  ...(retryable === 'some' ? { 'x-should-retry': headerRef('MayNotRetry') } : {}),
  ...(status === 429 || status === 503 ? { 'retry-after': headerRef('RetryAfter') } : {}),
  ...(status === 429 ? RATE_LIMIT_HEADERS : {}),
});
