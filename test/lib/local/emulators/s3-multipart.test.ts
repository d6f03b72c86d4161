import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as S3 from '@aws-sdk/client-s3';
import { configFor, errorName, sharedEmulators } from './emulated.ts';

const Bucket = 'parts';
const PART = 5 * 1024 * 1024;

const cloud = await sharedEmulators();
await cloud.clients.s3.send(new S3.CreateBucketCommand({ Bucket }));

const begin = async (Key: string, more: { ChecksumAlgorithm?: 'CRC32' } = { ChecksumAlgorithm: 'CRC32' }) => {
  const { UploadId } = await cloud.clients.s3.send(
    new S3.CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'video/mp4', ...more }),
  );
  return { Bucket, Key, UploadId };
};

type Upload = Awaited<ReturnType<typeof begin>>;

const part = async (upload: Upload, PartNumber: number, Body: Buffer): Promise<S3.CompletedPart> => {
  const { ETag, ChecksumCRC32 } = await cloud.clients.s3.send(
    new S3.UploadPartCommand({ ...upload, PartNumber, Body }),
  );
  assert.ok(ETag && ChecksumCRC32);
  return { PartNumber, ETag, ChecksumCRC32 };
};

const complete = (upload: Upload, Parts: S3.CompletedPart[]) =>
  cloud.clients.s3.send(new S3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));

const storedFiles = () => readdir(join(cloud.dataDir, 's3', 'blobs'));

test('joins parts into one object with S3’s ETag, readable across part boundaries', async () => {
  const [first, last] = [randomBytes(PART), randomBytes(1000)];
  const upload = await begin('joined');
  // Out of order, like parallel uploads.
  const second = await part(upload, 2, last);
  await complete(upload, [await part(upload, 1, first), second]);
  const digest = (data: Buffer) => createHash('md5').update(data).digest();
  const etag = createHash('md5')
    .update(Buffer.concat([digest(first), digest(last)]))
    .digest('hex');
  const { Body, ETag, ContentType } = await cloud.clients.s3.send(
    new S3.GetObjectCommand({ Bucket, Key: 'joined', Range: `bytes=${PART - 10}-${PART + 9}` }),
  );
  const expected = Buffer.concat([first.subarray(-10), last.subarray(0, 10)]);
  assert.ok(expected.equals((await Body?.transformToByteArray()) ?? Buffer.of()));
  assert.deepEqual([ETag, ContentType], [`"${etag}-2"`, 'video/mp4']);
  const whole = await cloud.clients.s3.send(new S3.GetObjectCommand({ Bucket, Key: 'joined' }));
  assert.equal((await whole.Body?.transformToByteArray())?.length, PART + 1000);
});

test('rejects small parts, unknown parts, a wrong order and a finished upload', async () => {
  const upload = await begin('refused');
  const [one, two] = [await part(upload, 1, randomBytes(10)), await part(upload, 2, randomBytes(10))];
  assert.equal(await errorName(complete(upload, [one, two])), 'EntityTooSmall');
  assert.equal(await errorName(complete(upload, [two, one])), 'InvalidPartOrder');
  assert.equal(await errorName(complete(upload, [{ ...one, ETag: '"0"' }])), 'InvalidPart');
  assert.equal(await errorName(complete(upload, [one, { PartNumber: 3, ETag: '"0"' }])), 'InvalidPart');
  await complete(upload, [one]);
  assert.equal(await errorName(complete(upload, [one])), 'NoSuchUpload');
  assert.equal(await errorName(part(upload, 1, randomBytes(10))), 'NoSuchUpload');
});

test('like S3, requires the checksum of each part if the upload was created with one', async () => {
  const upload = await begin('summed');
  const { ETag, PartNumber, ChecksumCRC32 } = await part(upload, 1, randomBytes(10));
  assert.equal(await errorName(complete(upload, [{ ETag, PartNumber }])), 'InvalidRequest');
  await complete(upload, [{ ETag, PartNumber, ChecksumCRC32 }]);
  const { Body } = await cloud.clients.s3.send(new S3.GetObjectCommand({ Bucket, Key: 'summed' }));
  assert.equal((await Body?.transformToByteArray())?.length, 10);
});

test("like S3, rejects a part with another checksum algorithm than the upload's", async () => {
  const upload = await begin('unnamed', {});
  await assert.rejects(part(upload, 1, randomBytes(10)), {
    name: 'InvalidRequest',
    message: 'Checksum Type mismatch occurred, expected checksum Type: null, actual checksum Type: crc32',
  });
  const summed = await begin('named');
  const config = { ...configFor(cloud.emulators), requestChecksumCalculation: 'WHEN_REQUIRED' as const };
  const plain = new S3.S3Client(config).send(
    new S3.UploadPartCommand({ ...summed, PartNumber: 1, Body: randomBytes(10) }),
  );
  await assert.rejects(plain, {
    message: 'Checksum Type mismatch occurred, expected checksum Type: crc32, actual checksum Type: null',
  });
});

test('keeps the last version of each part after a kill', async () => {
  const upload = await begin('surviving');
  await part(upload, 1, randomBytes(10));
  const last = await part(upload, 1, randomBytes(20));
  cloud.kill();
  await cloud.answering();
  await complete(upload, [last]);
  const { ContentLength } = await cloud.clients.s3.send(
    new S3.GetObjectCommand({ Bucket, Key: 'surviving' }),
  );
  assert.equal(ContentLength, 20);
});

test('removes an aborted upload', async () => {
  const files = await storedFiles();
  const upload = await begin('aborted');
  await part(upload, 1, randomBytes(10));
  await cloud.clients.s3.send(new S3.AbortMultipartUploadCommand(upload));
  assert.deepEqual((await storedFiles()).sort(), files.sort());
});
