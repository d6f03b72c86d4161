import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameBatch, takeBatches } from '../../../console/playground/batches.ts';

const video = (id: string, createdAt: number, change: Partial<Parameters<typeof isSameBatch>[0]> = {}) =>
  ({
    id,
    prompt: 'A kite',
    model: 'video-3.1-generate-preview',
    size: '1280x720',
    seconds: '8',
    created_at: createdAt,
    ...change,
  }) as const;

const request = (seed: number | null, mode: 'text' | 'first_frame' = 'text') => ({
  request: {
    mode,
    seed,
    seconds: 8 as const,
    resolution: '720p' as const,
    aspect_ratio: '16:9' as const,
    negative_prompt: null,
    inputs: [],
    api_key_id: 'key',
    user_id: null,
  },
});

test('variations have the same request and are made at the same time', () => {
  assert.equal(isSameBatch(video('1', 100), video('2', 102)), true);
  assert.equal(isSameBatch(video('1', 100), video('2', 103)), false);
  assert.equal(isSameBatch(video('1', 100), video('2', 101, { prompt: 'A fox' })), false);
  assert.equal(isSameBatch(video('1', 100), video('2', 200)), false);
  assert.equal(isSameBatch(video('1', 100, request(7)), video('2', 120, request(10))), true);
  assert.equal(isSameBatch(video('1', 100, request(4_294_967_295)), video('2', 100, request(1))), true);
  assert.equal(isSameBatch(video('1', 100, request(7)), video('2', 100, request(11))), false);
  assert.equal(isSameBatch(video('1', 100, request(7)), video('2', 121, request(8))), false);
  assert.equal(isSameBatch(video('1', 100, request(7)), video('2', 100, request(null))), false);
  assert.equal(isSameBatch(video('1', 100, request(7)), video('2', 100, request(8, 'first_frame'))), false);
});

test('a batch is not cut apart', () => {
  const videos = [video('1', 300), video('2', 200), video('3', 199), video('4', 198), video('5', 100)];
  const ids = (count: number): string =>
    takeBatches(videos, count)
      .map(({ id }) => id)
      .join('');
  assert.deepEqual([1, 2, 3, 4, 5, 9].map(ids), ['1', '1234', '1234', '1234', '12345', '12345']);
});
