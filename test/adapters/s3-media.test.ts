import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { s3Media } from '../../functions/adapters/s3-media.ts';
import { MissingInput } from '../../functions/domain/missing-input.ts';
import { startFakeS3 } from './fake-s3.ts';

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

test('an input that is not there is missing, and one that is refused is not', async () => {
  await using without = await startFakeS3('get', 'NoSuchKey');
  await assert.rejects(s3Media(without.client, 'media').getInput('inputs/1'), MissingInput);
  await using closed = await startFakeS3('get');
  await assert.rejects(s3Media(closed.client, 'media').getInput('inputs/1'), { name: 'AccessDenied' });
});
