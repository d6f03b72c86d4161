import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as S3 from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { HOME } from '../../../../lib/local/emulators/start.ts';
import { readBuckets } from '../../../../lib/local/provision/buckets.ts';
import { createStack } from '../../../../lib/local/template/stack.ts';
import { templateSchema } from '../../../../lib/local/template/template.ts';
import { until } from '../../../support/until.ts';
import { runFixture } from '../fixture/open-fixture.ts';

const running = await runFixture();

describe('the resources of the template', () => {
  const item = async (id: string) => {
    const client = new DynamoDBClient(running.cloud.clientConfig('test'));
    const { Item } = await client.send(
      new GetItemCommand({ TableName: running.cloud.tableName('Things'), Key: { id: { S: id } } }),
    );
    client.destroy();
    return Item;
  };

  it('include a queue that keeps only failed messages', async () => {
    const client = new SQSClient(running.cloud.clientConfig('test'));
    const QueueUrl = running.cloud.queueUrl('Work');
    const bodies = [{ id: 'one' }, { id: 'bad', fail: true }, { id: 'two' }];
    const Entries = bodies.map((body, index) => ({ Id: String(index), MessageBody: JSON.stringify(body) }));
    await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    for (const id of ['one', 'two']) await until(async () => (await item(id)) !== undefined);
    assert.match((await item('one'))?.source?.S ?? '', /^arn:aws:sqs:us-east-1:000000000000:Fixture-Work/);
    const attributes = async () =>
      (await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes ??
      {};
    const inFlight = 'ApproximateNumberOfMessagesNotVisible';
    await until(async () => (await attributes())[inFlight] === '1');
    assert.equal(await item('bad'), undefined);
    assert.equal(JSON.parse((await attributes()).RedrivePolicy ?? '{}').maxReceiveCount, 2);
    client.destroy();
  });

  it('are called by each function as its own principal', async () => {
    await until(async () =>
      (await running.cloud.calls()).some(({ principal }) => principal === running.cloud.functionId('Worker')),
    );
  });

  it("include a schedule with EventBridge's event", async () => {
    const [result] = await running.cloud.runSchedule('EveryMinute');
    assert.ok(result !== undefined && 'payload' in result);
    const event = JSON.parse(result.payload);
    assert.equal(event['detail-type'], 'Scheduled Event');
    assert.match(event.resources[0], /^arn:aws:events:us-east-1:000000000000:rule\/Fixture-EveryMinute/);
  });

  it('include a bucket that hides missing objects from a function that may not list it', async () => {
    const refusals = async (principal: string, Key = 'inputs/missing') => {
      const client = new S3.S3Client(running.cloud.clientConfig(principal));
      const missing = { Bucket: running.cloud.bucketName('Media'), Key };
      const seen = [new S3.GetObjectCommand(missing), new S3.HeadObjectCommand(missing)].map(
        async (command) => {
          const error: unknown = await client.send(command).catch((reason: unknown) => reason);
          assert.ok(error instanceof S3.S3ServiceException);
          return [error.name, error.$metadata.httpStatusCode];
        },
      );
      return (await Promise.all(seen)).flat();
    };
    const { cloud } = running;
    const [hidden, told] = [
      ['AccessDenied', 403, 'Unknown', 403],
      ['NoSuchKey', 404, 'NotFound', 404],
    ];
    assert.deepEqual(await refusals(cloud.functionId('Worker')), hidden);
    assert.deepEqual(await refusals(cloud.functionId('Hasty')), told);
    assert.deepEqual(await refusals(cloud.functionId('Hasty'), 'videos/missing'), hidden);
    assert.deepEqual(await refusals(cloud.functionId('Probe')), told);
    assert.deepEqual(await refusals('operator'), told);
  });

  it('include a bucket whose prefixes only those list who may', async () => {
    const list = async (name: string, Prefix?: string) => {
      const { cloud } = running;
      const client = new S3.S3Client(cloud.clientConfig(cloud.functionId(name)));
      const listed = client.send(new S3.ListObjectsV2Command({ Bucket: cloud.bucketName('Media'), Prefix }));
      return listed.then(
        () => 'listed',
        ({ name: code }: Error) => code,
      );
    };
    assert.deepEqual(
      [await list('Probe'), await list('Hasty', 'inputs/a'), await list('Hasty', 'videos/a')],
      ['listed', 'listed', 'AccessDenied'],
    );
    assert.deepEqual(
      [await list('Hasty'), await list('Worker', 'inputs/a')],
      ['AccessDenied', 'AccessDenied'],
    );
  });

  it('include a bucket with the lifecycle rules of the template', () => {
    const LifecycleConfiguration = { Rules: [{ Prefix: 'inputs/', Status: 'Enabled', ExpirationInDays: 1 }] };
    const Resources = { Media: { Type: 'AWS::S3::Bucket', Properties: { LifecycleConfiguration } } };
    const stack = createStack(templateSchema.parse({ Resources }), { ...HOME, stackName: 'Ruled' });
    const Rules = [{ ...LifecycleConfiguration.Rules[0], TagFilters: [] }];
    assert.deepEqual(readBuckets(stack), { 'ruled-media': { LifecycleConfiguration: { Rules } } });
  });

  it('keep their data and generated secrets after a restart', async () => {
    const { cloud } = running;
    const TableName = cloud.tableName('Things');
    const readSecret = async () => {
      const secrets = new SecretsManagerClient(running.cloud.clientConfig('test'));
      return (await secrets.send(new GetSecretValueCommand({ SecretId: 'made' }))).SecretString ?? '';
    };
    const made = await readSecret();
    assert.match(made, /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{40}$/);
    await new DynamoDBClient(cloud.clientConfig('test')).send(
      new PutItemCommand({ TableName, Item: { id: { S: 'kept' } } }),
    );
    await running.restart();
    assert.ok((await item('kept')) !== undefined);
    assert.equal(await readSecret(), made);
  });
});
