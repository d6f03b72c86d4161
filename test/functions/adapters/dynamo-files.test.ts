import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoFiles } from '../../../functions/adapters/dynamo-files.ts';
import type { StoredFile } from '../../../functions/domain/files.ts';
import { startServer } from '../../support/server.ts';

// The local DynamoDB writes one item at a time, so that nothing there meets another write.

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

/** Files in a table that cancels every transaction for these reasons. */
const filesCanceledFor = async (...CancellationReasons: readonly Reason[]) => {
  const { url, close } = await startServer((_, response) => {
    const __type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
    response
      .writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type, Message: 'canceled', CancellationReasons }));
  });
  after(close);
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
  return dynamoFiles(new DynamoDBClient({ endpoint: url, region: 'local', credentials }), 'files');
};

describe('a file that cannot be written', () => {
  test('tells what is used where the storage is full', async () => {
    const files = await filesCanceledFor(
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Item: { bytes: { N: '700' } } },
    );
    assert.deepEqual(await files.create(file, 1000), { created: false, usedBytes: 700 });
  });

  test('asks to try again where a crowd of others changes at once', async () => {
    const files = await filesCanceledFor({ Code: 'None' }, { Code: 'TransactionConflict' });
    const refused = { code: 'rate_limited', retryAfterSeconds: 1 };
    await Promise.all([
      assert.rejects(files.create(file, 1000), refused),
      assert.rejects(files.remove(file, 0), refused),
    ]);
  });

  test('is an error where anything else is in the way', async () => {
    const files = await filesCanceledFor({ Code: 'None' }, { Code: 'ProvisionedThroughputExceeded' });
    await assert.rejects(files.create(file, 1000), { name: 'TransactionCanceledException' });
  });

  test('is gone already where its removal comes second', async () => {
    const files = await filesCanceledFor({ Code: 'ConditionalCheckFailed' }, { Code: 'None' });
    assert.equal(await files.remove(file, 0), false);
  });
});
