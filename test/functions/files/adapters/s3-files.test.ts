import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { s3Files } from '../../../../functions/files/adapters/s3-files.ts';
import { startFakeS3 } from '../../platform/aws/fake-s3.ts';

describe('a file that S3 does not return', () => {
  for (const code of ['NoSuchKey', 'AccessDenied'])
    test(`is not found if the error is ${code}`, async () => {
      await using s3 = await startFakeS3('get', code);
      assert.equal(await s3Files(s3.client, 'media').openFile('files/1', 9), undefined);
    });

  test('throws for any other error', async () => {
    await using s3 = await startFakeS3('get', 'SlowDown');
    await assert.rejects(s3Files(s3.client, 'media').openFile('files/1'), { name: 'SlowDown' });
  });

  test('is empty if S3 rejects the range', async () => {
    await using s3 = await startFakeS3('get', 'InvalidRange');
    assert.equal((await s3Files(s3.client, 'media').openFile('files/1', 9))?.bytes, 0);
  });
});

test('only the first bytes of a file are requested, and a file without an expiry is expired', async () => {
  await using s3 = await startFakeS3();
  const file = await s3Files(s3.client, 'media').openFile('files/1', 9);
  assert.equal(s3.requests[0]?.headers.range, 'bytes=0-8');
  assert.equal(file?.expiresAt, 0);
});
