import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { applyMutant, drawSample, isMessage } from './mutants.ts';
import { OUR_MUTATORS, type SyntaxNode } from './mutators.ts';
import { nearestTests, readTests, serviceTests, sourceFiles } from './reach.ts';

const hub = { file: { opts: { filename: 'a.ts' } } };

const applyMutator = (name: string, node: SyntaxNode, parent: SyntaxNode | null = null): SyntaxNode[] => {
  const mutator = OUR_MUTATORS.find((each) => each.name === name) ?? assert.fail(`no mutator ${name}`);
  return [...mutator.mutate({ node, parent, parentPath: null, hub })];
};

const identifier = (name: string): SyntaxNode => ({ type: 'Identifier', name });
const call = (callee: SyntaxNode): SyntaxNode => ({ type: 'CallExpression', callee, arguments: [] });
const member = (object: string, property: string): SyntaxNode => ({
  type: 'MemberExpression',
  object: identifier(object),
  property: identifier(property),
});

describe('a mutator', () => {
  const one = { type: 'NumericLiteral', value: 1 };
  const [a, b] = [identifier('a'), identifier('b')];
  const property = (name: string) => ({ type: 'ObjectProperty', value: identifier(name) });
  const object = (...names: string[]) => ({ type: 'ObjectExpression', properties: names.map(property) });
  const saved = call(identifier('save'));
  const statement = { type: 'ExpressionStatement' };
  const nullish = (operator: string) => ({ type: 'LogicalExpression', operator, left: a, right: b });
  const CASES: readonly (readonly [
    title: string,
    name: string,
    node: SyntaxNode,
    changed: readonly SyntaxNode[],
    parent?: SyntaxNode,
  ])[] = [
    ['adds one to a number', 'Number', one, [{ type: 'NumericLiteral', value: 2 }]],
    ['leaves a number that is an object key', 'Number', one, [], { type: 'ObjectProperty', key: one }],
    [
      'drops each member of an object that is not undefined',
      'Member',
      object('a', 'b', 'undefined'),
      [object('b', 'undefined'), object('a', 'undefined')],
    ],
    ['leaves an array of one', 'Member', { type: 'ArrayExpression', elements: [one] }, []],
    ['removes an await', 'Await', { type: 'AwaitExpression', argument: a }, [a]],
    ['removes a call whose result is not used', 'Statement', saved, [identifier('undefined')], statement],
    [
      'removes an awaited call whose result is not used',
      'Statement',
      { type: 'AwaitExpression', argument: saved },
      [identifier('undefined')],
      statement,
    ],
    ['leaves a call whose result is returned', 'Statement', saved, [], { type: 'ReturnStatement' }],
    [
      'keeps one side of a conditional',
      'Conditional',
      { type: 'ConditionalExpression', consequent: a, alternate: b },
      [a, b],
    ],
    ['keeps one side of a fallback', 'Fallback', nullish('??'), [a, b]],
    ['leaves other operators', 'Fallback', nullish('||'), []],
    ['rounds the other way', 'Rounding', call(member('Math', 'ceil')), [call(member('Math', 'floor'))]],
    ['leaves other methods', 'Rounding', call(member('bytes', 'toString')), []],
  ];
  for (const [title, name, node, changed, parent] of CASES)
    test(title, () => assert.deepEqual(applyMutator(name, node, parent), changed));
});

test('messages of errors are left out, but not the fields that they name', () => {
  const [field, message] = ['limit', 'must be a number.'].map((value) => ({ type: 'StringLiteral', value }));
  const inCall = (name: string) => ({ ...call(identifier(name)), arguments: [field, message] });
  const isLeftOut = (node: SyntaxNode | undefined, parent: SyntaxNode) =>
    isMessage({ node: node ?? assert.fail(), parent, parentPath: null, hub });
  for (const name of ['invalidField', 'refuse'])
    assert.deepEqual([isLeftOut(field, inCall(name)), isLeftOut(message, inCall(name))], [false, true], name);
  assert.deepEqual([isLeftOut(field, inCall('says')), isLeftOut(message, inCall('says'))], [true, true]);
  assert.equal(isLeftOut(message, inCall('describe')), false);
  assert.equal(isLeftOut(message, { type: 'NewExpression' }), true);
  assert.equal(isLeftOut(identifier('text'), { type: 'NewExpression' }), false);
  const template = { type: 'TemplateLiteral' };
  const parentPath = { node: template, parent: { type: 'NewExpression' }, parentPath: null, hub };
  assert.equal(isMessage({ node: identifier('text'), parent: template, parentPath, hub }), true);
});

describe('a change', () => {
  test('stays whole beside other operators', () => {
    const text = 'const a = b ?? c ?? d;';
    const changed = applyMutant(text, { place: [10, 16], replacement: 'b && c' });
    assert.equal(changed, 'const a = (b && c) ?? d;');
  });

  test('of a block has no parentheses', () => {
    assert.equal(
      applyMutant('const a = () => { b(); };', { place: [16, 24], replacement: '{}' }),
      'const a = () => {};',
    );
  });

  test('that has no effect or no valid syntax is left out', () => {
    for (const replacement of ['b', 'const'])
      assert.equal(applyMutant('const a = b;', { place: [10, 11], replacement }), undefined);
  });

  test('is drawn at random, by a seed', () => {
    const all = Array.from({ length: 100 }, (_, index) => index);
    const sample = drawSample(all, 10, 7);
    assert.equal(new Set(sample).size, 10);
    assert.deepEqual(drawSample(all, 10, 7), sample);
    assert.notDeepEqual(drawSample(all, 10, 8), sample);
  });
});

test('each slice has tests over HTTP', () => {
  for (const slice of globSync('functions/*')) {
    const groups = serviceTests(`${slice}/name.ts`);
    assert.ok(groups.length > 0 && groups.every((tests) => tests.length > 0), slice);
  }
});

describe('nearestTests', () => {
  test('returns the test of the unit first', () => {
    const tests = readTests('test/functions/**/*.test.ts');
    const [own, ...others] = nearestTests(tests, 'functions/platform/domain/money.ts', 3);
    assert.equal(own, 'test/functions/platform/domain/money.test.ts');
    assert.ok(others.every((name) => name.startsWith('test/functions/')) && others.length === 2);
    assert.deepEqual(nearestTests(tests, 'functions/platform/domain/no-such-file.ts', 3), []);
  });

  test('ignores tests that synthesize the stack', () => {
    assert.ok(!readTests('test/lib/stack/*.test.ts').has('test/lib/stack/tables.test.ts'));
  });
});

test('a path outside the project is rejected', () => {
  for (const path of ['../elsewhere', 'functions/no-such-folder'])
    assert.throws(() => sourceFiles([path]), /is not a file or folder of this project\.$/);
  assert.deepEqual(sourceFiles(['functions/platform/domain/errors.ts']), [
    'functions/platform/domain/errors.ts',
  ]);
});
