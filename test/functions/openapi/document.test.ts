import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ENDPOINTS } from '../../../functions/openapi/api/endpoints.ts';
import { OPERATIONS } from '../../../functions/openapi/document.ts';
import { ERRORS } from '../../../functions/platform/domain/errors.ts';
import { corsHeaders } from '../../../functions/platform/runtime/cors.ts';
import { at, DOCUMENT, isNode, type Node, nodeAt, nodesIn, strictSchemaErrors } from './support/document.ts';

type Place = { readonly path: readonly string[]; readonly node: Node };

/** Every media type object with examples. */
const mediaTypes = (node: Node, path: readonly string[] = []): Place[] => [
  ...(isNode(node.examples) && isNode(node.schema) ? [{ path, node }] : []),
  ...Object.entries(node).flatMap(([name, value]) =>
    isNode(value) ? mediaTypes(value, [...path, name]) : [],
  ),
];
const EXAMPLES = mediaTypes(DOCUMENT).flatMap(({ path, node }) =>
  Object.entries(Object(node.examples)).map(([name, example]) => ({
    title: [...path.slice(1, 3), ...path.slice(3).filter((part) => /^\d|json$|data$/.test(part)), name].join(
      ' ',
    ),
    schema: [...path, 'schema'],
    value: Object(example).value,
  })),
);

/** The arrays within a schema, with references followed. */
const listsIn = (value: unknown, place: string, seen: readonly unknown[] = []): [string, Node][] => {
  if (Array.isArray(value))
    return value.flatMap((each, position) => listsIn(each, `${place}[${position}]`, seen));
  if (!isNode(value) || seen.includes(value.$ref ?? value)) return [];
  if (typeof value.$ref === 'string')
    return listsIn(at(...value.$ref.slice(2).split('/')), place, [...seen, value.$ref]);
  const own: [string, Node][] = value.type === 'array' ? [[place, value]] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, each]) => listsIn(each, `${place}.${name}`, seen)),
  ];
};

describe('the document', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(DOCUMENT));
    assert.deepEqual([valid, errors, validator.version], [true, undefined, '3.1']);
  });

  test('gives each operation a unique id and a described tag', () => {
    assert.equal(new Set(OPERATIONS.map(({ id }) => id)).size, OPERATIONS.length);
    const tags = Object.values(Object(DOCUMENT.tags)).map((tag) => Object(tag).name);
    const used = OPERATIONS.map(({ id }) => ENDPOINTS[id]?.tag ?? id);
    assert.deepEqual([...new Set(used)].toSorted(), tags.toSorted());
  });

  test('describes the headers that pages of other origins may read, and those that browsers handle', () => {
    const described = nodesIn(DOCUMENT.paths).flatMap(({ responses }) =>
      Object.values(Object(responses)).flatMap((response) => Object.keys(Object(Object(response).headers))),
    );
    const browsers = ['access-control-allow-origin', 'cache-control', 'location', 'set-cookie'];
    const headers = corsHeaders(() => 'https://app.example.com', ['https://app.example.com']);
    const exposed = headers['access-control-expose-headers']?.split(', ') ?? [];
    const documented = [...new Set(described.map((name) => name.toLowerCase()))].toSorted();
    assert.deepEqual(documented, [...exposed, ...browsers].toSorted());
  });

  test('gives no schema the name of a JavaScript global, which generated code would shadow', () => {
    const names = Object.keys(nodeAt('components', 'schemas'));
    const globals = names.filter((name) => name in globalThis);
    assert.deepEqual(globals, []);
  });

  test('limits the length of each list in a request', () => {
    const lists = OPERATIONS.filter(({ body }) => body !== undefined).flatMap(({ method, path, id }) =>
      listsIn(Object(at('paths', path, method.toLowerCase(), 'requestBody', 'content')), id),
    );
    const requested = lists.filter(([place]) => place.includes('.schema'));
    assert.ok(requested.length > 10, `${requested.length} lists`);
    const unlimited = requested.filter(([, { maxItems }]) => maxItems === undefined).map(([place]) => place);
    assert.deepEqual(unlimited, []);
  });

  test('has 401 where a key is needed, Retry-After on 429 and 503, and x-should-retry on a permanent 409', () => {
    for (const { method, path, errors = [] } of OPERATIONS) {
      const mayRetryConflicts = errors.every(
        (code) => ERRORS[code].http !== 409 || !('retry' in ERRORS[code]),
      );
      const responses = nodeAt('paths', path, method.toLowerCase(), 'responses');
      for (const status of Object.keys(responses).filter((name) => Number(name) >= 400)) {
        const headers = nodeAt('paths', path, method.toLowerCase(), 'responses', status, 'headers');
        const title = `${method} ${path} ${status}`;
        assert.equal('retry-after' in headers, ['429', '503'].includes(status), title);
        assert.ok('x-should-retry' in headers || status !== '409' || mayRetryConflicts, title);
        assert.ok('x-request-id' in headers, title);
      }
      assert.ok('429' in responses, path);
      const { security } = nodeAt('paths', path, method.toLowerCase());
      assert.equal('401' in responses, Object(security).length > 0, path);
    }
  });

  test('describes the parameters of each path', () => {
    for (const { path, parameters = [] } of OPERATIONS) {
      const inPath = parameters
        .map((name) => nodeAt('components', 'parameters', name))
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      assert.deepEqual(
        inPath,
        Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name),
        path,
      );
    }
  });

  test('has every error code with the status of the error table', () => {
    const known = Object(
      at('components', 'schemas', 'ErrorResponse', 'properties', 'error', 'properties', 'code'),
    );
    assert.deepEqual(known.enum, Object.keys(ERRORS));
    const used = EXAMPLES.filter(({ value }) => typeof value?.error?.type === 'string');
    for (const { value, schema } of used) {
      const [, row] = Object.entries(ERRORS).find(([code]) => code === value.error.code) ?? [];
      assert.equal(String(row?.http), schema[4], value.error.code);
    }
    assert.deepEqual(new Set(used.map(({ value }) => value.error.code)), new Set(Object.keys(ERRORS)));
  });
});

describe('each example fits its schema:', () => {
  const operations = Object.groupBy(EXAMPLES, ({ schema: [, path, method] }) => `${method} ${path}`);
  for (const [operation, examples = []] of Object.entries(operations))
    test(operation, () => {
      for (const { title, schema, value } of examples)
        assert.deepEqual(strictSchemaErrors(schema, value), [], title);
    });
});

test('an error response has the codes of its operation alone', () => {
  const content = ['responses', '404', 'content', 'application/json', 'schema'];
  const schema = ['paths', '/v1/videos/{task_id}', 'get', ...content];
  const error = { message: '', type: 'invalid_request_error', param: null };
  assert.deepEqual(strictSchemaErrors(schema, { error: { ...error, code: 'video_not_found' } }), []);
  assert.notDeepEqual(strictSchemaErrors(schema, { error: { ...error, code: 'model_not_found' } }), []);
});

const NODES = nodesIn(DOCUMENT);

const camelCase = (name: string): string =>
  name.replaceAll(/[^a-zA-Z0-9]+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());

describe('the document, for client generators', () => {
  for (const kind of ['schemas', 'parameters', 'headers'])
    test(`uses each of its ${kind}`, () => {
      const references = new Set(NODES.map(({ $ref }) => $ref));
      const unused = Object.keys(nodeAt('components', kind)).filter(
        (name) => !references.has(`#/components/${kind}/${name}`),
      );
      assert.deepEqual(unused, []);
    });

  test('has no object with two fields of the same name in camel case', () => {
    const objects = NODES.flatMap(({ properties }) => (isNode(properties) ? [Object.keys(properties)] : []));
    assert.ok(objects.some((names) => names.includes('negativePrompt')));
    const ambiguous = objects.filter((names) => new Set(names.map(camelCase)).size < names.length);
    assert.deepEqual(ambiguous, []);
  });

  test('has no repeated enum values, and no oneOf or anyOf with a single option', () => {
    for (const { enum: values, oneOf, anyOf } of NODES) {
      if (Array.isArray(values)) assert.deepEqual(values, [...new Set(values)]);
      for (const options of [oneOf, anyOf]) assert.ok(!Array.isArray(options) || options.length > 1);
    }
  });

  test('has no enum with values of several types or beside other options, and no empty constant', () => {
    for (const { enum: values, anyOf, const: constant } of NODES) {
      if (Array.isArray(values)) {
        assert.equal(new Set(values.map((value) => typeof value)).size, 1, String(values));
        assert.equal(anyOf, undefined, String(values));
      }
      assert.notEqual(constant, '');
    }
  });

  test('has no two paths that match the same URL', () => {
    const paths = Object.keys(nodeAt('paths')).map((path) => path.split('/'));
    const overlap = (one: readonly string[], other: readonly string[]): boolean =>
      one.length === other.length &&
      one.every((part, position) => {
        const [left, right] = [part, other[position] ?? ''];
        return left === right || left.startsWith('{') !== right.startsWith('{');
      });
    const ambiguous = paths.flatMap((one, position) =>
      paths
        .slice(position + 1)
        .flatMap((other) => (overlap(one, other) ? [`${one.join('/')} ${other.join('/')}`] : [])),
    );
    assert.deepEqual(ambiguous, []);
  });

  test('describes each error completely, without allOf', () => {
    const combined = NODES.filter(({ allOf }) => allOf !== undefined);
    assert.deepEqual(combined, []);
  });
});
