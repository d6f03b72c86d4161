import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  discardFile,
  fileHasArrived,
  putFile,
  retainFile,
  s3Chunks,
  s3Files,
  s3Previews,
  setFileAside,
  signFileDownload,
  signFileUpload,
} from '../../../../functions/files/adapters/s3-files.ts';
import { fileKey, previewKey, removedFileKey } from '../../../../functions/files/domain/file-keys.ts';
import { sha256 } from '../../../../functions/files/domain/uploads.ts';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import { aFile } from '../../../support/builders/file.ts';
import { readLink, startFakeS3 } from '../../platform/aws/fake-s3.ts';

const FILE = aFile({
  id: 'file_1',
  name: `it's "é" (50%) *\\.png`,
  bytes: 1234,
  createdAt: 1_800_000_000_000,
  expiresAt: 1_800_003_600_000,
});

describe('a file that S3 does not return', () => {
  test('is not found if the error is NoSuchKey', async () => {
    await using s3 = await startFakeS3('get', 'NoSuchKey');
    assert.equal(await s3Files(s3.client, 'media').openFile(FILE, 9), undefined);
  });

  for (const name of ['AccessDenied', 'SlowDown'])
    test(`throws if the error is ${name}`, async () => {
      await using s3 = await startFakeS3('get', name);
      await assert.rejects(s3Files(s3.client, 'media').openFile(FILE), { name });
    });

  test('has not arrived if HEAD answers 404 instead of 200, and throws if it answers 403', async () => {
    await using stored = await startFakeS3();
    assert.equal(await fileHasArrived(stored.client, 'media')(FILE), true);
    await using missing = await startFakeS3('head', 'NoSuchKey');
    assert.equal(await fileHasArrived(missing.client, 'media')(FILE), false);
    await using denied = await startFakeS3('head', 'AccessDenied');
    await assert.rejects(
      fileHasArrived(denied.client, 'media')(FILE),
      (error) => Object(error).$metadata.httpStatusCode === 403,
    );
  });

  test('is set aside without a copy if the error is NoSuchKey, and throws if it is AccessDenied', async () => {
    await using missing = await startFakeS3('copy', 'NoSuchKey');
    await setFileAside(missing.client, 'media')(FILE);
    assert.deepEqual(missing.calls.flat(), ['copy', 0, 'put', 0]);
    await using denied = await startFakeS3('copy', 'AccessDenied');
    await assert.rejects(setFileAside(denied.client, 'media')(FILE), { name: 'AccessDenied' });
    assert.deepEqual(denied.calls, [['copy', 0]]);
  });

  test('is empty if S3 rejects the range', async () => {
    await using s3 = await startFakeS3('get', 'InvalidRange');
    assert.equal((await s3Files(s3.client, 'media').openFile(FILE, 9))?.bytes, 0);
  });
});

test('only the first bytes of a file are requested, and a file without an expiry is expired', async () => {
  await using s3 = await startFakeS3();
  const file = await s3Files(s3.client, 'media').openFile(FILE, 9);
  assert.equal(s3.requests[0]?.headers.range, 'bytes=0-8');
  assert.equal(file?.expiresAt, 0);
});

/** The requests with their key and the headers that last with the object. */
const sent = ({ requests }: Awaited<ReturnType<typeof startFakeS3>>) =>
  requests.map(({ call, path, headers }) => {
    const kept = ['content-type', 'x-amz-copy-source', 'x-amz-tagging', 'x-amz-meta-expires-at'];
    return [call, path.split('?')[0]?.slice('/media/'.length), ...kept.map((name) => headers[name])];
  });
const OBJECT = fileKey('acme', 'file_1');
const LIMITED = ['retention=limited', '1800003600000'];

test('a file is stored with its type and its expiry, and with a tag unless it is kept', async () => {
  await using s3 = await startFakeS3();
  await putFile(s3.client, 'media')(FILE, Buffer.from('png'));
  assert.deepEqual(s3.calls, [['put', 3]]);
  await retainFile(s3.client, 'media')({ ...FILE, expiresAt: NEVER });
  await retainFile(s3.client, 'media')(FILE);
  assert.deepEqual(sent(s3), [
    ['put', OBJECT, 'image/png', undefined, ...LIMITED],
    ['abort', OBJECT, undefined, undefined, undefined, undefined],
    ['copy', OBJECT, 'image/png', `media/${OBJECT}`, ...LIMITED],
  ]);
});

test('the bytes of a removed file are set aside, and an empty object takes their place', async () => {
  await using s3 = await startFakeS3();
  await setFileAside(s3.client, 'media')(FILE);
  assert.deepEqual(sent(s3), [
    ['copy', removedFileKey(OBJECT), undefined, `media/${OBJECT}`, undefined, undefined],
    ['put', OBJECT, 'application/octet-stream', undefined, 'retention=limited', undefined],
  ]);
  assert.equal(s3.requests[0]?.headers['x-amz-tagging-directive'], 'REPLACE');
});

test('a file is discarded with its copy and its preview, and an error is not ignored', async () => {
  await using s3 = await startFakeS3();
  await discardFile(s3.client, 'media')(FILE);
  const body = s3.requests[0]?.body.toString() ?? '';
  const keys = Array.from(body.matchAll(/<Key>([^<]+)<\/Key>/g), ([, key]) => key);
  assert.deepEqual(keys, [OBJECT, removedFileKey(OBJECT), previewKey(OBJECT)]);
  await using denied = await startFakeS3('complete');
  await assert.rejects(discardFile(denied.client, 'media')(FILE), { name: 'AccessDenied' });
});

test('a preview is stored beside its file, and found unless it is missing', async () => {
  await using s3 = await startFakeS3();
  const previews = s3Previews(s3.client, 'media');
  await previews.put(FILE, Buffer.from('jpeg'));
  assert.deepEqual([...((await previews.find(FILE)) ?? [7])], []);
  assert.deepEqual(s3.calls.flat(), ['put', 4, 'get', 0]);
  const keys = sent(s3).map(([, key]) => key);
  assert.deepEqual(keys, [previewKey(OBJECT), previewKey(OBJECT)]);
  await using missing = await startFakeS3('get', 'NoSuchKey');
  assert.equal(await s3Previews(missing.client, 'media').find(FILE), undefined);
  await using denied = await startFakeS3('get', 'AccessDenied');
  await assert.rejects(s3Previews(denied.client, 'media').find(FILE), { name: 'AccessDenied' });
});

describe('the link of a file', () => {
  test('is good for five minutes, and names the file for old and new clients in letters that end no header', async () => {
    await using s3 = await startFakeS3();
    const sign = signFileDownload(s3.client, 'media');
    const { signature, ...link } = readLink(await sign(FILE, 'GET'));
    assert.deepEqual(link, {
      path: `/media/${OBJECT}`,
      seconds: '300',
      headers: 'host',
      type: 'image/png',
      disposition:
        "attachment; filename=\"it's ___ (50_) *_.png\"; filename*=UTF-8''it%27s%20%22%C3%A9%22%20%2850%25%29%20%2A%5C.png",
    });
    assert.notEqual(readLink(await sign(FILE, 'HEAD')).signature, signature);
  });
});

describe('the address of an upload', () => {
  Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  const HEADERS = {
    'content-type': 'image/png',
    'if-none-match': '*',
    'x-amz-meta-expires-at': '1800003600000',
    'x-amz-tagging': 'retention=limited',
  };

  test('takes these bytes, once, for 15 minutes', async () => {
    const { url, headers, expiresAt } = await signFileUpload('media')(FILE, undefined);
    const link = readLink(url);
    assert.deepEqual([link.path, link.seconds], [`/${OBJECT}`, '900']);
    assert.equal(
      link.headers,
      'content-length;content-type;host;if-none-match;x-amz-meta-expires-at;x-amz-tagging',
    );
    assert.deepEqual([headers, expiresAt], [HEADERS, 1_800_000_900_000]);
  });

  test('takes nothing but what has the given hash', async () => {
    const { url, headers } = await signFileUpload('media')(FILE, 'aGFzaA==');
    assert.deepEqual(headers, { ...HEADERS, 'x-amz-checksum-sha256': 'aGFzaA==' });
    assert.match(readLink(url).headers ?? '', /;x-amz-checksum-sha256;/);
  });
});

const CHUNK = { offset: 5, bytes: 3, sha256: sha256('abc') };
const CHUNK_KEY = 'uploads/~acme/file_1/5';

test('a chunk is an object of its own, which is removed by its key; one that is missing is an error', async () => {
  await using s3 = await startFakeS3();
  const chunks = s3Chunks(s3.client, 'media');
  await chunks.put(FILE, CHUNK, Buffer.from('abc'));
  assert.deepEqual([...(await chunks.read(FILE, CHUNK))], []);
  await chunks.discard(FILE, [CHUNK]);
  const [put, , removal] = s3.requests.map(({ body }) => body.toString());
  const keys = sent(s3).map(([, key]) => key);
  assert.deepEqual([put, ...keys], ['abc', CHUNK_KEY, CHUNK_KEY, '']);
  assert.ok(removal?.includes(`<Key>${CHUNK_KEY}</Key>`));
  await chunks.discard(FILE, []);
  assert.equal(s3.calls.length, 3, 'nothing is sent if there are none to remove');
  await using missing = await startFakeS3('get', 'NoSuchKey');
  await assert.rejects(s3Chunks(missing.client, 'media').read(FILE, CHUNK), { name: 'NoSuchKey' });
});
