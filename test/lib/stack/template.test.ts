import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Template as Assertions, Match } from 'aws-cdk-lib/assertions';
import { ALTERNATIVES } from '../../../lib/evidence/configurations.ts';
import { MAX_RECEIVES } from '../../support/in-memory/queue.ts';
import {
  apiBody,
  findResources,
  integrations,
  sharedTemplate,
  templateWith,
} from './synthesized-template.ts';

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
    'runs Node 24 on arm64, is not traced, logs to a group of the stack, and has a time limit',
    {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      TracingConfig: Match.absent(),
      LoggingConfig: { LogGroup: { Ref: Match.stringLikeRegexp('Logs') } },
      Timeout: Match.anyValue(),
      Environment: { Variables: Match.objectLike({ SERVICE_NAME: Match.anyValue() }) },
    },
  ],
  [
    'AWS::ApiGateway::Stage',
    'is throttled and logged without the bodies, and not traced: a trace would hold the query and its key',
    {
      TracingEnabled: false,
      AccessLogSetting: Match.objectLike({ DestinationArn: Match.anyValue() }),
      MethodSettings: Match.arrayWith([
        Match.objectLike({ DataTraceEnabled: false, ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 1000 }),
      ]),
    },
  ],
];

const deletable = await templateWith(ALTERNATIVES);

describe('all of a kind:', () => {
  for (const [type, fact, properties] of ALL)
    test(`every ${type} ${fact}`, () => {
      findResources(template, type);
      assertions.allResourcesProperties(type, Match.objectLike(properties));
    });
});

describe('the functions', () => {
  const functions = findResources(template, 'AWS::Lambda::Function');
  const timeouts = new Map(functions.map(([id, { Properties }]) => [id.slice(0, -8), Properties.Timeout]));

  test('of buffered routes time out before the gateway; streamed ones and the worker have longer', () => {
    const longer = new Map([
      ['GenerateContent', 300],
      ['ChatCompletions', 300],
      ['GenerateImages', 300],
      ['EditImages', 300],
      ['CreateResponse', 300],
      ['GetResponse', 300],
      ['ListCharges', 300],
      ['Mcp', 300],
      ['RunModelAction', 300],
      ['DeadLetter', 30],
      ['Sweeper', 55],
      ['RemoveLeftovers', 300],
      ['CheckUpstreams', 60],
      ['VideoWorker', 60],
      ['WebhookWorker', 40],
    ]);
    for (const [name, timeout] of timeouts) assert.equal(timeout, longer.get(name) ?? 28, name);
  });
});

test('one policy closes all queues to access without TLS', () => {
  const queues = Object.keys(assertions.findResources('AWS::SQS::Queue'));
  const closed = Object.values(assertions.findResources('AWS::SQS::QueuePolicy')).flatMap(
    ({ Properties }) => Properties.Queues,
  );
  assert.deepEqual(closed.map(({ Ref }) => Ref).sort(), queues.sort());
});

test('videos and files expire unless they are kept, and so do inputs and unfinished uploads', () => {
  const limited = [{ Key: 'retention', Value: 'limited' }];
  const rules = (days: number) =>
    Match.objectLike({
      LifecycleConfiguration: {
        Rules: [
          Match.objectLike({
            Prefix: 'videos/',
            TagFilters: limited,
            ExpirationInDays: days,
            Status: 'Enabled',
          }),
          Match.objectLike({ Prefix: 'inputs/', ExpirationInDays: 9, Status: 'Enabled' }),
          Match.objectLike({
            Prefix: 'files/',
            TagFilters: limited,
            ExpirationInDays: 31,
            Status: 'Enabled',
          }),
          Match.objectLike({ Prefix: 'previews/', ExpirationInDays: 31, Status: 'Enabled' }),
          Match.objectLike({ Prefix: 'removed-files/', ExpirationInDays: 1, Status: 'Enabled' }),
          Match.objectLike({ Prefix: 'uploads/', ExpirationInDays: 1, Status: 'Enabled' }),
          Match.objectLike({
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
            Status: 'Enabled',
          }),
        ],
      },
    });
  assertions.hasResourceProperties('AWS::S3::Bucket', rules(7));
});

describe('the gateway', () => {
  const answers = apiBody(template)['x-amazon-apigateway-gateway-responses'];

  test('responds with errors of the API that carry the request id', () => {
    for (const [type, { responseParameters, responseTemplates }] of Object.entries(answers)) {
      assert.equal(responseParameters['gatewayresponse.header.x-request-id'], 'context.requestId', type);
      assert.match(responseTemplates['application/json'] ?? '', /^\{"error":\{"message":/, type);
    }
  });

  test('responds to an unknown route with 404, and keeps the status of errors without a type of their own', () => {
    const statuses = Object.fromEntries(
      Object.entries(answers).map(([type, { statusCode }]) => [type, statusCode]),
    );
    assert.deepEqual(statuses, {
      MISSING_AUTHENTICATION_TOKEN: 404,
      RESOURCE_NOT_FOUND: 404,
      REQUEST_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 415,
      THROTTLED: 429,
      QUOTA_EXCEEDED: 429,
      WAF_FILTERED: 403,
      INTEGRATION_TIMEOUT: 504,
      INTEGRATION_FAILURE: 503,
      DEFAULT_4XX: undefined,
      DEFAULT_5XX: undefined,
    });
  });

  test('sends Retry-After with 429, and with 503 if Lambda did not run the function', () => {
    const header = 'gatewayresponse.header.Retry-After';
    const waiting = Object.entries(answers).filter(
      ([, { responseParameters }]) => header in responseParameters,
    );
    assert.deepEqual(
      waiting.map(([type, { responseParameters }]) => [type, responseParameters[header]]),
      [
        ['THROTTLED', "'1'"],
        ['QUOTA_EXCEEDED', "'1'"],
        ['INTEGRATION_FAILURE', "'5'"],
      ],
    );
  });

  test('streams images and charges for 300 seconds, tools for 60, the console and previews for 28, and buffers every other route', () => {
    const streamed = [...integrations(template)].filter(
      ([, { responseTransferMode }]) => responseTransferMode === 'STREAM',
    );
    assert.deepEqual(
      Object.fromEntries(streamed.map(([route, { timeoutInMillis }]) => [route, timeoutInMillis])),
      {
        'GET /': 28_000,
        'HEAD /': 28_000,
        'GET /console': 28_000,
        'HEAD /console': 28_000,
        'GET /console/{path+}': 28_000,
        'HEAD /console/{path+}': 28_000,
        'GET /v1/files/{file_id}/preview': 28_000,
        'HEAD /v1/files/{file_id}/preview': 28_000,
        'GET /mcp': 60_000,
        'HEAD /mcp': 60_000,
        'DELETE /mcp': 60_000,
        'POST /mcp': 60_000,
        'GET /v1/organization/charges': 300_000,
        'HEAD /v1/organization/charges': 300_000,
        'POST /v1/responses': 300_000,
        'GET /v1/responses/{response_id}': 300_000,
        'HEAD /v1/responses/{response_id}': 300_000,
        'POST /v1/chat/completions': 300_000,
        'POST /v1/images/edits': 300_000,
        'POST /v1/images/generations': 300_000,
        'POST /v1/models/{modelAction}': 300_000,
        'POST /v1/projects/{project}/locations/{location}/publishers/google/models/{modelAction}': 300_000,
        'POST /v1/publishers/google/models/{modelAction}': 300_000,
        'POST /v1beta/models/{modelAction}': 300_000,
        'POST /v1beta1/projects/{project}/locations/{location}/publishers/google/models/{modelAction}': 300_000,
        'POST /v1beta1/publishers/google/models/{modelAction}': 300_000,
      },
    );
    for (const [, { uri }] of streamed)
      assert.match(JSON.stringify(uri), /path\/2021-11-15\/functions\/.+\/response-streaming-invocations"/);
  });

  test('invokes each function with one role, which may invoke the functions of the stack and nothing else', () => {
    const credentials = [...integrations(template).values()].map((each) => JSON.stringify(each.credentials));
    assert.equal(new Set(credentials).size, 1);
    const [[id, { Properties }] = assert.fail('no role'), ...others] = findResources(
      template,
      'AWS::IAM::Role',
    ).filter(([name]) => credentials[0]?.includes(name));
    assert.deepEqual(others, []);
    const [{ PolicyDocument }, ...more] = Object(Properties.Policies);
    const [{ Action, Resource }, ...statements] = PolicyDocument.Statement;
    assert.deepEqual([Action, more, statements], ['lambda:InvokeFunction', [], []]);
    assert.match(JSON.stringify(Resource), /:function:",\{"Ref":"AWS::StackName"\},"-\*"\]/);
    // No other policy adds to it.
    const policies = Object.values(template.Resources).filter(({ Type }) =>
      /^AWS::IAM::.*Policy$/.test(Type),
    );
    assert.ok(!JSON.stringify(policies).includes(id));
  });
});

test('a step that fails ten times becomes a dead letter, a webhook message after thirty: two hours each', () => {
  const receives = findResources(template, 'AWS::SQS::Queue').flatMap(([id, { Properties }]) => {
    const { maxReceiveCount } = Object(Properties.RedrivePolicy);
    return maxReceiveCount === undefined ? [] : [[id.slice(0, -8), maxReceiveCount]];
  });
  assert.deepEqual(receives.toSorted(), [
    // As the queue of the fault tests has it.
    ['StepsQueue', MAX_RECEIVES],
    ['WebhooksQueue', 30],
  ]);
});
describe('tables, the bucket and the secrets', () => {
  const TABLES = 13;
  for (const [fact, chosen, [tablePolicy, policy], isProtected] of [
    // A failed first deployment can delete the bucket and the secrets, but not a protected table.
    ['are kept once the stack is created', template, ['Retain', 'RetainExceptOnCreate'], true],
    ['are deleted with the stack if that is configured', deletable, ['Delete', 'Delete'], false],
  ] as const)
    test(fact, () => {
      const policies = (type: string) =>
        findResources(chosen, type).map(([id, { DeletionPolicy, Properties }]) => [
          id.slice(0, -8),
          DeletionPolicy,
          Properties.DeletionProtectionEnabled,
        ]);
      const tables = policies('AWS::DynamoDB::Table').map(([, ...kept]) => kept);
      const expected = Array.from({ length: TABLES }, () => [tablePolicy, isProtected]);
      assert.deepEqual(tables, expected);
      const kept = policies('AWS::S3::Bucket').map(([, kept]) => kept);
      assert.deepEqual(kept, [policy]);
      assert.deepEqual(policies('AWS::SecretsManager::Secret').toSorted(), [
        ['UpstreamApiKey', policy, undefined],
        ['WebhookEndpointsKey', policy, undefined],
      ]);
    });
});
