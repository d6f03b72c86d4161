import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import * as S3 from '@aws-sdk/client-s3';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { CreateQueueCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createTable } from '../../../support/create-table.ts';
import {
  ACCOUNT,
  configFor,
  createClients,
  errorName,
  REGION,
  SECRET_ARN,
  sharedEmulators,
} from './emulated.ts';

const Bucket = 'media';
const Key = 'a file.mp4';

const cloud = await sharedEmulators();
await cloud.clients.s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: 'moving pictures' }));

const presigned = (overrides: { expiresIn?: number; signingDate?: Date } = {}) =>
  getSignedUrl(
    cloud.clients.s3,
    new S3.GetObjectCommand({
      Bucket,
      Key,
      ResponseContentType: 'video/mp4',
      ResponseContentDisposition: 'attachment; filename="task.mp4"',
      ResponseCacheControl: 'no-store',
    }),
    { expiresIn: 60, ...overrides },
  );

const codeIn = async (response: Response) => /<Code>(.*)<\/Code>/.exec(await response.text())?.[1];

test('serves a presigned URL with its response headers', async () => {
  const response = await fetch(await presigned());
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'video/mp4');
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="task.mp4"');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(await response.text(), 'moving pictures');
});

test('rejects URLs that are expired, changed or used with another method', async () => {
  const link = await presigned();
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const refused: [string, RequestInit, number, string | undefined][] = [
    [await presigned({ signingDate: anHourAgo }), {}, 403, 'AccessDenied'],
    [await presigned({ signingDate: new Date(Date.now() + 16 * 60_000) }), {}, 403, 'RequestTimeTooSkewed'],
    [link.replace('task.mp4', 'other.mp4'), {}, 403, 'SignatureDoesNotMatch'],
    [link.replace('a%20file', 'b%20file'), {}, 403, 'SignatureDoesNotMatch'],
    [link.replace('Expires=60', 'Expires=61'), {}, 403, 'SignatureDoesNotMatch'],
    [link.replace('Expires=60', 'Expires=604801'), {}, 400, 'AuthorizationHeaderMalformed'],
    [link.replaceAll(/(\d{4})(\d\d)(\d\d)(T|%2F)/g, '$1-$2-$3$4'), {}, 400, 'AuthorizationHeaderMalformed'],
    [link.replace('LOCAL_', 'AKIA_'), {}, 403, 'InvalidAccessKeyId'],
    [link, { method: 'DELETE' }, 403, 'SignatureDoesNotMatch'],
    [link, { headers: { authorization: 'Bearer key' } }, 400, 'InvalidArgument'],
    [link.replace(/\?.*/, ''), {}, 403, 'AccessDenied'],
    [
      link.replace(/\?.*/, ''),
      { headers: { authorization: 'Bearer key' } },
      400,
      'AuthorizationHeaderMalformed',
    ],
  ];
  for (const [address, init, status, code] of refused) {
    const response = await fetch(address, init);
    assert.deepEqual([response.status, await codeIn(response)], [status, code], address);
  }
});

test("rejects a wrong secret, an unknown key and another region, in the service's error format", async () => {
  const config = configFor(cloud.emulators);
  const { accessKeyId } = config.credentials;
  const wrong = { ...config, credentials: { accessKeyId, secretAccessKey: 'wrong' } };
  const unknown = { ...config, credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wrong' } };
  const list = (from: typeof config) => errorName(new DynamoDBClient(from).send(new ListTablesCommand()));
  assert.equal(await list(wrong), 'InvalidSignatureException');
  assert.equal(await list(unknown), 'UnrecognizedClientException');
  assert.equal(await list({ ...config, region: 'us-east-2' }), 'InvalidSignatureException');
  const get = new S3.GetObjectCommand({ Bucket, Key });
  assert.equal(await errorName(new S3.S3Client(wrong).send(get)), 'SignatureDoesNotMatch');
});

for (const [minutes, list, get] of [
  [16, 'InvalidSignatureException', 'RequestTimeTooSkewed'],
  [-16, 'InvalidSignatureException', 'RequestTimeTooSkewed'],
  [14, 'no failure', 'no failure'],
  [-14, 'no failure', 'no failure'],
] as const)
  test(`answers ${list} to a clock that is ${minutes} minutes off`, async () => {
    const off = { ...configFor(cloud.emulators), systemClockOffset: minutes * 60_000, maxAttempts: 1 };
    assert.equal(await errorName(new DynamoDBClient(off).send(new ListTablesCommand())), list);
    assert.equal(await errorName(new S3.S3Client(off).send(new S3.GetObjectCommand({ Bucket, Key }))), get);
  });

test('rejects a JSON body that differs from the signed one', async () => {
  const client = new DynamoDBClient({ ...configFor(cloud.emulators), maxAttempts: 1 });
  const { handle } = client.config.requestHandler;
  client.config.requestHandler.handle = (request, options) => {
    // Of the same length, so that only the signature differs.
    const body = new TextDecoder().decode(request.body).replace('1', '2');
    return handle.call(client.config.requestHandler, Object.assign(request, { body }), options);
  };
  assert.equal(
    await errorName(client.send(new ListTablesCommand({ Limit: 1 }))),
    'InvalidSignatureException',
  );
});

test('answers GetSecretValue by ARN and by name, and rejects unknown secrets', async () => {
  const { secrets } = cloud.clients;
  for (const SecretId of [SECRET_ARN, 'upstream']) {
    const { SecretString, ARN } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    assert.deepEqual([SecretString, ARN], ['the upstream key', SECRET_ARN]);
  }
  const unknown = secrets.send(new GetSecretValueCommand({ SecretId: 'other' }));
  assert.equal(await errorName(unknown), 'ResourceNotFoundException');
});

test('records the principal, IAM action and ARN of each call', async () => {
  const { dynamo, s3, sqs, secrets } = createClients(cloud.emulators, 'Worker');
  const TableName = 'logged';
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'logged' }));
  await createTable(dynamo, TableName, ['id'], { indexes: { 'by-id': { keys: ['id'] } } });
  await cloud.emulators.clearCalls();
  const Item = { id: { S: '1' } };
  await dynamo.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }));
  await dynamo.send(
    new QueryCommand({
      TableName,
      IndexName: 'by-id',
      KeyConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': { S: '1' } },
    }),
  );
  await errorName(dynamo.send(new GetItemCommand({ TableName: 'missing', Key: Item })));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '1', MessageBody: 'x' }] }));
  await s3.send(new S3.HeadObjectCommand({ Bucket, Key }));
  await s3.send(new S3.ListObjectsV2Command({ Bucket }));
  const { UploadId } = await s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key: 'upload' }));
  await s3.send(new S3.AbortMultipartUploadCommand({ Bucket, Key: 'upload', UploadId }));
  await s3.send(new S3.DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'x' }, { Key: 'y' }] } }));
  await secrets.send(new GetSecretValueCommand({ SecretId: 'upstream' }));

  const calls = await cloud.emulators.calls();
  assert.deepEqual([...new Set(calls.map(({ principal }) => principal))], ['Worker']);
  const table = `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table`;
  assert.deepEqual(
    calls.map(({ action, resource, status }) => `${action} ${resource} ${status}`),
    [
      `dynamodb:BatchWriteItem ${table}/logged 200`,
      `dynamodb:Query ${table}/logged/index/by-id 200`,
      `dynamodb:GetItem ${table}/missing 400`,
      `sqs:SendMessage arn:aws:sqs:${REGION}:${ACCOUNT}:logged 200`,
      `s3:GetObject arn:aws:s3:::media/${Key} 200`,
      's3:ListBucket arn:aws:s3:::media 200',
      's3:PutObject arn:aws:s3:::media/upload 200',
      's3:AbortMultipartUpload arn:aws:s3:::media/upload 204',
      's3:DeleteObject arn:aws:s3:::media/x 200',
      's3:DeleteObject arn:aws:s3:::media/y 200',
      `secretsmanager:GetSecretValue ${SECRET_ARN} 200`,
    ],
  );
});
