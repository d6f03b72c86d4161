import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoFileCleanUp, dynamoFiles } from '../../../../functions/files/adapters/dynamo-files.ts';
import type { StoredFile } from '../../../../functions/files/domain/files.ts';
import { encode } from '../../../../functions/platform/aws/dynamo.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { createTable } from '../../../support/create-table.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { startServer } from '../../../support/server.ts';

const { clients } = await sharedEmulators();

// The local DynamoDB has no conflicts, because it writes one item at a time.

const file: StoredFile = {
  id: 'file_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'acme',
  name: 'a.jpg',
  bytes: 400,
  mimeType: 'image/jpeg',
  purpose: 'vision',
  createdAt: 0,
  expiresAt: 1,
  arrived: false,
};

type Reason = { readonly Code: string; readonly Item?: unknown };

/** A table that cancels this many transactions for these reasons. */
const filesCanceled = async (times: number, ...CancellationReasons: readonly Reason[]) => {
  let calls = 0;
  const { url, close } = await startServer((_, response) => {
    calls += 1;
    const __type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
    const isCanceled = calls <= times;
    response
      .writeHead(isCanceled ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify(isCanceled ? { __type, Message: 'canceled', CancellationReasons } : {}));
  });
  after(close);
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
  const client = new DynamoDBClient({ endpoint: url, region: 'local', credentials });
  const files = { ...dynamoFiles(client, 'files'), ...dynamoFileCleanUp(client, 'files', strictLogger) };
  return { ...files, calls: () => calls };
};
const filesCanceledFor = (...reasons: readonly Reason[]) =>
  filesCanceled(Number.POSITIVE_INFINITY, ...reasons);

describe('a file that cannot be written', () => {
  test('returns the used bytes if the storage is full', async () => {
    const files = await filesCanceledFor(
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Item: { bytes: { N: '700' } } },
    );
    assert.deepEqual(await files.create(file, 1000), { created: false, usedBytes: 700 });
  });

  test('is retried if another write changes the same account', async () => {
    for (const write of ['create', 'forget'] as const) {
      const files = await filesCanceled(2, { Code: 'None' }, { Code: 'TransactionConflict' });
      await (write === 'create' ? files.create(file, 1000) : files.forget(file));
      assert.equal(files.calls(), 3, write);
    }
  });

  test('of a generated image is forgotten without changing the storage', async () => {
    const bodies: string[] = [];
    const { url, close } = await startServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
    });
    after(close);
    const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
    const client = new DynamoDBClient({ endpoint: url, region: 'local', credentials });
    await dynamoFileCleanUp(client, 'files', strictLogger).forget({ ...file, purpose: 'output' });
    assert.deepEqual(
      JSON.parse(bodies[0] ?? '').TransactItems.map((write: object) => Object.keys(write)),
      [['Delete']],
    );
  });

  test('throws for any other reason', async () => {
    const files = await filesCanceledFor({ Code: 'None' }, { Code: 'ProvisionedThroughputExceeded' });
    await assert.rejects(files.create(file, 1000), { name: 'TransactionCanceledException' });
  });
});

describe('a removed file', () => {
  const TableName = 'files';
  const openTable = async () => {
    const client = clients.dynamo;
    await createTable(client, TableName, ['account', 'id']);
    const files = {
      ...dynamoFiles(client, TableName),
      ...dynamoFileCleanUp(client, TableName, strictLogger),
    };
    const item = async (id: string) => {
      const Key = encode({ account: file.account, id });
      return (await client.send(new GetItemCommand({ TableName, Key }))).Item;
    };
    const used = async () => Number((await item('storage'))?.bytes?.N);
    return { files, item, used };
  };

  test('is not found, cannot arrive, and counts until it is forgotten, once', async () => {
    const { files, item, used } = await openTable();
    await files.create(file, 1000);
    assert.equal(await files.remove(file, 99), true);
    assert.equal(await files.remove(file, 999), false);
    assert.equal(await files.find(file.account, file.id), undefined);
    assert.equal(await files.markArrived(file), false);
    assert.deepEqual([await used(), (await item(file.id))?.due_at?.N], [400, '99']);
    await Promise.all([files.forget(file), files.forget(file)]);
    assert.deepEqual([await used(), await item(file.id)], [0, undefined]);
  });
});
