import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { type Parser, rememberExpressions } from '../../../../lib/local/emulators/dynamodb/expressions.ts';

const require = createRequire(import.meta.url);
const { parse }: Parser = require('dynalite/db/conditionParser');

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Counts the expressions that reach dynalite's own parser. */
const createParser = () => {
  const texts: string[] = [];
  const parser: Parser = {
    parse: (text, options) => {
      texts.push(text);
      return parse(text, options);
    },
  };
  rememberExpressions(parser);
  return { parser, texts };
};

const contextWith = (attrNames: Readonly<Record<string, string>>, attrVals: Values) => ({
  attrNames,
  attrVals,
  unusedAttrNames: Object.fromEntries(Object.keys(attrNames).map((name) => [name, true as const])),
  unusedAttrVals: Object.fromEntries(Object.keys(attrVals).map((name) => [name, true as const])),
  isReserved: () => false,
  compare: (_operator: string, lower: { N: string }, upper: { N: string }) =>
    Number(lower.N) > Number(upper.N),
});

const STATUS = { '#status': 'status' };
const CLAIM =
  'attribute_exists(id) AND (attribute_not_exists(#status) OR (#status.at < :now AND step = :step))';

describe('a remembered expression', () => {
  test('is parsed once, and has the values of each request', () => {
    const { parser, texts } = createParser();
    for (const now of ['1', '2', '3']) {
      const values = { ':now': { N: now }, ':step': { S: `step ${now}` } };
      assert.deepEqual(
        parser.parse(CLAIM, { context: contextWith(STATUS, values) }),
        parse(CLAIM, { context: contextWith(STATUS, values) }),
      );
    }
    assert.deepEqual(texts, [CLAIM]);
  });

  test('shares nothing between two requests', () => {
    const { parser } = createParser();
    const read = () => parser.parse('id = :id', { context: contextWith({}, { ':id': { S: 'a' } }) });
    const [first, second] = [read(), read()];
    assert.deepEqual(first, second);
    assert.notEqual(first, second);
  });

  test('marks the names and values that it uses, and no others', () => {
    const { parser } = createParser();
    for (let time = 0; time < 2; time += 1) {
      const values = { ':now': { N: '1' }, ':step': { S: '2' }, ':other': { S: '3' } };
      const context = contextWith({ ...STATUS, '#other': 'other' }, values);
      parser.parse(CLAIM, { context });
      assert.deepEqual(context.unusedAttrNames, { '#other': true });
      assert.deepEqual(context.unusedAttrVals, { ':other': true });
    }
  });

  test('is parsed again for other names and for values of other types', () => {
    const { parser } = createParser();
    const read = (name: string, value: Readonly<Record<string, unknown>>) =>
      parser.parse('begins_with(id.#a, :a)', { context: contextWith({ '#a': name }, { ':a': value }) });
    assert.notDeepEqual(read('lane', { S: 'x' }), read('step', { S: 'x' }));
    assert.match(String(read('lane', { N: '1' })), /Incorrect operand type/);
  });
});

test('an expression whose validity depends on its values is parsed for each request', () => {
  const { parser } = createParser();
  const read = (lower: string, type: string) =>
    parser.parse('id BETWEEN :lower AND :upper AND attribute_type(id, :type)', {
      context: contextWith({}, { ':lower': { N: lower }, ':upper': { N: '5' }, ':type': { S: type } }),
    });
  assert.equal(typeof read('1', 'S'), 'object');
  assert.match(String(read('9', 'S')), /upper bound/);
  assert.match(String(read('1', 'T')), /Invalid attribute type/);
});
