import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DOCUMENT, isNode, type Node, nodeAt } from './support/document.ts';

/** Every object of the document, lists looked through. */
const nodesIn = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isNode(value) ? [value, ...Object.values(value).flatMap(nodesIn)] : [];
};
const NODES = nodesIn(DOCUMENT);

const camelCase = (name: string): string =>
  name.replaceAll(/[^a-zA-Z0-9]+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());

describe('the document, for generators of clients', () => {
  for (const kind of ['schemas', 'parameters', 'headers'])
    test(`refers to each of its ${kind}`, () => {
      const references = new Set(NODES.map(({ $ref }) => $ref));
      const unused = Object.keys(nodeAt('components', kind)).filter(
        (name) => !references.has(`#/components/${kind}/${name}`),
      );
      assert.deepEqual(unused, []);
    });

  test('has no two fields of an object that are one in camel case', () => {
    const objects = NODES.flatMap(({ properties }) => (isNode(properties) ? [Object.keys(properties)] : []));
    assert.ok(objects.some((names) => names.includes('negativePrompt')));
    assert.deepEqual(
      objects.filter((names) => new Set(names.map(camelCase)).size < names.length),
      [],
    );
  });

  test('repeats no value of an enumeration, and offers no choice of one', () => {
    for (const { enum: values, oneOf, anyOf } of NODES) {
      if (Array.isArray(values)) assert.deepEqual(values, [...new Set(values)]);
      for (const options of [oneOf, anyOf]) assert.ok(!Array.isArray(options) || options.length > 1);
    }
  });

  test('describes an error at one place, without additions to another schema', () => {
    assert.deepEqual(
      NODES.filter(({ allOf }) => allOf !== undefined),
      [],
    );
  });
});
