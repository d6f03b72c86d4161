import * as z from 'zod/mini';
import { nativeErrorOf, openAiErrorOf } from '../api/error-schema.ts';
import { type Dialect, nativeDialect, openAiDialect } from '../api/errors.ts';
import { DomainError, ERRORS, type ErrorCode } from '../domain/errors.ts';
import { schemaRef } from './components.ts';
import { ERROR_MESSAGES } from './error-examples.ts';
import { errorHeaderRefs } from './headers.ts';
import { tidySchema } from './tidy-schema.ts';

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
