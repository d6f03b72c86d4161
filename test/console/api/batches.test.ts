import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameBatch, takeBatches } from '../../../console/api/batches.ts';

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

const request = (seed: number | null, mode = 'text') => ({ request: Object({ mode, seed }) });

for (const [seconds, one, other, expected] of [
  [2, {}, {}, true],
  [3, {}, {}, false],
  [1, {}, { prompt: 'A fox' }, false],
  [20, request(7), request(10), true],
  [21, request(7), request(8), false],
  [0, request(4_294_967_295), request(1), true],
  [0, request(7), request(11), false],
  [0, request(7), request(null), false],
  [0, request(7), request(8, 'first_frame'), false],
] as const)
  test(`${JSON.stringify([one, other])}, ${seconds} s apart, ${expected ? 'are' : 'are not'} variations`, () =>
    assert.equal(isSameBatch(video('1', 100, one), video('2', 100 + seconds, other)), expected));

test('a batch is not cut apart', () => {
  const videos = [video('1', 300), video('2', 200), video('3', 199), video('4', 198), video('5', 100)];
  const ids = (count: number): string =>
    takeBatches(videos, count)
      .map(({ id }) => id)
      .join('');
  assert.deepEqual([1, 2, 3, 4, 5, 9].map(ids), ['1', '1234', '1234', '1234', '12345', '12345']);
});
