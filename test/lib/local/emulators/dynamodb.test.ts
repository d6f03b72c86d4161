import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as DynamoDB from '@aws-sdk/client-dynamodb';
import { createTable } from '../../../support/create-table.ts';
import { configFor, errorName, sharedEmulators } from './emulated.ts';

const TableName = 'tasks';

const cloud = await sharedEmulators('restarted');
await createTable(cloud.clients.dynamo, TableName, ['id'], {
  indexes: { due: { keys: ['lane', 'due'], projection: { ProjectionType: 'KEYS_ONLY' } } },
  numbers: ['due'],
});

const put = (id: string, due?: number, client = cloud.clients.dynamo) =>
  client.send(
    new DynamoDB.PutItemCommand({
      TableName,
      Item: { id: { S: id }, lane: { S: '0' }, ...(due === undefined ? {} : { due: { N: String(due) } }) },
    }),
  );

const dueBefore = async (due: number): Promise<string[]> => {
  const found: string[] = [];
  const pages = DynamoDB.paginateQuery(
    { client: cloud.clients.dynamo, pageSize: 2 },
    {
      TableName,
      IndexName: 'due',
      KeyConditionExpression: 'lane = :lane AND due < :due',
      ExpressionAttributeValues: { ':lane': { S: '0' }, ':due': { N: String(due) } },
    },
  );
  for await (const { Items = [] } of pages) found.push(...Items.map(({ id }) => id?.S ?? ''));
  return found;
};

test('queries a sparse index in order and in pages, also after a restart', async () => {
  for (const due of [3, 1, 5, 2, 4]) await put(`due-${due}`, due);
  await put('never-due');
  const expected = ['due-1', 'due-2', 'due-3', 'due-4'];
  assert.deepEqual(await dueBefore(5), expected);
  await cloud.restart();
  assert.deepEqual(await dueBefore(5), expected);
  const { Item } = await cloud.clients.dynamo.send(
    new DynamoDB.GetItemCommand({ TableName, Key: { id: { S: 'due-5' } } }),
  );
  assert.equal(Item?.due?.N, '5');
});

test('keeps items and index consistent after a SIGKILL during writes', async () => {
  const client = new DynamoDB.DynamoDBClient({ ...configFor(cloud.emulators), maxAttempts: 1 });
  let written = 0;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    // Moves items within the index until the process dies: each write removes an entry and adds one.
    for (let due = 1000; ; due++) {
      await put(`moved-${writer}-${due % 3}`, due, client);
      if (++written === 150) cloud.kill();
    }
  });
  await Promise.allSettled(writers);
  await cloud.answering();
  const { Items = [] } = await cloud.clients.dynamo.send(new DynamoDB.ScanCommand({ TableName }));
  const expected = Items.filter(({ due }) => due !== undefined).map(({ id }) => id?.S);
  assert.ok(written >= 150 && expected.length >= 24);
  assert.deepEqual((await dueBefore(1_000_000)).sort(), expected.sort());
});

test('survives a client that disconnects during the body', async () => {
  const { pid } = cloud.emulators;
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"TableName":'));
      setImmediate(() => controller.error(new Error('gone')));
    },
  });
  const headers = {
    'x-amz-target': 'DynamoDB_20120810.PutItem',
    'content-type': 'application/x-amz-json-1.0',
    authorization: `AWS4-HMAC-SHA256 Credential=LOCAL_eA/20260101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
    'x-amz-date': '20260101T000000Z',
  };
  await assert.rejects(fetch(cloud.emulators.endpoint, { method: 'POST', body, headers, duplex: 'half' }));
  await put('after-the-abort');
  assert.equal(cloud.emulators.pid, pid);
});

test('rejects unsupported operations with DynamoDB’s error format', async () => {
  const write = new DynamoDB.BatchWriteItemCommand({
    RequestItems: { missing: [{ DeleteRequest: { Key: { id: { S: '1' } } } }] },
  });
  assert.equal(await errorName(cloud.clients.dynamo.send(write)), 'ResourceNotFoundException');
  const unknown = cloud.clients.dynamo.send(
    new DynamoDB.DescribeBackupCommand({ BackupArn: `arn:${'x'.repeat(40)}` }),
  );
  assert.equal(await errorName(unknown), 'UnknownOperationException');
});
