import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allConfigurations } from './configurations.ts';
import { schemaProblems } from './resource-schema.ts';
import type { Template } from './synthesized-template.ts';

const configurations = await allConfigurations();

describe("every resource matches CloudFormation's schema:", () => {
  for (const { name, template } of configurations)
    test(name, () => assert.deepEqual(schemaProblems(template), []));
});

const oneResource = (Type: string, Properties: Record<string, unknown>): Template => ({
  Resources: { Function: { Type, Properties } },
  Outputs: {},
});

const functionWith = (properties: Record<string, unknown>): Template =>
  oneResource('AWS::Lambda::Function', {
    Role: 'arn:aws:iam::123456789012:role/x',
    Code: { ZipFile: '' },
    ...properties,
  });

/** Templates with one mistake each. */
const MISTAKES: readonly (readonly [mistake: string, template: Template, problem: RegExp])[] = [
  [
    'a misspelt property of a nested type',
    functionWith({ Environment: { Variable: {} } }),
    /^Function\.Environment\.Variable: there is no such property$/,
  ],
  [
    'a number in place of a string, in a map',
    functionWith({ Environment: { Variables: { LIMIT: 1 } } }),
    /^Function\.Environment\.Variables\.LIMIT: expected a string, found 1$/,
  ],
  [
    'a value that is not one of those allowed',
    functionWith({ TracingConfig: { Mode: 'Passive' } }),
    /^Function\.TracingConfig\.Mode: expected one of Active, PassThrough, found "Passive"$/,
  ],
  [
    'a missing property',
    oneResource('AWS::Lambda::Function', { Code: { ZipFile: '' } }),
    /^Function\.Role: is required$/,
  ],
  [
    'an unknown type',
    oneResource('AWS::Lambda::Functions', {}),
    /^Function: there is no resource type AWS::Lambda::Functions$/,
  ],
  [
    'an unknown attribute',
    { ...functionWith({}), Outputs: { Url: { Value: { 'Fn::GetAtt': ['Function', 'Url'] } } } },
    /^Fn::GetAtt Function\.Url: AWS::Lambda::Function has no such attribute$/,
  ],
];

describe('the schema rejects', () => {
  for (const [mistake, template, problem] of MISTAKES)
    test(mistake, () => {
      const [found = '', ...others] = schemaProblems(template);
      assert.match(found, problem);
      assert.deepEqual(others, []);
    });
});

test('the schema accepts an intrinsic function in place of a value', () => {
  const template = functionWith({ MemorySize: { Ref: 'Memory' }, Role: { 'Fn::ImportValue': 'Role' } });
  assert.deepEqual(schemaProblems(template), []);
});
