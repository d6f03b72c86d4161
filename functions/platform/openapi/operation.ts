import type * as z from 'zod/mini';
import type { ErrorCode } from '../domain/errors.ts';
import { type DialectName, errorResponses, GATEWAY_FAILURE } from './error-responses.ts';
import { COMMON_HEADERS, type JsonSchema, MODEL_HEADERS, REDIRECT_HEADERS, schemaRef } from './parameters.ts';

/** A method of a path: its request and its responses. Schemas and parameters are referred to by their names. */
export type Operation = {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Decides where the API key is sent and how errors look; absent if no key is needed. */
  readonly dialect?: DialectName;
  /** A console session is not accepted. */
  readonly keysOnly?: true;
  /** Without those of the path. */
  readonly parameters?: readonly string[];
  readonly body?: Readonly<Record<string, object>>;
  readonly bodyIsOptional?: true;
  readonly responses?: Readonly<Record<string, object>>;
  /** Codes in addition to those of every operation. */
  readonly errors?: readonly ErrorCode[];
  /** Headers of error responses in addition to those of every operation. */
  readonly errorHeaders?: object;
};

/** The operations of a slice, with the components that they refer to. */
export type ApiPart = {
  readonly operations: readonly Operation[];
  readonly schemas?: Readonly<Record<string, z.core.$ZodType>>;
  /** Forms, derived from the converted schemas. */
  readonly forms?: (schemas: Readonly<Record<string, JsonSchema>>) => Readonly<Record<string, JsonSchema>>;
  readonly parameters?: Readonly<Record<string, { readonly name: string; readonly in: string }>>;
};

type Examples = Readonly<Record<string, unknown>>;

const toExampleObjects = (examples: Examples) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

export const jsonContent = (schema: string, examples: Examples) => ({
  'application/json': { schema: schemaRef(schema), examples: toExampleObjects(examples) },
});

export const formContent = (schema: string, encoding: object, examples: Examples) => ({
  'multipart/form-data': { schema: schemaRef(schema), encoding, examples: toExampleObjects(examples) },
});

/** OpenAPI 3.1 can describe an event only in words; `contentSchema` is for readers and tools that look at it. */
export const eventContent = (description: string, data: string) => ({
  'text/event-stream': {
    schema: {
      type: 'string',
      description,
      contentMediaType: 'text/event-stream',
      contentSchema: schemaRef(data),
    },
  },
});

export const response = (description: string, content: object, headers: object = {}) => ({
  description,
  headers: { ...COMMON_HEADERS, ...headers },
  content,
});

/** The success of most operations. */
export const jsonResponse = (description: string, schema: string, examples: Examples, headers?: object) => ({
  200: response(description, jsonContent(schema, examples), headers),
});

export const redirect = (description: string) => ({
  302: { description, headers: { ...COMMON_HEADERS, ...REDIRECT_HEADERS } },
});

/** The API key can be sent in any one of these places. */
const SECURITY: Readonly<Record<DialectName, readonly string[]>> = {
  openAi: ['bearer'],
  native: ['vendorKey', 'googleKey', 'bearer', 'queryKey'],
};

/** Errors of every operation that needs a key, of every one that needs none, and of every one with a body. */
const KEY_ERRORS = [
  'invalid_request',
  'invalid_api_key',
  'session_renewal_required',
  'insufficient_permissions',
  'rate_limited',
  'overloaded',
  'internal',
] as const;
const PUBLIC_ERRORS = ['rate_limited', 'internal'] as const;
const BODY_ERRORS = ['request_too_large', 'unsupported_media_type'] as const;

export const describeOperation = (
  { dialect, keysOnly, body, errors = [], errorHeaders, ...operation }: Operation,
  tag: string,
) => ({
  operationId: operation.id,
  tags: [tag],
  summary: operation.summary,
  description: operation.description,
  security:
    dialect === undefined
      ? []
      : [...SECURITY[dialect], ...(keysOnly ? [] : ['session'])].map((name) => ({ [name]: [] })),
  ...(operation.parameters === undefined || operation.parameters.length === 0
    ? {}
    : { parameters: operation.parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
  ...(body === undefined
    ? {}
    : { requestBody: { required: operation.bodyIsOptional !== true, content: body } }),
  responses: {
    ...operation.responses,
    ...errorResponses(
      dialect ?? 'openAi',
      [
        ...(dialect === undefined ? PUBLIC_ERRORS : KEY_ERRORS),
        ...(body === undefined ? [] : BODY_ERRORS),
        ...errors,
      ],
      // A request that names a model may have used an alias.
      errors.includes('model_not_found') ? { ...MODEL_HEADERS, ...errorHeaders } : errorHeaders,
    ),
    default: GATEWAY_FAILURE,
  },
});
