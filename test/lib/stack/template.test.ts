import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Template as Assertions, Match } from 'aws-cdk-lib/assertions';
import { resourcesOf, sharedTemplate, templateWith } from './synthesized-template.ts';

const template = await sharedTemplate();
const assertions = Assertions.fromJSON(template);

const denyWithoutTls = (action: string) => ({
  PolicyDocument: {
    Statement: Match.arrayWith([
      Match.objectLike({
        Action: action,
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    ]),
  },
});

const ALL: readonly (readonly [type: string, fact: string, properties: object])[] = [
  [
    'AWS::S3::Bucket',
    'is encrypted and closed to the public',
    {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    },
  ],
  ['AWS::S3::BucketPolicy', 'refuses access without TLS', denyWithoutTls('s3:*')],
  ['AWS::SQS::Queue', 'is encrypted', { SqsManagedSseEnabled: true }],
  ['AWS::SQS::QueuePolicy', 'refuses access without TLS', denyWithoutTls('sqs:*')],
  ['AWS::SNS::Topic', 'is encrypted', { KmsMasterKeyId: Match.anyValue() }],
  ['AWS::SNS::TopicPolicy', 'refuses access without TLS', denyWithoutTls('sns:Publish')],
  ['AWS::KMS::Key', 'is rotated', { EnableKeyRotation: true }],
  [
    'AWS::DynamoDB::Table',
    'can be restored to any second, cannot be deleted by a slip, and is paid by the request',
    {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
      BillingMode: 'PAY_PER_REQUEST',
    },
  ],
  ['AWS::Logs::LogGroup', 'keeps logs for the configured time', { RetentionInDays: 30 }],
  [
    'AWS::Lambda::Function',
    'runs Node 24 on arm64, is traced, logs to a group of the stack, and has a time limit',
    {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogGroup: { Ref: Match.stringLikeRegexp('Logs') } },
      Timeout: Match.anyValue(),
      Environment: { Variables: Match.objectLike({ NODE_OPTIONS: '--enable-source-maps' }) },
    },
  ],
  [
    'AWS::ApiGateway::GatewayResponse',
    'is an error of the API with the request id',
    {
      ResponseParameters: Match.objectLike({
        'gatewayresponse.header.x-request-id': 'context.requestId',
      }),
      ResponseTemplates: { 'application/json': Match.stringLikeRegexp('^\\{"error":\\{"message":') },
    },
  ],
  [
    'AWS::ApiGateway::Stage',
    'is traced, throttled and logged, without the bodies',
    {
      TracingEnabled: false,
      AccessLogSetting: Match.objectLike({ DestinationArn: Match.anyValue() }),
      MethodSettings: Match.arrayWith([
        Match.objectLike({ DataTraceEnabled: false, ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 1000 }),
      ]),
    },
  ],
];

describe('all of a kind:', () => {
  for (const [type, fact, properties] of ALL)
    test(`every ${type} ${fact}`, () => {
      resourcesOf(template, type);
      assertions.allResourcesProperties(type, Match.objectLike(properties));
    });
});

describe('the functions', () => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const timeouts = new Map(functions.map(([id, { Properties }]) => [id.slice(0, -8), Properties.Timeout]));

  test('behind whole answers end before the gateway does; streamed ones and the worker have longer', () => {
    const longer = new Map([
      ['GenerateContent', 300],
      ['ChatCompletions', 300],
      ['GenerateImages', 300],
      ['EditImages', 300],
      ['ListCharges', 300],
      ['DeadLetter', 30],
      ['Sweeper', 55],
      ['RemoveLeftovers', 300],
      ['VideoWorker', 60],
      ['WebhookWorker', 40],
    ]);
    for (const [name, timeout] of timeouts) assert.equal(timeout, longer.get(name) ?? 28, name);
  });

  test('have a role and a log group of their own each', () => {
    const roles = new Set(functions.map(([, { Properties }]) => JSON.stringify(Properties.Role)));
    const groups = new Set(functions.map(([, { Properties }]) => JSON.stringify(Properties.LoggingConfig)));
    assert.deepEqual([roles.size, groups.size], [functions.length, functions.length]);
  });
});

test('videos, inputs and unfinished uploads go by themselves', () => {
  const rules = (days: number) =>
    Match.objectLike({
      LifecycleConfiguration: {
        Rules: [
          Match.objectLike({ Prefix: 'videos/', ExpirationInDays: days, Status: 'Enabled' }),
          Match.objectLike({ Prefix: 'inputs/', ExpirationInDays: 2, Status: 'Enabled' }),
          Match.objectLike({ Prefix: 'files/', ExpirationInDays: 31, Status: 'Enabled' }),
          Match.objectLike({ Prefix: 'removed-files/', ExpirationInDays: 1, Status: 'Enabled' }),
          Match.objectLike({
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
            Status: 'Enabled',
          }),
        ],
      },
    });
  assertions.hasResourceProperties('AWS::S3::Bucket', rules(7));
});

test('the gateway answers in the words of the API: an unknown route is 404', () => {
  const answers = new Map(
    resourcesOf(template, 'AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => [
      Properties.ResponseType,
      Properties.StatusCode,
    ]),
  );
  assert.equal(answers.get('MISSING_AUTHENTICATION_TOKEN'), '404');
  assert.equal(answers.get('REQUEST_TOO_LARGE'), '413');
  assert.equal(answers.get('THROTTLED'), '429');
  assert.ok(answers.has('DEFAULT_4XX') && answers.has('DEFAULT_5XX'));
});

test('the gateway tells those alone when to come again who came too often', () => {
  const header = 'gatewayresponse.header.Retry-After';
  const told = resourcesOf(template, 'AWS::ApiGateway::GatewayResponse')
    .map(([, { Properties }]) => [Properties.ResponseType, Object(Properties.ResponseParameters)[header]])
    .filter(([, seconds]) => seconds !== undefined);
  assert.deepEqual(told.toSorted(), [
    ['QUOTA_EXCEEDED', "'1'"],
    ['THROTTLED', "'1'"],
  ]);
});

test('images and charges are streamed past 29 seconds, the console within them, and no other route is', () => {
  const streamed = resourcesOf(template, 'AWS::ApiGateway::Method')
    .map(([id, { Properties }]) => ({ id, integration: Object(Properties.Integration) }))
    .filter(({ integration }) => integration.ResponseTransferMode === 'STREAM');
  assert.deepEqual(streamed.map(({ id }) => id.replace(/[0-9A-F]{8}$/, '')).toSorted(), [
    'ApiRestGET',
    'ApiRestHEAD',
    'ApiRestconsoleGET',
    'ApiRestconsoleHEAD',
    'ApiRestconsolepathGET',
    'ApiRestconsolepathHEAD',
    'ApiRestv1betamodelsmodelActionPOST',
    'ApiRestv1chatcompletionsPOST',
    'ApiRestv1imageseditsPOST',
    'ApiRestv1imagesgenerationsPOST',
    'ApiRestv1organizationchargesGET',
    'ApiRestv1organizationchargesHEAD',
  ]);
  for (const { id, integration } of streamed) {
    const isPage = /^ApiRest(console|GET|HEAD)/.test(id);
    assert.equal(integration.TimeoutInMillis, isPage ? 28_000 : 300_000);
    assert.match(JSON.stringify(integration.Uri), /response-streaming-invocations/);
  }
});

test('an account finds its charges by time, whole', () => {
  assertions.hasResourceProperties('AWS::DynamoDB::Table', {
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'account', AttributeType: 'S' },
      { AttributeName: 'time', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-account',
        KeySchema: [
          { AttributeName: 'account', KeyType: 'HASH' },
          { AttributeName: 'time', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
});

test('messages that fail five times become dead letters', () => {
  assertions.hasResourceProperties('AWS::SQS::Queue', {
    RedrivePolicy: Match.objectLike({ maxReceiveCount: 5 }),
  });
});

describe('what must outlive the stack', () => {
  const kept = async ({ deletionProtection }: { deletionProtection: boolean }) => {
    const chosen = deletionProtection ? template : await templateWith({ deletionProtection });
    return ['AWS::DynamoDB::Table', 'AWS::S3::Bucket'].flatMap((type) =>
      resourcesOf(chosen, type).map(([, { DeletionPolicy, Properties }]) => [
        DeletionPolicy,
        Properties.DeletionProtectionEnabled,
      ]),
    );
  };
  const TABLES = 9;
  test('is kept', async () => {
    assert.deepEqual(await kept({ deletionProtection: true }), [
      ...Array.from({ length: TABLES }, () => ['Retain', true]),
      ['Retain', undefined],
    ]);
  });
  test('includes the key under which secrets are stored, and not the one of the upstream', async () => {
    const secrets = async (deletionProtection: boolean) =>
      resourcesOf(await templateWith({ deletionProtection }), 'AWS::SecretsManager::Secret')
        .map(([id, { DeletionPolicy }]) => [id.slice(0, -8), DeletionPolicy])
        .toSorted();
    const upstream = ['UpstreamApiKey', 'Delete'];
    assert.deepEqual(await secrets(true), [upstream, ['WebhookEndpointsKey', 'Retain']]);
    assert.deepEqual(await secrets(false), [upstream, ['WebhookEndpointsKey', 'Delete']]);
  });
  test('goes with it where that is configured', async () => {
    assert.deepEqual(await kept({ deletionProtection: false }), [
      ...Array.from({ length: TABLES }, () => ['Delete', false]),
      ['Delete', undefined],
    ]);
  });
});
