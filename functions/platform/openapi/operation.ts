import type { ErrorCode } from '../domain/errors.ts';
import { type SchemaName, schemaRef } from './components.ts';
import {
  type DialectName,
  EVERY_BODY,
  EVERY_REQUEST,
  errorResponses,
  GATEWAY_FAILURE,
} from './error-responses.ts';
import { EVERY_ANSWER } from './headers.ts';
import { type ParameterName, parameterRef } from './parameters.ts';

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
