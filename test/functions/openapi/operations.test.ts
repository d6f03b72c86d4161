import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '../../../functions/openapi/api/endpoints.ts';
import { OPERATIONS } from '../../../functions/openapi/document.ts';
import type { Operation } from '../../../functions/platform/openapi/operation.ts';
import { at, DOCUMENT, isNode, type Node, nodeAt } from './support/document.ts';

const entries = (value: unknown): [string, Node][] =>
  Object.entries(Object(value)).map(([name, each]) => [name, Object(each)]);

const describeContent = (content: unknown): string[] =>
  entries(content).map(([type, { schema, examples }]) => {
    const { $ref, type: plain } = Object(schema);
    const names = Object.keys(Object(examples)).join(' ');
    return [type, $ref?.split('/').at(-1) ?? plain, ...(names === '' ? [] : [`(${names})`])].join(' ');
  });

const COMMON_HEADERS = ['x-request-id', 'cache-control'];

const describeResponse = ([status, { headers, content }]: [string, Node]): string[] => {
  const own = Object.keys(Object(headers)).filter((name) => !COMMON_HEADERS.includes(name));
  return [[`  ${status}`, ...describeContent(content), ...own].join(', ')];
};

/** One operation as lines of text: its keys, role and throttle, its request, its successful responses, and the errors of its own. */
const describeOperation = ({ id, method, path, errors = [] }: Operation): string[] => {
  const operation = nodeAt('paths', path, method);
  const { operationId, tags, security, parameters = [], requestBody, responses } = operation;
  const keys = Object.values(Object(security)).flatMap((each) => Object.keys(Object(each)));
  const named = Object.values(Object(parameters)).map((each) => {
    const { name, in: place, required = false } = nodeAt(...Object(each).$ref.slice(2).split('/'));
    return `${place} ${name}${required ? '' : '?'}`;
  });
  const { required, content } = Object(requestBody);
  const { role, throttle } = { throttle: undefined, ...ENDPOINTS[id] };
  return [
    `${method} ${path}: ${operationId}, ${tags}`,
    `  keys: ${keys.join(' ')}, role: ${role}${throttle === undefined ? '' : `, throttle: ${throttle}`}`,
    ...(named.length === 0 ? [] : [`  parameters: ${named.join(', ')}`]),
    ...(content === undefined
      ? []
      : [`  body${required ? '' : '?'}: ${describeContent(content).join(', ')}`]),
    ...entries(responses)
      .filter(([status]) => /^[23]/.test(status))
      .flatMap(describeResponse),
    ...(errors.length === 0 ? [] : [`  errors: ${errors.join(' ')}`]),
  ];
};

const describeComponents = (kind: 'parameters' | 'headers'): string[] =>
  entries(at('components', kind)).map(([name, { schema }]) => `${kind}, ${name}: ${JSON.stringify(schema)}`);

/** The values that a schema accepts, without its texts and the schemas inside it. */
const describeValues = (schema: Node): string => {
  const { description, examples, properties, required, items, anyOf, oneOf, ...values } = schema;
  return JSON.stringify(values);
};

/** A schema and its fields, one per line with `?` if it may be absent, and `:` if a text describes it. */
const describeSchema = (name: string, schema: Node, indent: string): string[] => {
  const { properties, required, items, anyOf, oneOf } = schema;
  const needed = Object.values(Object(required));
  const fields = entries(properties).flatMap(([field, each]) => {
    const mark = `${needed.includes(field) ? '' : '?'}${each.description === undefined ? '' : ':'}`;
    return describeSchema(`${field}${mark}`, each, `${indent}  `);
  });
  const others = [...entries(items === undefined ? {} : { items }), ...entries(anyOf), ...entries(oneOf)];
  return [
    `${indent}${name} ${describeValues(schema)}`,
    ...fields,
    ...others.flatMap(([place, each]) => describeSchema(place, each, `${indent}  `)),
  ];
};

const describeSchemas = (): string[] =>
  entries(at('components', 'schemas')).flatMap(([name, schema]) => describeSchema(name, schema, ''));

/** Errors have the same form for all operations of a dialect. */
const describeErrors = (path: string, status: string): string[] => {
  const { content } = nodeAt('paths', path, 'post', 'responses', status);
  return describeSchema(`${status} of ${path}`, Object(Object(content)['application/json']).schema, '');
};

const describeKeys = (): string[] =>
  entries(at('components', 'securitySchemes')).map(
    ([name, scheme]) => `key, ${name}: ${describeValues(scheme)}`,
  );

const describeDocument = (): string[] => [
  ...OPERATIONS.flatMap(describeOperation),
  ...describeComponents('parameters'),
  ...describeComponents('headers'),
  ...describeKeys(),
  ...describeSchemas(),
  ...describeErrors('/v1/videos', '429'),
  ...describeErrors('/v1beta/models/{model}:generateContent', '404'),
];

test('the document has the operations, parameters, headers and fields of operations.txt', () => {
  const file = join(import.meta.dirname, 'operations.txt');
  if (process.env.UPDATE_OPERATIONS === '1') writeFileSync(file, `${describeDocument().join('\n')}\n`);
  assert.deepEqual(describeDocument(), readFileSync(file, 'utf8').trimEnd().split('\n'));
});

test('every answer to a request that can name an alias describes x-model-alias', () => {
  const describing = OPERATIONS.filter(({ method, path }) => {
    const { responses } = nodeAt('paths', path, method);
    const headers = ['200', '400', '404', '429'].map((status) => Object(Object(responses)[status]).headers);
    return headers.every((each) => Object.hasOwn(Object(each), 'x-model-alias'));
  });
  assert.deepEqual(describing.map(({ id }) => id).toSorted(), [
    ...['createChatCompletion', 'createGeneration', 'createResponse', 'createVideo', 'editImages'],
    ...['generateContent', 'generateImages', 'getModel', 'getNativeModel', 'predict', 'predictLongRunning'],
    'streamGenerateContent',
  ]);
});

describe('each text of the document has words:', () => {
  /** An empty part would leave two spaces, or one before a comma. */
  const isText = (value: unknown): boolean =>
    typeof value === 'string' && value.length > 3 && value.trim() === value && !/ {2}| [,.;:]/.test(value);

  test('of an operation and its responses', () => {
    for (const { method, path } of OPERATIONS) {
      const { summary, description, responses } = nodeAt('paths', path, method);
      assert.ok(isText(summary) && isText(description), path);
      for (const [status, response] of entries(responses))
        assert.ok(isText(response.description), `${path} ${status}`);
    }
  });

  for (const kind of ['parameters', 'headers'])
    test(`of ${kind}, which have a type`, () => {
      for (const [name, { description, schema }] of entries(at('components', kind))) {
        assert.ok(isText(description), name);
        const { type, anyOf, oneOf } = Object(schema);
        assert.ok((type ?? anyOf ?? oneOf) !== undefined, name);
      }
    });

  test('of tags, keys and the whole document', () => {
    for (const place of [DOCUMENT.tags, at('components', 'securitySchemes')])
      for (const [name, { description }] of entries(place)) assert.ok(isText(description), name);
    const { contact, license, ...info } = nodeAt('info');
    for (const each of [info, contact, license])
      for (const text of Object.values(Object(each))) assert.ok(isText(text), String(text));
  });

  test('of every part that has one', () => {
    const check = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const text of [Object(value).description, Object(value).summary])
        assert.ok(text === undefined || isNode(text) || isText(text), `${place}: ${text}`);
      for (const [name, each] of Object.entries(value)) check(each, `${place}.${name}`);
    };
    check(DOCUMENT, 'document');
  });
});
