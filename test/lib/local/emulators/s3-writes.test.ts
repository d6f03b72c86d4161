import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import * as S3 from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { configFor, errorName, sharedEmulators } from './emulated.ts';

const Bucket = 'writes';
const cloud = await sharedEmulators();
const { s3 } = cloud.clients;
await s3.send(new S3.CreateBucketCommand({ Bucket }));

const put = (Key: string, Body: Buffer, more = {}) =>
  s3.send(new S3.PutObjectCommand({ Bucket, Key, Body, ...more }));
const readBytes = async (Key: string): Promise<Uint8Array> => {
  const { Body } = await s3.send(new S3.GetObjectCommand({ Bucket, Key }));
  return (await Body?.transformToByteArray()) ?? assert.fail('no body');
};

describe('a copy', () => {
  test('has the bytes, type and metadata of the original, and survives its deletion', async () => {
    const body = randomBytes(1_000_000);
    await put('odd ~@/+name', body, { ContentType: 'image/png', Metadata: { mark: 'm' } });
    const CopySource = `${Bucket}/${encodeURIComponent('odd ~@/+name')}`;
    const { CopyObjectResult } = await s3.send(new S3.CopyObjectCommand({ Bucket, Key: 'copy', CopySource }));
    await s3.send(new S3.DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'odd ~@/+name' }] } }));
    const { ContentType, Metadata, ETag } = await s3.send(new S3.GetObjectCommand({ Bucket, Key: 'copy' }));
    assert.deepEqual([ContentType, Metadata, ETag], ['image/png', { mark: 'm' }, CopyObjectResult?.ETag]);
    assert.deepEqual(Buffer.from(await readBytes('copy')), body);
  });

  test('onto itself has other metadata, the same bytes and no checksum that differs', async () => {
    await put('again', Buffer.from('same'), { ContentType: 'image/png', Metadata: { mark: 'old' } });
    const CopySource = `${Bucket}/again`;
    const change = {
      MetadataDirective: 'REPLACE',
      ContentType: 'video/mp4',
      Metadata: { mark: 'new' },
    } as const;
    await s3.send(new S3.CopyObjectCommand({ Bucket, Key: 'again', CopySource, ...change }));
    const { ContentType, Metadata } = await s3.send(new S3.GetObjectCommand({ Bucket, Key: 'again' }));
    assert.deepEqual([ContentType, Metadata], ['video/mp4', { mark: 'new' }]);
    assert.equal(Buffer.from(await readBytes('again')).toString(), 'same');
  });

  test('is rejected for a missing object, a missing bucket, and onto itself without a change', async () => {
    await put('here', Buffer.from('x'));
    const REFUSED = [
      ['writes/nothing', 'NoSuchKey'],
      ['nowhere/here', 'NoSuchBucket'],
      ['writes/here', 'InvalidRequest'],
      ['writes', 'InvalidArgument'],
    ] as const;
    for (const [CopySource, code] of REFUSED)
      assert.equal(
        await errorName(s3.send(new S3.CopyObjectCommand({ Bucket, Key: 'here', CopySource }))),
        code,
        CopySource,
      );
  });
});

describe('a write with If-None-Match', () => {
  test('is rejected if the object exists, and changes nothing', async () => {
    await put('once', Buffer.from('first'), { IfNoneMatch: '*' });
    assert.equal(
      await errorName(put('once', Buffer.from('second'), { IfNoneMatch: '*' })),
      'PreconditionFailed',
    );
    assert.equal(Buffer.from(await readBytes('once')).toString(), 'first');
    assert.equal(await errorName(put('once', Buffer.from('x'), { IfNoneMatch: '"e"' })), 'NotImplemented');
  });

  test('succeeds for exactly one of many concurrent writers', async () => {
    const writes = Array.from({ length: 8 }, (_, index) =>
      errorName(put('raced', Buffer.alloc(100_000, index), { IfNoneMatch: '*' })),
    );
    const results = await Promise.all(writes);
    assert.equal(results.filter((result) => result === 'no failure').length, 1);
    assert.equal(results.filter((result) => result === 'PreconditionFailed').length, 7);
  });
});

describe('a signed upload', () => {
  const body = randomBytes(1000);
  const digest = createHash('sha256').update(body).digest('base64');
  const signer = new S3.S3Client({
    ...configFor(cloud.emulators),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    forcePathStyle: true,
  });
  const headers = {
    'content-type': 'image/png',
    'if-none-match': '*',
    'x-amz-checksum-sha256': digest,
    'x-amz-meta-mark': 'm',
  };
  const sign = (Key: string, expiresIn = 60) =>
    getSignedUrl(
      signer,
      new S3.PutObjectCommand({
        Bucket,
        Key,
        ContentLength: body.length,
        ContentType: 'image/png',
        IfNoneMatch: '*',
        Metadata: { mark: 'm' },
        ChecksumSHA256: digest,
      }),
      {
        expiresIn,
        signableHeaders: new Set(['content-type']),
        unhoistableHeaders: new Set(Object.keys(headers)),
      },
    );
  const upload = async (url: string, sent: Record<string, string>, bytes: Buffer = body) => {
    const response = await fetch(url, { method: 'PUT', headers: sent, body: new Uint8Array(bytes) });
    return [response.status, /<Code>(\w+)</.exec(await response.text())?.[1]];
  };

  test('succeeds once, as signed', async () => {
    const url = await sign('signed');
    assert.deepEqual(await upload(url, headers), [200, undefined]);
    assert.deepEqual(await upload(url, headers), [412, 'PreconditionFailed']);
    assert.deepEqual(Buffer.from(await readBytes('signed')), body);
  });

  const { 'x-amz-meta-mark': _, ...unmarked } = headers;
  const other = randomBytes(1000);
  const REFUSED: readonly [string, Record<string, string>, Buffer, number, string][] = [
    ['another length', headers, randomBytes(999), 403, 'SignatureDoesNotMatch'],
    ['another type', { ...headers, 'content-type': 'text/html' }, body, 403, 'SignatureDoesNotMatch'],
    ['another checksum', { ...headers, 'x-amz-checksum-sha256': 'x' }, body, 403, 'SignatureDoesNotMatch'],
    ['other bytes', headers, other, 400, 'BadDigest'],
    ['a header less', unmarked, body, 403, 'SignatureDoesNotMatch'],
    ['no condition', { ...headers, 'if-none-match': '' }, body, 403, 'SignatureDoesNotMatch'],
    ['a header that was not signed', { ...headers, 'x-amz-acl': 'public-read' }, body, 403, 'AccessDenied'],
    ['a copy in its place', { ...headers, 'x-amz-copy-source': 'writes/once' }, body, 403, 'AccessDenied'],
  ];
  for (const [title, sent, bytes, status, code] of REFUSED)
    test(`is rejected with ${title}, and nothing is stored`, async () => {
      assert.deepEqual(await upload(await sign('refused'), sent, bytes), [status, code]);
      assert.equal(await errorName(readBytes('refused')), 'NoSuchKey');
    });

  test('is rejected after it has expired', async () => {
    const url = await sign('late', 1);
    await new Promise((resolve) => setTimeout(resolve, 2100));
    assert.deepEqual(await upload(url, headers), [403, 'AccessDenied']);
  });
});
