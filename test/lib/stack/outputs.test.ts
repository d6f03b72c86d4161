import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedTemplate } from './synthesized-template.ts';

const { Outputs } = await sharedTemplate();

const STORES = {
  KeyTableName: { Ref: 'KeysTable' },
  SessionTableName: { Ref: 'SessionsTable' },
  TaskTableName: { Ref: 'TasksTable' },
  ChargeTableName: { Ref: 'ChargesTable' },
  AccountTableName: { Ref: 'AccountsTable' },
  ReservationTableName: { Ref: 'ReservationsTable' },
  UsageTableName: { Ref: 'UsageTable' },
  MediaBucketName: { Ref: 'MediaBucket' },
  StepQueueUrl: { Ref: 'StepsQueue' },
  DeadLetterQueueUrl: { Ref: 'StepsDeadLetters' },
  WebhookQueueUrl: { Ref: 'WebhooksQueue' },
  WebhookDeadLetterQueueUrl: { Ref: 'WebhooksDeadLetters' },
  WebhookDeadLetterQueueArn: { 'Fn::GetAtt': ['WebhooksDeadLetters', 'Arn'] },
  UpstreamSecretArn: { Ref: 'UpstreamApiKey' },
  AccessLogGroup: { Ref: 'ApiAccessLog' },
  ExecutionLogGroup: { Ref: 'ApiExecutionLog' },
  AlarmTopicArn: { Ref: 'OperationsAlarmsTopic' },
  VideoWorkerFunctionArn: { 'Fn::GetAtt': ['VideoWorker', 'Arn'] },
  SweeperFunctionArn: { 'Fn::GetAtt': ['Sweeper', 'Arn'] },
};

const FUNCTIONS = [
  'ChatCompletions',
  'CreateFile',
  'CreateGeneration',
  'CreateKey',
  'CreateLink',
  'CreateServiceAccountKey',
  'CreateSession',
  'CreateVideo',
  'CreateWebhook',
  'DeadLetter',
  'DeleteFile',
  'DeleteVideo',
  'DeleteWebhook',
  'DownloadFile',
  'DownloadVideo',
  'EditImages',
  'EndSession',
  'GenerateContent',
  'GenerateImages',
  'GetConsole',
  'GetCosts',
  'GetFile',
  'GetFileContent',
  'GetGeneration',
  'GetImageUsage',
  'GetModel',
  'GetNativeModel',
  'GetOpenapi',
  'GetOperation',
  'GetSession',
  'GetSpendLimit',
  'GetVideo',
  'GetVideoUsage',
  'GetWebhook',
  'ListCharges',
  'ListFiles',
  'ListKeys',
  'ListModels',
  'ListNativeModels',
  'ListRateLimits',
  'ListSessions',
  'ListVideos',
  'ListWebhookDeliveries',
  'ListWebhookEventTypes',
  'ListWebhooks',
  'NotOffered',
  'PredictLongRunning',
  'RemoveLeftovers',
  'ResendWebhookDelivery',
  'RevokeKey',
  'RotateWebhookSecret',
  'Sweeper',
  'TestWebhook',
  'UnknownRoute',
  'UpdateWebhook',
  'VideoWorker',
  'WebhookWorker',
];

const BASE_URL = {
  'Fn::Join': [
    '',
    [
      'https://',
      { Ref: 'ApiRest' },
      '.execute-api.',
      { Ref: 'AWS::Region' },
      '.',
      { Ref: 'AWS::URLSuffix' },
      '/',
      { Ref: 'ApiRestDeploymentStageprod' },
      '/',
    ],
  ],
};

test('the stack tells where everything is that people and commands look up', () => {
  const values = Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, Value]));
  // A logical id ends in a hash of its place.
  const readable = JSON.parse(JSON.stringify(values).replaceAll(/(?<="[A-Z]\w+)[0-9A-F]{8}(?=")/g, ''));
  assert.deepEqual(readable, {
    BaseUrl: BASE_URL,
    PriceCurrency: 'USD',
    ...STORES,
    ...Object.fromEntries(FUNCTIONS.map((name) => [`${name}LogGroup`, { Ref: `${name}Logs` }])),
  });
});
