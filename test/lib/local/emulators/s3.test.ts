import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as S3 from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { errorName, sharedEmulators } from './emulated.ts';

const Bucket = 'media';

const cloud = await sharedEmulators('restarted');

const put = (Key: string, Body: string | Buffer | Readable, more = {}) =>
  cloud.clients.s3.send(
    new S3.PutObjectCommand({
      Bucket,
      Key,
      Body: typeof Body === 'string' ? Buffer.from(Body) : Body,
      ...more,
    }),
  );

const get = (Key: string, Range?: string) =>
  cloud.clients.s3.send(new S3.GetObjectCommand({ Bucket, Key, ...(Range ? { Range } : {}) }));

const text = async (Key: string, Range?: string) => (await get(Key, Range)).Body?.transformToString();

const remove = (keys: readonly string[]) =>
  cloud.clients.s3.send(
    new S3.DeleteObjectsCommand({ Bucket, Delete: { Objects: keys.map((Key) => ({ Key })) } }),
  );

const storedFiles = () => readdir(join(cloud.dataDir, 's3', 'blobs'));

test('stores the content type, metadata and MD5 of an object', async () => {
  const { ETag } = await put('plain', 'hello', { ContentType: 'text/plain', Metadata: { mark: 'm' } });
  assert.equal(ETag, '"5d41402abc4b2a76b9719d911017c592"');
  const { Body, ContentType, Metadata, ContentLength, ...rest } = await get('plain');
  assert.deepEqual([ContentType, Metadata, ContentLength, rest.ETag], ['text/plain', { mark: 'm' }, 5, ETag]);
  assert.equal(await Body?.transformToString(), 'hello');
  const head = await cloud.clients.s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'plain' }));
  assert.deepEqual([head.ContentLength, head.ETag], [5, ETag]);
});

test('accepts a streamed body with a trailing checksum', async () => {
  const pieces = Array.from({ length: 20 }, () => randomBytes(100_001));
  const whole = Buffer.concat(pieces);
  await put('streamed', Readable.from(pieces), { ContentLength: whole.length });
  const stored = Buffer.from((await (await get('streamed')).Body?.transformToByteArray()) ?? []);
  assert.ok(stored.equals(whole));
});

test('serves ranges like S3', async () => {
  await put('digits', '0123456789');
  assert.equal(await text('digits', 'bytes=2-4'), '234');
  assert.equal(await text('digits', 'bytes=7-'), '789');
  assert.equal(await text('digits', 'bytes=-3'), '789');
  assert.equal(await text('digits', 'bytes=-99'), '0123456789');
  assert.equal(await text('digits', 'bytes=8-99'), '89');
  assert.equal((await get('digits', 'bytes=2-4')).ContentRange, 'bytes 2-4/10');
  assert.equal(await errorName(get('digits', 'bytes=10-')), 'InvalidRange');
  assert.equal(await errorName(get('digits', 'bytes=-0')), 'InvalidRange');
  await put('empty', '');
  assert.equal(await text('empty'), '');
});

test('supports conditional reads, and rejects unsupported conditional writes', async () => {
  const { ETag } = await put('conditional', 'v1');
  const unchanged = new S3.GetObjectCommand({ Bucket, Key: 'conditional', IfNoneMatch: ETag });
  await assert.rejects(cloud.clients.s3.send(unchanged), (error) => {
    assert.ok(error instanceof S3.S3ServiceException);
    return error.$metadata.httpStatusCode === 304;
  });
  const changed = new S3.GetObjectCommand({ Bucket, Key: 'conditional', IfMatch: '"other"' });
  assert.equal(await errorName(cloud.clients.s3.send(changed)), 'PreconditionFailed');
  assert.equal(await errorName(put('conditional', 'v2', { IfMatch: '"e"' })), 'NotImplemented');
  assert.equal(await text('conditional'), 'v1');
});

test('accepts any text as a key', async () => {
  const keys = [
    '../../etc/passwd',
    `long/${'x'.repeat(1000)}`,
    'ünï/côdé/日本 🎬',
    'a b+c%20&d?e=f#g',
    '/',
    './.',
    'q\'"<>',
  ];
  for (const key of keys) await put(key, key);
  for (const key of keys) assert.equal(await text(key), key);
  const { Contents = [] } = await cloud.clients.s3.send(new S3.ListObjectsV2Command({ Bucket }));
  const found = new Set(Contents.map(({ Key }) => Key));
  assert.ok(keys.every((key) => found.has(key)));
  assert.equal(await errorName(put('x'.repeat(1025), '')), 'KeyTooLongError');
  await remove(keys);
  for (const key of keys) assert.equal(await errorName(get(key)), 'NoSuchKey');
});

const listed = async (pageSize: number, Prefix: string, StartAfter?: string) => {
  const names: (string | undefined)[] = [];
  const pages = S3.paginateListObjectsV2(
    { client: cloud.clients.s3, pageSize },
    { Bucket, Prefix, StartAfter },
  );
  for await (const { Contents = [] } of pages) names.push(...Contents.map(({ Key }) => Key));
  return names;
};

test('lists by prefix, in pages, in UTF-8 order', async () => {
  const keys = ['l/a/1', 'l/a/2', 'l/b', 'l/c/1', 'l/\uff5e', 'l/🎬', 'm'];
  for (const key of keys) await put(key, '');
  for (const pageSize of [1, 2, 6, 7]) assert.deepEqual(await listed(pageSize, 'l/'), keys.slice(0, 6));
  for (const [after, expected] of [
    ['k', keys.slice(0, 6)],
    ['l/a/1', keys.slice(1, 6)],
    ['l/a/11', keys.slice(1, 6)],
    ['l/\uff5e', ['l/🎬']],
    ['m', []],
  ] as const)
    for (const pageSize of [1, 7]) assert.deepEqual(await listed(pageSize, 'l/', after), expected, after);
});

test('rejects a body that does not match its checksums, and stores nothing', async () => {
  const files = await storedFiles();
  assert.equal(await errorName(put('wrong', 'body', { ChecksumCRC32: 'AAAAAA==' })), 'BadDigest');
  assert.equal(
    await errorName(put('wrong', 'body', { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' })),
    'BadDigest',
  );
  assert.equal(await errorName(get('wrong')), 'NoSuchKey');
  assert.deepEqual(await storedFiles(), files);
});

/** An upload that stops halfway, after it has reached the disk. */
const unfinishedUpload = async (Key: string, filesBefore: number) => {
  const link = await getSignedUrl(cloud.clients.s3, new S3.PutObjectCommand({ Bucket, Key }));
  const upload = request(link, { method: 'PUT', headers: { 'content-length': 1_000_000 } });
  upload.on('error', () => {});
  upload.write(randomBytes(500_000));
  while ((await storedFiles()).length === filesBefore) await sleep(5);
  return upload;
};

test('stores nothing of an upload whose client disconnects', async () => {
  const files = await storedFiles();
  const upload = await unfinishedUpload('cut', files.length);
  upload.destroy();
  while ((await storedFiles()).length > files.length) await sleep(5);
  assert.equal(await errorName(get('cut')), 'NoSuchKey');
});

test('stores nothing of an upload that a kill interrupts', async () => {
  const files = await storedFiles();
  const upload = await unfinishedUpload('killed', files.length);
  cloud.kill();
  await cloud.answering();
  assert.deepEqual((await storedFiles()).sort(), files.sort());
  assert.equal(await errorName(get('killed')), 'NoSuchKey');
  upload.destroy();
});

test('finishes the download of an object that is deleted meanwhile', async () => {
  const body = randomBytes(5_000_000);
  await put('fleeting', body);
  const { Body } = await get('fleeting');
  await remove(['fleeting']);
  const md5 = (data: Uint8Array) => createHash('md5').update(data).digest('hex');
  assert.equal(md5((await Body?.transformToByteArray()) ?? Buffer.of()), md5(body));
});

test('expires objects by prefix, tag and age at start', async () => {
  await put('inputs/1', '');
  for (const key of ['videos/1', 'drafts/1']) await put(key, '');
  await put('tagged/ends', '', { Tagging: 'retention=limited' });
  await put('tagged/other', '', { Tagging: 'retention=none' });
  await put('tagged/released', '');
  await put('tagged/kept', '', { Tagging: 'retention=limited' });
  await cloud.clients.s3.send(new S3.DeleteObjectTaggingCommand({ Bucket, Key: 'tagged/kept' }));
  await cloud.clients.s3.send(
    new S3.CopyObjectCommand({
      Bucket,
      Key: 'tagged/released',
      CopySource: `${Bucket}/tagged/released`,
      MetadataDirective: 'REPLACE',
      TaggingDirective: 'REPLACE',
      Tagging: 'retention=limited',
    }),
  );
  await cloud.restart();
  assert.equal(await errorName(get('inputs/1')), 'NoSuchKey');
  for (const key of ['videos/1', 'drafts/1']) assert.equal(await text(key), '');
  const { Contents = [] } = await cloud.clients.s3.send(
    new S3.ListObjectsV2Command({ Bucket, Prefix: 'tagged/' }),
  );
  const keys = Contents.map(({ Key }) => Key);
  assert.deepEqual(keys, ['tagged/kept', 'tagged/other']);
});

test('reports missing objects and unsupported requests', async () => {
  const { s3 } = cloud.clients;
  assert.equal(await errorName(get('nothing')), 'NoSuchKey');
  assert.equal(await errorName(s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'nothing' }))), 'NotFound');
  assert.equal(
    await errorName(s3.send(new S3.GetObjectCommand({ Bucket: 'nowhere', Key: 'x' }))),
    'NoSuchBucket',
  );
  const replaced = {
    Bucket,
    Key: 'copy',
    CopySource: `${Bucket}/plain`,
    Tagging: 'without=directive',
  } as const;
  const refused = await Promise.all([
    errorName(s3.send(new S3.GetBucketAclCommand({ Bucket }))),
    errorName(s3.send(new S3.ListObjectsV2Command({ Bucket, Delimiter: '/' }))),
    errorName(s3.send(new S3.CopyObjectCommand(replaced))),
  ]);
  assert.deepEqual(refused, ['NotImplemented', 'NotImplemented', 'NotImplemented']);
  await remove(['nothing']);
});

test('a download whose client has disconnected leaves no file open', {
  skip: process.platform !== 'linux',
}, async () => {
  await put('left', randomBytes(3_000_000));
  const url = await getSignedUrl(cloud.clients.s3, new S3.GetObjectCommand({ Bucket, Key: 'left' }));
  const leave = () =>
    new Promise<void>((resolve) => {
      const asked = request(url).on('error', () => resolve());
      // The connection is closed before the response.
      asked.end(() => asked.destroy());
      asked.on('close', resolve);
    });
  await Promise.all(Array.from({ length: 50 }, leave));
  const openFiles = async () => {
    const folder = `/proc/${cloud.emulators.pid}/fd`;
    const names = await Promise.all(
      (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => '')),
    );
    return names.filter((name) => name.startsWith(join(cloud.dataDir, 's3', 'blobs')));
  };
  // The emulator may still have to open the file for a client that has gone, so one look at a good moment is not enough.
  const deadline = Date.now() + 10_000;
  let open = await openFiles();
  for (let closed = 0; closed < 10 && Date.now() < deadline; closed = open.length === 0 ? closed + 1 : 0) {
    await sleep(20);
    open = await openFiles();
  }
  assert.deepEqual(open, []);
});
