import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { consoleFiles } from '../../../../functions/console/page.ts';
import { signFileDownload, signFileUpload } from '../../../../functions/files/adapters/s3-files.ts';
import type { StoredFile } from '../../../../functions/files/domain/files.ts';
import { s3Links } from '../../../../functions/videos/adapters/s3-media.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { startFakeS3 } from '../../platform/aws/fake-s3.ts';

const FILE: StoredFile = {
  id: 'file_1',
  account: 'acme',
  name: 'a "b" é.png',
  bytes: 1234,
  mimeType: 'image/png',
  purpose: 'vision',
  createdAt: 1_800_000_000_000,
  expiresAt: 1_800_003_600_000,
  arrived: true,
};

/** A signed address: its path and the parameters that S3 obeys. */
const readLink = (link: string) => {
  const { pathname, searchParams } = new URL(link);
  const given = (name: string) => searchParams.get(name) ?? undefined;
  return {
    path: pathname,
    seconds: given('X-Amz-Expires'),
    headers: given('X-Amz-SignedHeaders'),
    type: given('response-content-type'),
    disposition: given('response-content-disposition'),
    signature: given('X-Amz-Signature'),
  };
};

describe('the link of a video', () => {
  test('is good for five minutes, and saves the file under its name', async () => {
    await using s3 = await startFakeS3();
    const { sign } = s3Links(s3.client, 'media');
    const { signature, ...link } = readLink(await sign('videos/1.mp4', 'task_1.mp4', 'GET'));
    assert.deepEqual(link, {
      path: '/media/videos/1.mp4',
      seconds: '300',
      headers: 'host',
      type: 'video/mp4',
      disposition: 'attachment; filename="task_1.mp4"',
    });
    const head = readLink(await sign('videos/1.mp4', 'task_1.mp4', 'HEAD'));
    assert.notEqual(head.signature, signature);
  });
});

describe('the link of a file', () => {
  test('is good for five minutes, and names the file for old and new clients', async () => {
    await using s3 = await startFakeS3();
    const sign = signFileDownload(s3.client, 'media');
    const { signature, ...link } = readLink(await sign(FILE, 'GET'));
    assert.deepEqual(link, {
      path: '/media/files/~acme/file_1',
      seconds: '300',
      headers: 'host',
      type: 'image/png',
      disposition: 'attachment; filename="a _b_ _.png"; filename*=UTF-8\'\'a%20%22b%22%20%C3%A9.png',
    });
    assert.notEqual(readLink(await sign(FILE, 'HEAD')).signature, signature);
  });

  test('has no letter that ends a header or a quotation', async () => {
    await using s3 = await startFakeS3();
    const name = "it's (50%) *\\.png";
    const { disposition } = readLink(await signFileDownload(s3.client, 'media')({ ...FILE, name }, 'GET'));
    assert.equal(
      disposition,
      "attachment; filename=\"it's (50_) *_.png\"; filename*=UTF-8''it%27s%20%2850%25%29%20%2A%5C.png",
    );
  });
});

describe('the address of an upload', () => {
  Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  const HEADERS = {
    'content-type': 'image/png',
    'if-none-match': '*',
    'x-amz-meta-expires-at': '1800003600000',
  };

  test('takes these bytes, once, for 15 minutes', async () => {
    const { url, headers, expiresAt } = await signFileUpload('media')(FILE, undefined);
    const link = readLink(url);
    assert.deepEqual([link.path, link.seconds], ['/files/~acme/file_1', '900']);
    assert.equal(link.headers, 'content-length;content-type;host;if-none-match;x-amz-meta-expires-at');
    assert.deepEqual([headers, expiresAt], [HEADERS, 1_800_000_900_000]);
  });

  test('takes nothing but what has the given hash', async () => {
    const { url, headers } = await signFileUpload('media')(FILE, 'aGFzaA==');
    assert.deepEqual(headers, { ...HEADERS, 'x-amz-checksum-sha256': 'aGFzaA==' });
    assert.match(readLink(url).headers ?? '', /;x-amz-checksum-sha256;/);
  });
});

test('the console has each file in three encodings, and no other', async () => {
  const folder = await temporaryFolder('console-files');
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<p>');
  for (const suffix of ['', '.br', '.gz'])
    await writeFile(join(folder, 'assets', `a.js${suffix}`), `plain${suffix}`);
  await writeFile(join(folder, 'assets', 'b.png'), 'b');
  const { page, asset } = consoleFiles(folder);
  assert.equal(page, '<p>');
  const read = (name: string, encoding: 'br' | 'gzip' | 'identity') =>
    new TextDecoder().decode(asset(name, encoding));
  assert.deepEqual(
    [read('a.js', 'br'), read('a.js', 'gzip'), read('a.js', 'identity')],
    ['plain.br', 'plain.gz', 'plain'],
  );
  assert.deepEqual(
    [asset('a.js.br', 'identity'), asset('b.png', 'identity'), asset('..', 'br')],
    [undefined, undefined, undefined],
  );
});
