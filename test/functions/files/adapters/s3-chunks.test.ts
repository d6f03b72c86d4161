import assert from 'node:assert/strict';
import { test } from 'node:test';
import { s3Chunks } from '../../../../functions/files/adapters/s3-chunks.ts';
import { sha256 } from '../../../../functions/files/domain/uploads.ts';
import { startFakeS3 } from '../../platform/aws/fake-s3.ts';

const FILE = {
  id: 'file_1',
  account: 'acme',
  name: 'a.png',
  bytes: 3,
  mimeType: 'image/png',
  purpose: 'vision',
  createdAt: 0,
  expiresAt: 1,
  arrived: false,
} as const;
const CHUNK = { offset: 5, bytes: 3, sha256: sha256('abc') };
const KEY = /uploads\/~acme\/file_1\/5</;

test('a chunk is an object of its own, which is removed by its key', async () => {
  await using s3 = await startFakeS3();
  const chunks = s3Chunks(s3.client, 'media');
  await chunks.put(FILE, CHUNK, Buffer.from('abc'));
  assert.deepEqual([...(await chunks.read(FILE, CHUNK))], []);
  await chunks.discard(FILE, [CHUNK]);
  assert.deepEqual(
    s3.requests.map(({ body }) => KEY.test(body.toString())),
    [false, false, true],
  );
  assert.equal(s3.requests[0]?.body.toString(), 'abc');
});

test('nothing is sent if there are no chunks to remove', async () => {
  await using s3 = await startFakeS3();
  await s3Chunks(s3.client, 'media').discard(FILE, []);
  assert.deepEqual(s3.calls, []);
});

test('a chunk that cannot be read is an error', async () => {
  await using s3 = await startFakeS3('get', 'NoSuchKey');
  await assert.rejects(s3Chunks(s3.client, 'media').read(FILE, CHUNK), { name: 'NoSuchKey' });
});
