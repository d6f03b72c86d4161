import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orderByDependencies, templateSchema } from '../../../../lib/local/template/template.ts';

const circle = (Resources: Record<string, object>): string | undefined =>
  orderByDependencies(
    templateSchema.parse({
      Resources: Object.fromEntries(
        Object.entries(Resources).map(([id, resource]) => [id, { Type: 'AWS::X::Y', ...resource }]),
      ),
    }),
  ).circle;

const REFERENCES: readonly (readonly [title: string, resource: object])[] = [
  ['a reference', { Properties: { A: [{ Ref: 'Role' }] } }],
  ['an attribute', { Properties: { A: { 'Fn::GetAtt': ['Role', 'Arn'] } } }],
  ['an attribute in one text', { Properties: { A: { 'Fn::GetAtt': 'Role.Arn' } } }],
  ['a text with a name in it', { Properties: { A: { 'Fn::Sub': `arn:\${Role.Arn}/*` } } }],
  ['an order', { DependsOn: 'Role' }],
  ['several orders', { DependsOn: ['Role'] }],
];

describe('a stack with circular dependencies', () => {
  for (const [title, queue] of REFERENCES)
    test(`is noticed: ${title}`, () => {
      const role = { Properties: { Policies: [{ Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] } }] } };
      assert.equal(circle({ Role: role, Queue: queue }), 'Circular dependency: Role → Queue → Role');
      assert.equal(circle({ Role: {}, Queue: queue }), undefined);
    });

  test('differs from two resources that depend on a third', () => {
    const waits = { Properties: { A: { Ref: 'Third' }, B: { Ref: 'AWS::Region' } } };
    assert.equal(circle({ One: waits, Other: waits, Third: {} }), undefined);
  });
});
