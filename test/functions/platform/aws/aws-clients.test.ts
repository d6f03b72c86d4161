import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import {
  dynamoClient,
  impatientClient,
  isThrottled,
  prepareClient,
  retryWhileThrottled,
} from '../../../../functions/platform/aws/aws-clients.ts';
import { s3Client } from '../../../../functions/platform/aws/s3-client.ts';
import { sqsClient } from '../../../../functions/platform/runtime/queue.ts';
import { dynamoTasks } from '../../../../functions/videos/adapters/dynamo-tasks.ts';
import { aTask } from '../../../support/builders/task.ts';
import { recordingLogger, strictLogger } from '../../../support/loggers.ts';
import { ok, type Reply, startFakeDynamo } from './fake-dynamo.ts';
import { startFakeS3 } from './fake-s3.ts';

const CLIENTS = { DynamoDB: dynamoClient, S3: s3Client, SQS: sqsClient };
for (const [name, create] of Object.entries(CLIENTS))
  test(`the ${name} client signs, retries and traces calls, without the SDK's logger and user agent`, () => {
    const stack = create().middlewareStack.identify().join('\n');
    for (const kept of ['retryMiddleware', 'httpSigningMiddleware', 'recursionDetectionMiddleware'])
      assert.match(stack, new RegExp(`^${kept}`, 'm'));
    // The SDK silently ignores the removal of a middleware that it has renamed.
    assert.doesNotMatch(stack, /logger|userAgent/i);
  });

const named = (name: string, fields: object = {}): Error =>
  Object.assign(new Error(name), { name, ...fields });
const cancelled = (...codes: readonly string[]): Error =>
  named('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

describe('isThrottled', () => {
  const names =
    'ProvisionedThroughputExceededException ThrottlingException RequestLimitExceeded RequestThrottled OverLimit KmsThrottled SlowDown';
  const THROTTLED = [
    ...names.split(' ').map((name) => named(name)),
    cancelled('None', 'ThrottlingError'),
    cancelled('ProvisionedThroughputExceeded'),
  ];
  for (const error of THROTTLED)
    test(`is true for ${error.name}`, () => assert.equal(isThrottled(error), true));
  const OTHERS = [
    named('ConditionalCheckFailedException'),
    named('TimeoutError'),
    cancelled('TransactionConflict', 'ConditionalCheckFailed'),
    'ThrottlingException',
  ];
  for (const error of OTHERS) test(`is false for ${error}`, () => assert.equal(isThrottled(error), false));
});

describe('retryWhileThrottled', () => {
  const run = async (failures: number, milliseconds: number) => {
    let [time, calls] = [0, 0];
    const call = async () => {
      calls += 1;
      if (calls <= failures) throw named('ThrottlingException');
      return 'done';
    };
    const pauses: number[] = [];
    const pause = async (length: number) => {
      time += 1000;
      pauses.push(length);
    };
    return {
      result: retryWhileThrottled(call, { milliseconds, now: () => time, pause }),
      calls: () => calls,
      pauses,
    };
  };

  test('retries a throttled call until it succeeds, after pauses of up to five seconds', async ({ mock }) => {
    mock.method(Math, 'random', () => 0.5);
    const { result, calls, pauses } = await run(60, 60_000);
    assert.equal(await result, 'done');
    assert.equal(calls(), 61);
    assert.deepEqual(pauses.slice(0, 6), [250, 500, 1000, 2000, 2500, 2500]);
  });

  test('throws overloaded when its time is over', async () => {
    const { result } = await run(61, 60_000);
    const cause = named('ThrottlingException');
    await assert.rejects(result, { code: 'overloaded', retryAfterSeconds: 5, cause });
  });

  test('does not retry other errors', async () => {
    const failing = () => Promise.reject(named('ValidationException'));
    await assert.rejects(retryWhileThrottled(failing, { milliseconds: 60_000 }), /ValidationException/);
  });
});

describe('a DynamoDB client that is throttled', () => {
  const throttled: Reply = () => ({
    status: 400,
    body: {
      __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
      message: 'slow down',
    },
  });
  const NOTHING = { PutItem: [], GetItem: [], Query: [] };
  const SDK_ATTEMPTS = [throttled, throttled, throttled];
  /** Both the SDK and the client multiply their pauses by a random number. */
  const withoutPauses = ({ mock }: TestContext) => mock.method(Math, 'random', () => 0);

  test('throws overloaded after the attempts of the SDK', async (context) => {
    withoutPauses(context);
    await using dynamo = await startFakeDynamo({ ...NOTHING, PutItem: [...SDK_ATTEMPTS, ok({})] });
    impatientClient(dynamo.client);
    await assert.rejects(dynamoTasks(dynamo.client, 'tasks').create(aTask()), { code: 'overloaded' });
    assert.equal(dynamo.calls.length, 3);
  });

  test('keeps trying within its time', async (context) => {
    withoutPauses(context);
    await using dynamo = await startFakeDynamo({
      ...NOTHING,
      PutItem: [...SDK_ATTEMPTS, ...SDK_ATTEMPTS, ok({})],
    });
    impatientClient(dynamo.client, 30_000);
    assert.equal(await dynamoTasks(dynamo.client, 'tasks').create(aTask()), true);
    assert.equal(dynamo.calls.length, 7);
  });
});

describe('a client of a function', () => {
  const target = { Bucket: 'media', Key: 'inputs/1' };

  test('reports each call that AWS denies', async () => {
    const { logger, errors } = recordingLogger();
    await using get = await startFakeS3('get');
    await assert.rejects(prepareClient(get.client, logger).send(new GetObjectCommand(target)));
    await using head = await startFakeS3('head');
    await assert.rejects(prepareClient(head.client, logger).send(new HeadObjectCommand(target)));
    const denied: Reply = () => ({ status: 400, body: { __type: 'x#AccessDeniedException', message: 'no' } });
    await using dynamo = await startFakeDynamo({ PutItem: [denied], GetItem: [], Query: [] });
    const put = new PutItemCommand({ TableName: 'tasks', Item: {} });
    await assert.rejects(prepareClient(dynamo.client, logger).send(put), { name: 'AccessDeniedException' });
    assert.deepEqual(
      errors.map(({ event, fields }) => `${event}: ${fields.awsCall}`),
      ['access denied: S3 GetObject', 'access denied: S3 HeadObject', 'access denied: DynamoDB PutItem'],
    );
  });

  test('reports no call that fails otherwise', async () => {
    await using s3 = await startFakeS3('get', 'NoSuchKey');
    const client = prepareClient(s3.client, strictLogger);
    await assert.rejects(client.send(new GetObjectCommand(target)), { name: 'NoSuchKey' });
  });
});
