import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { configFor, emulated, failureOf } from './emulated.ts';

/** Copies, and writes that depend on what is there or on what was signed. */

const Bucket = 'media';
const cloud = await emulated();
after(() => cloud.end());
const { s3 } = cloud.clients;
await s3.send(new CreateBucketCommand({ Bucket }));

const put = (Key: string, Body: Buffer, more = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const bytesOf = async (Key: string): Promise<Uint8Array> => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return (await Body?.transformToByteArray()) ?? assert.fail('no body');
};

describe('a copy', () => {
  test('has bytes, type and metadata of the original, and outlives it', async () => {
    const body = randomBytes(1_000_000);
    await put('odd ~@/+name', body, { ContentType: 'image/png', Metadata: { mark: 'm' } });
    const CopySource = `${Bucket}/${encodeURIComponent('odd ~@/+name')}`;
    const { CopyObjectResult } = await s3.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource }));
    await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'odd ~@/+name' }] } }));
    const { ContentType, Metadata, ETag } = await s3.send(new GetObjectCommand({ Bucket, Key: 'copy' }));
    assert.deepEqual([ContentType, Metadata, ETag], ['image/png', { mark: 'm' }, CopyObjectResult?.ETag]);
    assert.deepEqual(Buffer.from(await bytesOf('copy')), body);
  });

  test('is refused of what is not there, of a bucket that is not, and onto itself', async () => {
    await put('here', Buffer.from('x'));
    const REFUSED = [
      ['media/nothing', 'NoSuchKey'],
      ['nowhere/here', 'NoSuchBucket'],
      ['media/here', 'InvalidRequest'],
      ['media', 'InvalidArgument'],
    ] as const;
    for (const [CopySource, code] of REFUSED)
      assert.equal(
        await failureOf(s3.send(new CopyObjectCommand({ Bucket, Key: 'here', CopySource }))),
        code,
        CopySource,
      );
  });
});

describe('a write that must be the first', () => {
  test('is refused once the object is there, and changes nothing', async () => {
    await put('once', Buffer.from('first'), { IfNoneMatch: '*' });
    assert.equal(
      await failureOf(put('once', Buffer.from('second'), { IfNoneMatch: '*' })),
      'PreconditionFailed',
    );
    assert.equal(Buffer.from(await bytesOf('once')).toString(), 'first');
    assert.equal(await failureOf(put('once', Buffer.from('x'), { IfNoneMatch: '"e"' })), 'NotImplemented');
  });

  test('succeeds once of many at the same time', async () => {
    const writes = Array.from({ length: 8 }, (_, index) =>
      failureOf(put('raced', Buffer.alloc(100_000, index), { IfNoneMatch: '*' })),
    );
    const results = await Promise.all(writes);
    assert.equal(results.filter((result) => result === 'no failure').length, 1);
    assert.equal(results.filter((result) => result === 'PreconditionFailed').length, 7);
  });
});

describe('a signed upload', () => {
  const body = randomBytes(1000);
  const digest = createHash('sha256').update(body).digest('base64');
  const signer = new S3Client({
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
      new PutObjectCommand({
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

  test('is taken as it was signed, and once', async () => {
    const url = await sign('signed');
    assert.deepEqual(await upload(url, headers), [200, undefined]);
    assert.deepEqual(await upload(url, headers), [412, 'PreconditionFailed']);
    assert.deepEqual(Buffer.from(await bytesOf('signed')), body);
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
    ['a copy in its place', { ...headers, 'x-amz-copy-source': 'media/once' }, body, 403, 'AccessDenied'],
  ];
  for (const [title, sent, bytes, status, code] of REFUSED)
    test(`is refused with ${title}, and nothing is kept`, async () => {
      assert.deepEqual(await upload(await sign('refused'), sent, bytes), [status, code]);
      assert.equal(await failureOf(bytesOf('refused')), 'NoSuchKey');
    });

  test('is refused after its time', async () => {
    const url = await sign('late', 1);
    await new Promise((resolve) => setTimeout(resolve, 2100));
    assert.deepEqual(await upload(url, headers), [403, 'AccessDenied']);
  });
});
