import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudFormationClient,
  CreateChangeSetCommand,
  type CreateChangeSetCommandInput,
  DeleteChangeSetCommand,
  DeleteStackCommand,
  DescribeChangeSetCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  ExecuteChangeSetCommand,
  ListStackResourcesCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { startControlPlane } from '../../../../lib/local/control-plane/control-plane.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let failing = '';
const plane = await startControlPlane({
  folder: await temporaryFolder('control-plane'),
  failAt: ({ logicalId }, operation) =>
    logicalId === failing && operation !== 'DELETE' ? 'It fails for a test.' : undefined,
});
after(plane.close);
const { AWS_ENDPOINT_URL: endpoint, AWS_REGION: region, ...variables } = plane.environment;
const config = {
  endpoint,
  region,
  credentials: {
    accessKeyId: variables.AWS_ACCESS_KEY_ID,
    secretAccessKey: variables.AWS_SECRET_ACCESS_KEY,
  },
};
const client = new CloudFormationClient(config);
const s3 = new S3Client({ ...config, forcePathStyle: true });
const dynamo = new DynamoDBClient(config);
const secrets = new SecretsManagerClient(config);

const describeStack = async (StackName: string) => {
  const { Stacks: [found] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  return found ?? assert.fail('no stack');
};

/** Resolves with the status in which the stack comes to rest. */
const settle = async (StackName: string): Promise<string> => {
  for (;;) {
    const { StackStatus = '' } = await describeStack(StackName);
    if (!/_IN_PROGRESS$/.test(StackStatus) || StackStatus === 'REVIEW_IN_PROGRESS') return StackStatus;
    await sleep(10);
  }
};

type Template = { readonly Resources: Readonly<Record<string, object>> } & Readonly<Record<string, unknown>>;

const submit = async (
  StackName: string,
  template: Template,
  more: Partial<CreateChangeSetCommandInput> = {},
) => {
  const { Id: ChangeSetName, StackId } = await client.send(
    new CreateChangeSetCommand({
      StackName,
      ChangeSetName: 'changes',
      ChangeSetType: 'CREATE',
      TemplateBody: JSON.stringify(template),
      ...more,
    }),
  );
  const { Status, StatusReason } = await client.send(new DescribeChangeSetCommand({ ChangeSetName }));
  if (Status === 'FAILED') return { status: `FAILED: ${StatusReason}`, id: StackId ?? '' };
  await client.send(new ExecuteChangeSetCommand({ ChangeSetName }));
  return { status: await settle(StackId ?? ''), id: StackId ?? '' };
};

const remove = async (id: string): Promise<string> => {
  await client.send(new DeleteStackCommand({ StackName: id }));
  return settle(id);
};

const eventsOf = async (id: string): Promise<readonly string[]> => {
  const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand({ StackName: id }));
  return StackEvents.map((event) => `${event.LogicalResourceId} ${event.ResourceStatus}`).toReversed();
};

const TABLE = {
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  },
};
const QUEUE = { Type: 'AWS::SQS::Queue', Properties: {} };
const BUCKET = { Type: 'AWS::S3::Bucket', Properties: {} };
const SECRET = { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: {} } };
const ROLE = {
  Type: 'AWS::IAM::Role',
  Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } },
};

describe('the control plane, with a stack,', () => {
  test('creates its resources with names of their own, and deletes them', async () => {
    const template = {
      Resources: { Table: TABLE, Queue: QUEUE, Bucket: BUCKET },
      Outputs: { Table: { Value: { Ref: 'Table' } } },
    };
    const { status, id } = await submit('simple', template);
    assert.equal(status, 'CREATE_COMPLETE');
    const { Outputs: [output] = [] } = await describeStack('simple');
    assert.match(output?.OutputValue ?? '', /^simple-Table-[A-Z0-9]{12}$/);
    const TableName = output?.OutputValue ?? '';
    await dynamo.send(new DescribeTableCommand({ TableName }));
    assert.equal(await remove(id), 'DELETE_COMPLETE');
    await assert.rejects(dynamo.send(new DescribeTableCommand({ TableName })), {
      name: 'ResourceNotFoundException',
    });
    await assert.rejects(describeStack('simple'), /Stack with id simple does not exist/);
  });

  test('rolls a failed creation back, and leaves what its policies retain', async () => {
    failing = 'Queue';
    const template = {
      Resources: {
        Table: { ...TABLE, DeletionPolicy: 'Retain' },
        Secret: { ...SECRET, DeletionPolicy: 'RetainExceptOnCreate' },
        Bucket: BUCKET,
        Queue: { ...QUEUE, DependsOn: ['Table', 'Secret', 'Bucket'] },
      },
    };
    const { status, id } = await submit('failed', template);
    failing = '';
    assert.equal(status, 'ROLLBACK_COMPLETE');
    assert.deepEqual((await eventsOf(id)).slice(-7), [
      'failed ROLLBACK_IN_PROGRESS',
      'Bucket DELETE_IN_PROGRESS',
      'Bucket DELETE_COMPLETE',
      'Secret DELETE_IN_PROGRESS',
      'Secret DELETE_COMPLETE',
      'Table DELETE_SKIPPED',
      'failed ROLLBACK_COMPLETE',
    ]);
    const left = await plane.dataResources('failed');
    assert.deepEqual(
      left.map(({ logicalId }) => logicalId),
      ['Table'],
    );
    await assert.rejects(
      submit('failed', template, { ChangeSetType: 'UPDATE' }),
      /is in ROLLBACK_COMPLETE state and can not be updated/,
    );
  });

  test('updates what has changed, removes what is gone, and rolls a failed update back', async () => {
    const { id } = await submit('updated', { Resources: { Queue: QUEUE, Bucket: BUCKET } });
    const slow = { ...QUEUE, Properties: { VisibilityTimeout: 60 } };
    const update = (Resources: Template['Resources']) =>
      submit('updated', { Resources }, { ChangeSetType: 'UPDATE' });
    assert.match(
      (await update({ Queue: QUEUE, Bucket: BUCKET })).status,
      /^FAILED: .*didn't contain changes/,
    );
    failing = 'Table';
    assert.equal((await update({ Queue: slow, Table: TABLE })).status, 'UPDATE_ROLLBACK_COMPLETE');
    failing = '';
    const names = async () => {
      const { StackResourceSummaries = [] } = await client.send(
        new ListStackResourcesCommand({ StackName: id }),
      );
      return StackResourceSummaries.map(({ LogicalResourceId }) => LogicalResourceId).toSorted();
    };
    assert.deepEqual(await names(), ['Bucket', 'Queue']);
    assert.equal((await update({ Queue: slow, Table: TABLE })).status, 'UPDATE_COMPLETE');
    assert.deepEqual(await names(), ['Queue', 'Table']);
  });

  test('keeps a bucket with objects, and a stack with termination protection', async () => {
    const { id } = await submit('full', { Resources: { Bucket: BUCKET } });
    const [bucket] = await plane.dataResources('full');
    await s3.send(new PutObjectCommand({ Bucket: bucket?.ref, Key: 'a', Body: 'b' }));
    const protect = (EnableTerminationProtection: boolean) =>
      client.send(new UpdateTerminationProtectionCommand({ StackName: id, EnableTerminationProtection }));
    await protect(true);
    await assert.rejects(remove(id), /cannot be deleted while TerminationProtection is enabled/);
    await protect(false);
    assert.equal(await remove(id), 'DELETE_FAILED');
  });

  test('keeps the value of a secret over an update, and imports it into another stack', async () => {
    const secret = { ...SECRET, DeletionPolicy: 'Retain' };
    const { id } = await submit('secrets', { Resources: { Secret: secret } });
    const [{ ref: SecretId } = assert.fail('no secret')] = await plane.dataResources('secrets');
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: 'a key' }));
    await submit('secrets', { Resources: { Secret: secret, Queue: QUEUE } }, { ChangeSetType: 'UPDATE' });
    assert.equal(await remove(id), 'DELETE_COMPLETE');
    const identifier = (Id: string): Partial<CreateChangeSetCommandInput> => ({
      ChangeSetType: 'IMPORT',
      ResourcesToImport: [
        {
          LogicalResourceId: 'Secret',
          ResourceType: secret.Type,
          ResourceIdentifier: { Id },
        },
      ],
    });
    const template = { Resources: { Secret: secret } };
    await assert.rejects(submit('heir', template, identifier(`${SecretId}x`)), /does not exist/);
    assert.equal((await submit('heir', template, identifier(SecretId))).status, 'IMPORT_COMPLETE');
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    assert.equal(SecretString, 'a key');
  });

  test('goes on with a stack whose first changes were declined', async () => {
    const template = { Resources: { Queue: QUEUE } };
    const { StackId: StackName = '' } = await client.send(
      new CreateChangeSetCommand({
        StackName: 'declined',
        ChangeSetName: 'changes',
        ChangeSetType: 'CREATE',
        TemplateBody: JSON.stringify(template),
      }),
    );
    await client.send(new DeleteChangeSetCommand({ StackName, ChangeSetName: 'changes' }));
    assert.equal((await describeStack('declined')).StackStatus, 'REVIEW_IN_PROGRESS');
    assert.equal((await submit('declined', template)).status, 'CREATE_COMPLETE');
  });

  test('forgets the change sets of a deleted stack of the same name', async () => {
    const template = { Resources: { Queue: QUEUE } };
    const { id } = await submit('again', template);
    assert.equal(await remove(id), 'DELETE_COMPLETE');
    await submit('again', template);
    const changeSet = { StackName: 'again', ChangeSetName: 'changes' };
    await client.send(new DeleteChangeSetCommand(changeSet));
    await assert.rejects(client.send(new DescribeChangeSetCommand(changeSet)), {
      name: 'ChangeSetNotFoundException',
    });
  });

  test('gives a log group to one stack only', async () => {
    const group = { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: '/aws/lambda/one' } };
    assert.equal((await submit('first', { Resources: { Group: group } })).status, 'CREATE_COMPLETE');
    const { status, id } = await submit('second', { Resources: { Group: group } });
    assert.equal(status, 'ROLLBACK_COMPLETE');
    assert.ok((await eventsOf(id)).includes('Group CREATE_FAILED'));
  });

  const policy = (Resource: unknown) => ({
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: 'Queue' }, { Ref: 'Other' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Deny', Principal: '*', Action: 'sqs:*', Resource }],
      },
    },
  });

  test('refuses what AWS refuses', async () => {
    const arns = ['Queue', 'Other'].map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] }));
    const { status, id } = await submit('refused', {
      Resources: { Queue: QUEUE, Other: QUEUE, Policy: policy(arns) },
    });
    assert.equal(status, 'ROLLBACK_COMPLETE');
    assert.ok((await eventsOf(id)).includes('Policy CREATE_FAILED'));
    const accepted = { Queue: QUEUE, Other: QUEUE, Policy: policy('*') };
    assert.equal((await submit('accepted', { Resources: accepted })).status, 'CREATE_COMPLETE');
  });

  const REFUSED: readonly (readonly [title: string, template: Template, reason: RegExp])[] = [
    [
      'roles without a capability',
      { Resources: { Role: ROLE } },
      /Requires capabilities : \[CAPABILITY_IAM\]/,
    ],
    [
      'a parameter that does not exist',
      {
        Resources: { Queue: QUEUE },
        Parameters: { Version: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/none' } },
      },
      /Unable to fetch parameters \[\/none\]/,
    ],
    [
      'a parameter without a value',
      { Resources: { Queue: QUEUE }, Parameters: { Name: { Type: 'String' } } },
      /Parameters: \[Name\] must have values/,
    ],
    [
      'a type that it does not know',
      { Resources: { A: { Type: 'AWS::X::Y' } } },
      /Unrecognized resource types: \[AWS::X::Y\]/,
    ],
  ];

  for (const [title, template, reason] of REFUSED)
    test(`refuses ${title}`, () => assert.rejects(submit('invalid', template), reason));
});
