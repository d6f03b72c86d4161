import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { s3Media } from '../../../functions/adapters/s3-media.ts';
import { MissingInput } from '../../../functions/domain/ports.ts';
import { type S3Call, startFakeS3 } from './fake-s3.ts';

const MEGABYTE = 1024 * 1024;
const PART = 8 * MEGABYTE;

/** So many megabytes in odd chunks; it notes whether somebody closed it. */
const source = (megabytes: number, failure?: Error) => {
  const state = { closed: false };
  const chunks = async function* () {
    try {
      for (let sent = 0; sent < megabytes; sent += 1) yield new Uint8Array(MEGABYTE);
      if (failure !== undefined) throw failure;
    } finally {
      state.closed = true;
    }
  };
  return { state, chunks: chunks() };
};

describe('a video that is stored', () => {
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
    test(`goes to S3 in ${wanted.length} parts at ${megabytes} MB`, async () => {
      await using s3 = await startFakeS3();
      await s3Media(s3.client, 'media').putVideo('videos/1.mp4', source(megabytes).chunks);
      assert.deepEqual(
        s3.calls.filter(([call]) => call === 'put' || call === 'part'),
        wanted,
      );
      assert.equal(
        s3.calls.some(([call]) => call === 'abort'),
        false,
      );
    });

  for (const megabytes of [3, 20])
    test(`leaves nothing behind when its source breaks after ${megabytes} MB`, async () => {
      await using s3 = await startFakeS3();
      const failure = new Error('cut off');
      const { chunks } = source(megabytes, failure);
      await assert.rejects(s3Media(s3.client, 'media').putVideo('videos/1.mp4', chunks), failure);
      const kinds = s3.calls.map(([call]) => call);
      assert.equal(kinds.includes('complete') || kinds.includes('put'), false);
      assert.equal(kinds.includes('abort'), kinds.includes('start'));
    });

  for (const call of ['put', 'start', 'part', 'complete'] as const)
    test(`closes its source when S3 refuses the call '${call}'`, async () => {
      await using s3 = await startFakeS3(call);
      const { state, chunks } = source(call === 'put' ? 3 : 30);
      await assert.rejects(s3Media(s3.client, 'media').putVideo('videos/1.mp4', chunks), {
        name: 'AccessDenied',
      });
      assert.equal(state.closed, true);
    });
});

describe('the parts of a video', () => {
  const store = async () => {
    await using s3 = await startFakeS3();
    await s3Media(s3.client, 'media').putVideo('videos/1.mp4', source(20).chunks);
    const of = (wanted: S3Call) => s3.requests.filter(({ call }) => call === wanted);
    return { started: of('start'), parts: of('part'), completed: of('complete') };
  };

  const checksumOf = (bytes: Uint8Array): string => {
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(bytes));
    return checksum.toString('base64');
  };

  test('are announced with the algorithm of their checksums', async () => {
    const { started } = await store();
    assert.deepEqual(
      started.map(({ headers }) => headers['x-amz-checksum-algorithm']),
      ['CRC32'],
    );
  });

  test('carry their checksums, and the list of them repeats these', async () => {
    const { parts, completed } = await store();
    const checksums = parts.map(({ body }) => checksumOf(body));
    assert.deepEqual(
      parts.map(({ headers }) => headers['x-amz-checksum-crc32']),
      checksums,
    );
    const listed = completed[0]?.body.toString().matchAll(/<ChecksumCRC32>([^<]+)</g) ?? [];
    assert.deepEqual(
      Array.from(listed, ([, value]) => value),
      checksums,
    );
  });
});

describe('an input that S3 does not give', () => {
  // Without the right to list the bucket, S3 says of a key that does not exist that access is denied.
  for (const code of ['NoSuchKey', 'AccessDenied'])
    test(`is missing when the answer is ${code}`, async () => {
      await using s3 = await startFakeS3('get', code);
      await assert.rejects(s3Media(s3.client, 'media').getInput('inputs/1'), MissingInput);
    });

  test('is not missing when the answer says something else', async () => {
    await using s3 = await startFakeS3('get', 'InvalidAccessKeyId');
    await assert.rejects(s3Media(s3.client, 'media').getInput('inputs/1'), { name: 'InvalidAccessKeyId' });
  });
});
