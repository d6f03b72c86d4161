import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { SUPPORTED_TYPES } from '../../../../lib/local/template/resource-types.ts';
import { createStack } from '../../../../lib/local/template/stack.ts';
import { templateSchema } from '../../../../lib/local/template/template.ts';

const ENVIRONMENT = {
  region: 'us-east-1',
  accountId: '000000000000',
  stackName: 'Test',
  endpoint: 'http://127.0.0.1:1',
};

/** As Fn::Sub writes it. */
const variable = (name: string) => `\${${name}}`;

const TEMPLATE = {
  Parameters: { Given: { Type: 'String', Default: 'default' } },
  Resources: {
    Table: { Type: 'AWS::DynamoDB::Table' },
    Queue: {
      Type: 'AWS::SQS::Queue',
      Properties: { QueueName: { 'Fn::Sub': `${variable('AWS::StackName')}-named` } },
    },
  },
};

const toStack = (template: unknown) => createStack(templateSchema.parse(template), ENVIRONMENT);
const resolve = (expression: unknown) => toStack(TEMPLATE).resolve(expression, 'Thing.Property');

describe('the template reader', () => {
  const VALUES: readonly (readonly [string, unknown, unknown])[] = [
    ['a name', { Ref: 'Table' }, 'Test-Table'],
    [
      'an attribute',
      { 'Fn::GetAtt': ['Table', 'Arn'] },
      'arn:aws:dynamodb:us-east-1:000000000000:table/Test-Table',
    ],
    ['a given name', { 'Fn::GetAtt': 'Queue.QueueName' }, 'Test-named'],
    ['a queue address', { Ref: 'Queue' }, 'http://127.0.0.1:1/000000000000/Test-named'],
    ['a pseudo parameter', { Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
    ['a parameter', { Ref: 'Given' }, 'default'],
    ['a join', { 'Fn::Join': ['/', ['a', { Ref: 'AWS::Region' }, 1]] }, 'a/us-east-1/1'],
    [
      'a substitution',
      { 'Fn::Sub': ['Table', 'Queue.QueueName', '!Literal'].map(variable).join() },
      `Test-Table,Test-named,${variable('Literal')}`,
    ],
    ['a substitution with variables', { 'Fn::Sub': [variable('Own'), { Own: { Ref: 'Given' } }] }, 'default'],
    ['a selection of a split', { 'Fn::Select': ['1', { 'Fn::Split': [',', 'a,b,c'] }] }, 'b'],
    ['no value', { kept: [{ Ref: 'AWS::NoValue' }, 1], gone: { Ref: 'AWS::NoValue' } }, { kept: [1] }],
    [
      'what is no function',
      { Condition: { StringEquals: {} }, deep: [{ Ref: 'Given' }] },
      { Condition: { StringEquals: {} }, deep: ['default'] },
    ],
  ];
  for (const [name, expression, value] of VALUES) {
    it(`resolves ${name}`, () => assert.deepEqual(resolve(expression), value));
  }

  const FAULTS: readonly (readonly [unknown, RegExp])[] = [
    [{ Ref: 'Nothing' }, /^Thing\.Property refers to Nothing, which the template does not have\.$/],
    [
      { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      /^Thing\.Property refers to Table\.StreamArn, which has no local value\.$/,
    ],
    [{ 'Fn::Sub': variable('Nothing.Arn') }, /^Thing\.Property refers to Nothing\.Arn, /],
    [
      { 'Fn::ImportValue': 'x' },
      /^Thing\.Property uses Fn::ImportValue, which the local cloud does not evaluate\.$/,
    ],
  ];
  for (const [expression, message] of FAULTS) {
    it(`rejects ${JSON.stringify(expression)}`, () => assert.throws(() => resolve(expression), { message }));
  }

  it('names the resource and property with an invalid value', () => {
    const stack = toStack(TEMPLATE);
    const [queue] = stack.resources(SUPPORTED_TYPES.queue);
    assert.ok(queue !== undefined);
    assert.throws(() => stack.properties(queue, z.object({ QueueName: z.number('a number is needed') })), {
      message: 'Queue.QueueName: a number is needed.',
    });
  });

  it('rejects an unknown resource type', () => {
    const template = { Resources: { Web: { Type: 'AWS::EC2::VPC' } } };
    assert.throws(() => toStack(template), {
      message: /^The local cloud does not know the resource type AWS::EC2::VPC of Web: /,
    });
  });
});
