import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBuckets } from '../../../../lib/local/provision/buckets.ts';
import { readQueues } from '../../../../lib/local/provision/queues.ts';
import { provisionTables } from '../../../../lib/local/provision/tables.ts';
import { createStack, type Stack } from '../../../../lib/local/template/stack.ts';
import { templateSchema } from '../../../../lib/local/template/template.ts';
import { runFixture } from '../fixture/open-fixture.ts';

const KEY = 'arn:aws:kms:us-east-1:000000000000:key/11111111-2222-3333-4444-555555555555';
const running = await runFixture();
const clientConfig = () => running.cloud.clientConfig('test');

const stackWith = (Type: string, Properties: object): Stack =>
  createStack(templateSchema.parse({ Resources: { Store: { Type, Properties } } }), {
    region: 'us-east-1',
    accountId: '000000000000',
    stackName: 'Encrypted',
  });

const bucket = (SSEAlgorithm: string) =>
  stackWith('AWS::S3::Bucket', {
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [
        { ServerSideEncryptionByDefault: { SSEAlgorithm, KMSMasterKeyID: KEY } },
      ],
    },
  });
const table = (SSEType: string) =>
  stackWith('AWS::DynamoDB::Table', {
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    SSESpecification: { SSEEnabled: true, SSEType, KMSMasterKeyId: KEY },
  });
const queue = (properties: object) => stackWith('AWS::SQS::Queue', { KmsMasterKeyId: KEY, ...properties });

test('creates resources that are encrypted with a KMS key', async () => {
  assert.ok(readBuckets(bucket('aws:kms')));
  await provisionTables(table('KMS'), clientConfig());
  assert.ok(readQueues(queue({})));
});

test('rejects an unknown encryption, naming the resource and the supported ones', async () => {
  assert.throws(() => readBuckets(bucket('aws:kms:dsse')), /Store.*SSEAlgorithm.*only AES256 and aws:kms/s);
  await assert.rejects(provisionTables(table('AES256'), clientConfig()), /Store.*SSEType.*only KMS/s);
});
