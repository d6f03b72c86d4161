import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { S3Client } from '@aws-sdk/client-s3';
import { s3Files } from '../../../../functions/files/adapters/s3-files.ts';
import { fileKey } from '../../../../functions/files/domain/file-keys.ts';
import { s3Links, s3Media, s3Retention } from '../../../../functions/videos/adapters/s3-media.ts';
import { MissingInput } from '../../../../functions/videos/domain/media.ts';
import { readLink, startFakeS3 } from '../../platform/aws/fake-s3.ts';

const MEGABYTE = 1024 * 1024;
const PART = 8 * MEGABYTE;

/** A stream of the given size, in chunks that do not align with parts, which notes whether it was closed. */
const source = (megabytes: number, failure?: Error) => {
  const state = { closed: false };
  const bytes = randomBytes(megabytes * MEGABYTE);
  const chunks = async function* () {
    try {
      for (let sent = 0; sent < bytes.length; sent += 700_001) yield bytes.subarray(sent, sent + 700_001);
      if (failure !== undefined) throw failure;
    } finally {
      state.closed = true;
    }
  };
  return { state, bytes, chunks: chunks() };
};

const toChecksum = (bytes: Uint8Array): string => {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum.toString('base64');
};

describe('storing a video', () => {
  const SIZES: readonly (readonly [megabytes: number, calls: readonly (readonly [string, number])[]])[] = [
    [0, [['put', 0]]],
    [3, [['put', 3 * MEGABYTE]]],
    [8, [['put', PART]]],
    [
      20,
      [
        ['part', PART],
        ['part', PART],
        ['part', 4 * MEGABYTE],
      ],
    ],
  ];
  for (const [megabytes, wanted] of SIZES)
    test(`sends ${wanted.length} parts for ${megabytes} MB`, async () => {
      await using s3 = await startFakeS3();
      const { bytes, chunks } = source(megabytes);
      await s3Media(s3.client, 'media').putVideo('videos/1.mp4', chunks);
      const stored = s3.requests.filter(({ call }) => call === 'put' || call === 'part');
      assert.ok(Buffer.concat(stored.map(({ body }) => body)).equals(bytes));
      const writes = s3.calls.filter(([call]) => call === 'put' || call === 'part');
      assert.deepEqual(writes, wanted);
      const aborted = s3.calls.some(([call]) => call === 'abort');
      assert.equal(aborted, false);
      // Parts have checksums of the declared algorithm, which the list of parts repeats.
      const [started = [], parts = [], completed = []] = (['start', 'part', 'complete'] as const).map(
        (kind) => s3.requests.filter(({ call }) => call === kind),
      );
      const algorithms = started.map(({ headers }) => headers['x-amz-checksum-algorithm']);
      assert.deepEqual(algorithms, parts.length === 0 ? [] : ['CRC32']);
      const checksums = parts.map(({ body }) => toChecksum(body));
      const sent = parts.map(({ headers }) => headers['x-amz-checksum-crc32']);
      assert.deepEqual(sent, checksums);
      const listed = completed[0]?.body.toString().matchAll(/<ChecksumCRC32>([^<]+)</g) ?? [];
      const repeated = Array.from(listed, ([, value]) => value);
      assert.deepEqual(repeated, checksums);
    });

  for (const megabytes of [3, 20])
    test(`leaves nothing behind if its source fails after ${megabytes} MB`, async () => {
      await using s3 = await startFakeS3();
      const failure = new Error('cut off');
      const { chunks } = source(megabytes, failure);
      await assert.rejects(s3Media(s3.client, 'media').putVideo('videos/1.mp4', chunks), failure);
      const kinds = s3.calls.map(([call]) => call);
      assert.equal(kinds.includes('complete') || kinds.includes('put'), false);
      assert.equal(kinds.includes('abort'), kinds.includes('start'));
    });

  for (const call of ['put', 'start', 'part', 'complete'] as const)
    test(`closes its source if S3 refuses the call '${call}'`, async () => {
      await using s3 = await startFakeS3(call);
      const { state, chunks } = source(call === 'put' ? 3 : 20);
      await assert.rejects(s3Media(s3.client, 'media').putVideo('videos/1.mp4', chunks), {
        name: 'AccessDenied',
      });
      assert.equal(state.closed, true);
    });
});

describe('an input that S3 does not return', () => {
  test('is missing if the error is NoSuchKey', async () => {
    await using s3 = await startFakeS3('get', 'NoSuchKey');
    await assert.rejects(s3Media(s3.client, 'media').getInput('inputs/1'), MissingInput);
  });

  // The worker fails a task without its input, but repeats a step after any other error.
  for (const name of ['AccessDenied', 'InvalidAccessKeyId'])
    test(`is not missing if the error is ${name}`, async () => {
      await using s3 = await startFakeS3('get', name);
      await assert.rejects(s3Media(s3.client, 'media').getInput('inputs/1'), { name });
    });
});

describe('the media store', () => {
  /** A store that receives these answers in turn, and the inputs of its calls. */
  const answering = (context: TestContext, ...answers: readonly object[]) => {
    const client = new S3Client({ region: 'us-east-1' });
    const inputs: unknown[] = [];
    context.mock.method(client, 'send', async (command: object) => {
      inputs.push({ ...Object(command).input });
      return answers[inputs.length - 1] ?? {};
    });
    const [videos, retention] = [s3Media(client, 'media'), s3Retention(client, 'media')];
    return { media: { ...videos, ...retention, ...s3Files(client, 'media') }, inputs };
  };

  test('stores an input with its type', async (context) => {
    const { media, inputs } = answering(context);
    const bytes = Uint8Array.of(1);
    await media.putInput('inputs/1', { bytes, mimeType: 'image/png' });
    assert.deepEqual(inputs, [{ Bucket: 'media', Key: 'inputs/1', Body: bytes, ContentType: 'image/png' }]);
  });

  test('fails if an input cannot be stored', async (context) => {
    const client = new S3Client({ region: 'us-east-1' });
    context.mock.method(client, 'send', () => Promise.reject(new Error('S3 is gone')));
    const image = { bytes: Uint8Array.of(1), mimeType: 'image/png' } as const;
    await assert.rejects(s3Media(client, 'media').putInput('inputs/1', image), /S3 is gone/);
  });

  test('stores a video with its type, and the tag by which it ends', async (context) => {
    const { media, inputs } = answering(context);
    const { bytes, chunks } = source(1);
    await media.putVideo('videos/1.mp4', chunks);
    assert.deepEqual(inputs, [
      {
        Bucket: 'media',
        Key: 'videos/1.mp4',
        ContentType: 'video/mp4',
        Tagging: 'retention=limited',
        Body: new Uint8Array(bytes),
      },
    ]);
  });

  test('keeps a video without its tag, and writes it again with the tag to release it', async (context) => {
    const { media, inputs } = answering(context);
    for (const isKept of [true, false]) await media.retain('videos/1.mp4', isKept);
    const place = { Bucket: 'media', Key: 'videos/1.mp4' };
    const copy = { CopySource: 'media/videos/1.mp4', ContentType: 'video/mp4', MetadataDirective: 'REPLACE' };
    const tag = { Tagging: 'retention=limited', TaggingDirective: 'REPLACE' };
    assert.deepEqual(inputs, [place, { ...place, ...copy, ...tag }]);
  });

  test('keeps and releases no video that was just deleted', async (context) => {
    const client = new S3Client({ region: 'us-east-1' });
    let name = 'NoSuchKey';
    context.mock.method(client, 'send', () => Promise.reject(Object.assign(new Error('no'), { name })));
    const { retain } = s3Retention(client, 'media');
    for (const isKept of [true, false]) await retain('videos/1.mp4', isKept);
    name = 'AccessDenied';
    for (const isKept of [true, false]) await assert.rejects(retain('videos/1.mp4', isKept), { name });
  });

  test('returns an input, and fails without a body', async (context) => {
    const Body = { transformToByteArray: async () => Uint8Array.of(7) };
    const { media, inputs } = answering(context, { Body }, {});
    assert.deepEqual(await media.getInput('inputs/1'), Uint8Array.of(7));
    assert.deepEqual(inputs, [{ Bucket: 'media', Key: 'inputs/1' }]);
    await assert.rejects(media.getInput('inputs/1'), /S3 responded without a body/);
  });

  test('removes objects in one call, and makes no call without objects', async (context) => {
    const { media, inputs } = answering(context);
    await media.remove([]);
    assert.deepEqual(inputs, []);
    await media.remove(['a', 'b']);
    assert.deepEqual(inputs, [
      { Bucket: 'media', Delete: { Objects: [{ Key: 'a' }, { Key: 'b' }], Quiet: true } },
    ]);
  });

  test('fails if S3 could not remove an object', async (context) => {
    const Errors = [{ Code: 'SlowDown' }, { Code: 'Other' }];
    const { media } = answering(context, { Errors: [] }, { Errors });
    await media.remove(['a']);
    await assert.rejects(media.remove(['a', 'b']), /S3 could not remove 2 objects: SlowDown/);
  });

  test('lists its inputs page by page, after a key', async (context) => {
    const { media, inputs } = answering(
      context,
      { Contents: [{ Key: 'inputs/1' }, {}], IsTruncated: true, NextContinuationToken: 'next' },
      { Contents: [{ Key: 'inputs/3' }] },
    );
    assert.deepEqual(await Array.fromAsync(media.inputsAfter('inputs/0')), [['inputs/1'], ['inputs/3']]);
    const query = { Bucket: 'media', Prefix: 'inputs/', StartAfter: 'inputs/0' };
    const tokens = [undefined, 'next'].map((ContinuationToken) => ({ ...query, ContinuationToken }));
    assert.partialDeepStrictEqual(inputs, tokens);
  });

  test('opens the first bytes of a file and returns its length and expiry', async (context) => {
    const left: string[] = [];
    const Body = {
      transformToByteArray: async () => Uint8Array.of(7),
      destroy: () => void left.push('left'),
    };
    const { media, inputs } = answering(
      context,
      { Body, ContentRange: 'bytes 0-8/1234', ContentLength: 9, Metadata: { 'expires-at': '77' } },
      { Body, ContentLength: 9 },
      {},
    );
    const FILE = { account: 'acme', id: 'file_1' };
    const part = await media.openFile(FILE, 9);
    assert.deepEqual([part?.bytes, part?.expiresAt, await part?.read()], [1234, 77, Uint8Array.of(7)]);
    part?.close();
    assert.deepEqual(left, ['left']);
    const whole = await media.openFile(FILE);
    assert.deepEqual([whole?.bytes, whole?.expiresAt], [9, 0]);
    assert.deepEqual(inputs, [
      { Bucket: 'media', Key: fileKey('acme', 'file_1'), Range: 'bytes=0-8' },
      { Bucket: 'media', Key: fileKey('acme', 'file_1') },
    ]);
    await assert.rejects(media.openFile(FILE), /S3 answered without a body/);
  });
});

describe('the link of a video', () => {
  test('is valid for five minutes and names the downloaded file', async () => {
    await using s3 = await startFakeS3();
    const { sign } = s3Links(s3.client, 'media');
    const { signature, ...link } = readLink(await sign('videos/1.mp4', 'task_1.mp4', 'GET'));
    assert.deepEqual(link, {
      path: '/media/videos/1.mp4',
      seconds: '300',
      headers: 'host',
      type: 'video/mp4',
      disposition: `attachment; filename="task_1.mp4"; filename*=UTF-8''task_1.mp4`,
    });
    const head = readLink(await sign('videos/1.mp4', 'task_1.mp4', 'HEAD'));
    assert.notEqual(head.signature, signature);
    assert.equal(readLink(await sign('inputs/1', 'a.png', 'GET', 'image/png')).type, 'image/png');
  });
});
