import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fitWithin, shrink } from '../../../../functions/catalogue/domain/image-conversion.ts';

describe('a preview', () => {
  for (const [width, height, expected] of [
    [1024, 1024, [480, 480]],
    [2752, 1536, [480, 268]],
    [768, 1376, [268, 480]],
    [300, 200, [300, 200]],
    [8000, 1, [480, 1]],
  ] as const)
    test(`of ${width} × ${height} pixels has ${expected.join(' × ')}`, () => {
      const size = fitWithin({ width, height }, 480);
      assert.deepEqual([size.width, size.height], expected);
    });

  test('averages the pixels that it covers', () => {
    const dark = [0, 0, 0, 255];
    const light = [100, 200, 40, 255];
    const data = Uint8ClampedArray.from([dark, dark, light, light, light, light].flat());
    const small = shrink({ width: 3, height: 2, data }, 2);
    assert.deepEqual([small.width, small.height], [2, 1]);
    assert.deepEqual([...small.data], [50, 100, 20, 255, 75, 150, 30, 255]);
  });

  test('does not mix the colour of transparent pixels into its edges', () => {
    const data = Uint8ClampedArray.of(200, 100, 50, 255, 0, 0, 0, 0);
    assert.deepEqual([...shrink({ width: 2, height: 1, data }, 1).data], [200, 100, 50, 128]);
  });

  test('of a small image is the image itself', () => {
    const pixels = { width: 1, height: 1, data: Uint8ClampedArray.of(1, 2, 3, 4) };
    assert.equal(shrink(pixels, 1), pixels);
    assert.equal(shrink({ width: 1, height: 2, data: new Uint8ClampedArray(8) }, 1).height, 1);
  });
});
