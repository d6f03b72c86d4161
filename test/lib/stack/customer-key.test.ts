import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVERYTHING } from '../../../lib/evidence/configurations.ts';
import { documentedKeyPolicy } from '../../api/observed/key-needs.ts';
import { TEST_CONFIG } from '../../support/assembly.ts';
import { findResources, sharedTemplate, type Template, templateWith } from './synthesized-template.ts';

/** The key of test/api/observed/permissions.ts, which uses the same template. */
const KEY = 'arn:aws:kms:us-east-1:000000000000:key/11111111-2222-3333-4444-555555555555';

const template = await sharedTemplate();
const encrypted = await templateWith({ ...TEST_CONFIG, kmsKeyArn: KEY });

/** Where each kind of resource names its key. */
const KEYS: Readonly<Record<string, object>> = {
  'AWS::DynamoDB::Table': {
    SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: KEY },
  },
  'AWS::S3::Bucket': {
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: KEY },
        },
      ],
    },
  },
  'AWS::SQS::Queue': { KmsMasterKeyId: KEY, SqsManagedSseEnabled: undefined },
  'AWS::SNS::Topic': { KmsMasterKeyId: KEY },
  'AWS::Logs::LogGroup': { KmsKeyId: KEY },
  'AWS::SecretsManager::Secret': { KmsKeyId: KEY },
};

describe('with a customer-managed KMS key', () => {
  for (const [type, properties] of Object.entries(KEYS))
    test(`every ${type} is encrypted with it`, () => {
      for (const [id, { Properties }] of findResources(encrypted, type))
        for (const [name, value] of Object.entries(properties))
          assert.deepEqual(Properties[name], value, `${id}.${name}`);
    });

  test('the stack creates no key', () => {
    assert.throws(() => findResources(encrypted, 'AWS::KMS::Key'), /no AWS::KMS::Key/);
  });

  test('all other resources stay the same', () => {
    // A version has another name with each change of its function.
    const names = ({ Resources }: Template) =>
      Object.keys(Resources)
        .map((id) => id.replace(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}$/, '$1'))
        .toSorted();
    const own = names(template).filter((id) => !id.startsWith('OperationsAlarmsKey'));
    assert.deepEqual(names(encrypted), own);
  });

  test('an existing secret of the upstream keeps its key', async () => {
    const given = await templateWith(EVERYTHING);
    const decrypting = findResources(given, 'AWS::IAM::Role').filter(([, { Properties }]) =>
      JSON.stringify(Properties).includes('secretsmanager.'),
    );
    const names = decrypting.map(([id]) => id.slice(0, -8)).toSorted();
    assert.deepEqual(names, [
      'CreateWebhookRole',
      'RotateWebhookSecretRole',
      'TestWebhookRole',
      'WebhookWorkerRole',
    ]);
  });
});

describe('the key policy in docs/security.md', () => {
  const { Statement } = documentedKeyPolicy('123456789012');
  const statement = (sid: string) => Object(Statement.find(({ Sid }) => Sid === sid));

  test('allows alarms what the key that the stack makes allows them', () => {
    const [[, key] = assert.fail('no key')] = findResources(template, 'AWS::KMS::Key');
    const own = Array.from(Object(key.Properties.KeyPolicy).Statement).map(Object).at(-1);
    const { Action, Principal, Condition } = statement('AlarmsToTheTopic');
    assert.deepEqual([Action, Principal], [own.Action, own.Principal]);
    assert.deepEqual(Object.keys(Condition.StringEquals), Object.keys(own.Condition.StringEquals));
  });

  test('lets CloudWatch Logs encrypt the log groups of the stack', () => {
    const patterns: unknown[] =
      statement('LogGroups').Condition.ArnLike['kms:EncryptionContext:aws:logs:arn'];
    const prefixes = patterns.map(
      (pattern) => String(pattern).split(':log-group:')[1]?.replace('*', '') ?? '',
    );
    for (const [id, { Properties }] of findResources(encrypted, 'AWS::Logs::LogGroup')) {
      const name = JSON.stringify(Properties.LogGroupName);
      assert.ok(
        prefixes.some((prefix) => name.includes(`"${prefix}`)),
        `${id}: ${name}`,
      );
    }
    assert.equal(prefixes.length, 3);
  });
});

test('without a customer-managed key, no role may use KMS', () => {
  for (const [id, { Properties }] of findResources(template, 'AWS::IAM::Role'))
    assert.doesNotMatch(JSON.stringify(Properties), /kms:/, id);
});
