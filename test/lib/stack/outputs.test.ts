import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UPSTREAM_PLACEHOLDER } from '../../support/assembly.ts';
import { OWN_NAMES } from '../../support/builders/upstream.ts';
import { sharedTemplate } from './synthesized-template.ts';

const { Outputs } = await sharedTemplate();

const RESOURCES = {
  KeyTableName: { Ref: 'KeysTable' },
  SessionTableName: { Ref: 'SessionsTable' },
  MemberTableName: { Ref: 'MembersTable' },
  AuditTableName: { Ref: 'AuditTable' },
  TaskTableName: { Ref: 'TasksTable' },
  ChargeTableName: { Ref: 'ChargesTable' },
  AccountTableName: { Ref: 'AccountsTable' },
  ReservationTableName: { Ref: 'ReservationsTable' },
  UsageTableName: { Ref: 'UsageTable' },
  FileTableName: { Ref: 'FilesTable' },
  ShareTableName: { Ref: 'SharesTable' },
  WebhookEndpointTableName: { Ref: 'WebhookEndpointsTable' },
  WebhookDeliveryTableName: { Ref: 'WebhookDeliveriesTable' },
  MediaBucketName: { Ref: 'MediaBucket' },
  StepQueueUrl: { Ref: 'StepsQueue' },
  DeadLetterQueueUrl: { Ref: 'StepsDeadLetters' },
  WebhookQueueUrl: { Ref: 'WebhooksQueue' },
  WebhookDeadLetterQueueUrl: { Ref: 'WebhooksDeadLetters' },
  WebhookDeadLetterQueueArn: { 'Fn::GetAtt': ['WebhooksDeadLetters', 'Arn'] },
  UpstreamSecretArn: { Ref: 'UpstreamApiKey' },
  Upstream1: JSON.stringify({
    name: 'sample',
    models: OWN_NAMES,
    offers: { lastFrameSeconds: [4, 6, 8] },
    priority: 1,
    weight: 1,
    kind: 'gemini',
    baseUrl: UPSTREAM_PLACEHOLDER,
    keyHeader: 'x-goog-api-key',
  }),
  ExecutionLogGroup: { Ref: 'ApiExecutionLog' },
  AlarmTopicArn: { Ref: 'OperationsAlarmsTopic' },
  VideoWorkerFunctionArn: { 'Fn::GetAtt': ['VideoWorker', 'Arn'] },
  SweeperFunctionArn: { 'Fn::GetAtt': ['Sweeper', 'Arn'] },
};

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

test('the outputs are the names that operators and commands need', () => {
  const values = Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, Value]));
  // Logical ids end in a hash of their path.
  const readable = JSON.parse(JSON.stringify(values).replaceAll(/(?<="[A-Z]\w+)[0-9A-F]{8}(?=")/g, ''));
  assert.deepEqual(readable, {
    BaseUrl: BASE_URL,
    PriceCurrency: 'USD',
    SignInLinks: 'enabled',
    ...RESOURCES,
  });
});
