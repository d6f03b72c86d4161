import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { s3Files } from '../../../../functions/files/adapters/s3-files.ts';
import { startFakeS3 } from '../../platform/aws/fake-s3.ts';

describe('a file that S3 does not give', () => {
  for (const code of ['NoSuchKey', 'AccessDenied'])
    test(`is not found when the answer is ${code}`, async () => {
      await using s3 = await startFakeS3('get', code);
      assert.equal(await s3Files(s3.client, 'media').openFile('files/1', 9), undefined);
    });

  test('is an error when the answer says something else', async () => {
    await using s3 = await startFakeS3('get', 'SlowDown');
    await assert.rejects(s3Files(s3.client, 'media').openFile('files/1'), { name: 'SlowDown' });
  });

  test('is empty when S3 has no such range of it', async () => {
    await using s3 = await startFakeS3('get', 'InvalidRange');
    assert.equal((await s3Files(s3.client, 'media').openFile('files/1', 9))?.bytes, 0);
  });
});

test('a file is asked for by its first bytes alone, and one without a time cannot be used', async () => {
  await using s3 = await startFakeS3();
  const file = await s3Files(s3.client, 'media').openFile('files/1', 9);
  assert.equal(s3.requests[0]?.headers.range, 'bytes=0-8');
  assert.equal(file?.expiresAt, 0);
});
