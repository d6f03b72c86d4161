import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rejectCircularDependencies, templateSchema } from '../../../../lib/local/template/template.ts';

const check = (Resources: Record<string, object>): void =>
  rejectCircularDependencies(
    templateSchema.parse({
      Resources: Object.fromEntries(
        Object.entries(Resources).map(([id, resource]) => [id, { Type: 'AWS::X::Y', ...resource }]),
      ),
    }),
  );

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
    test(`is rejected: ${title}`, () => {
      const role = { Properties: { Policies: [{ Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] } }] } };
      assert.throws(() => check({ Role: role, Queue: queue }), {
        message: 'Circular dependency: Role → Queue → Role.',
      });
      check({ Role: {}, Queue: queue });
    });

  test('differs from two resources that depend on a third', () => {
    const waits = { Properties: { A: { Ref: 'Third' }, B: { Ref: 'AWS::Region' } } };
    check({ One: waits, Other: waits, Third: {} });
  });
});
