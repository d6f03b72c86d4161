import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { Pixels } from '../../../../functions/catalogue/domain/image-conversion.ts';
import { readImageHeader } from '../../../../functions/catalogue/domain/input-image.ts';
import { decodeImage, encodeImage } from '../../../../functions/images/adapters/image-codecs.ts';
import { colorAt, GRADIENT, paint, withOrientation } from '../../../support/images/pixels.ts';
import { JPEG, PNG, WEBP } from '../../../support/images.ts';

/** Corners and middle of the gradient. */
const PLACES = [
  [0, 0],
  [63, 0],
  [0, 39],
  [63, 39],
  [32, 20],
] as const;

const assertSimilar = (actual: Pixels, expected: Pixels, most: number): void => {
  assert.deepEqual([actual.width, actual.height], [expected.width, expected.height]);
  for (const [x, y] of PLACES) {
    const [one, other] = [colorAt(actual, x, y), colorAt(expected, x, y)];
    const difference = Math.max(...one.map((value, channel) => Math.abs(value - (other[channel] ?? 0))));
    assert.ok(difference <= most, `${one} instead of ${other} at ${x}, ${y}`);
  }
};

describe('an encoded image', () => {
  for (const [format, difference] of [
    ['jpeg', 3],
    ['png', 0],
    ['webp', 3],
  ] as const)
    test(`is a whole ${format} with the same pixels`, async () => {
      const bytes = await encodeImage(GRADIENT, format);
      assert.deepEqual(readImageHeader(bytes), {
        mimeType: `image/${format}`,
        width: 64,
        height: 40,
        whole: true,
      });
      assertSimilar(await decodeImage(bytes, `image/${format}`), GRADIENT, difference);
    });

  for (const format of ['jpeg', 'webp'] as const)
    test(`is smaller as ${format} of a lower quality`, async () => {
      const sizes = await Promise.all(
        [100, 60, 0].map(async (quality) => (await encodeImage(GRADIENT, format, quality)).length),
      );
      const descending = sizes.toSorted((one, other) => other - one);
      assert.deepEqual(sizes, descending);
      assert.equal(new Set(sizes).size, 3);
    });
});

describe('a PNG', () => {
  test('has three chunks with their checksums', async () => {
    const bytes = Buffer.from(await encodeImage(GRADIENT, 'png'));
    const types: string[] = [];
    for (let at = 8; at < bytes.length; ) {
      const end = at + 8 + bytes.readUInt32BE(at);
      types.push(bytes.toString('latin1', at + 4, at + 8));
      assert.equal(bytes.readUInt32BE(end), crc32(bytes.subarray(at + 4, end)));
      at = end + 4;
    }
    assert.deepEqual(types, ['IHDR', 'IDAT', 'IEND']);
  });

  test('has no alpha channel unless the image is transparent', async () => {
    const opaque = await encodeImage(GRADIENT, 'png');
    const pixels = paint(5, 3, (x, y) => [9 * x, 70 * y, 200, 255 - x]);
    const transparent = await encodeImage(pixels, 'png');
    const COLOR_TYPE = 25;
    assert.deepEqual([opaque[COLOR_TYPE], transparent[COLOR_TYPE]], [2, 6]);
  });

  for (const [width, height] of [
    [1, 1],
    [1, 9],
    [7, 1],
    [33, 17],
  ] as const)
    test(`keeps every pixel of ${width}x${height}, including alpha`, async () => {
      const noise = paint(width, height, (x, y) => [37 * x, 91 * y, 53 * x * y, 29 * x + 17 * y]);
      const { data } = await decodeImage(await encodeImage(noise, 'png'), 'image/png');
      assert.deepEqual(Buffer.from(data), Buffer.from(noise.data));
    });
});

describe('a decoded image', () => {
  for (const [type, bytes, color] of [
    ['image/jpeg', JPEG, [202, 80, 41, 255]],
    ['image/png', PNG, [128, 128, 128, 255]],
    ['image/webp', WEBP, [201, 80, 41, 255]],
  ] as const)
    test(`of ${type} has the colours of the file`, async () => {
      const pixels = await decodeImage(bytes, type);
      assert.deepEqual([pixels.width, pixels.height, pixels.data.length], [32, 18, 32 * 18 * 4]);
      assert.deepEqual(colorAt(pixels, 31, 17), color);
    });

  test('is turned as its metadata says', async () => {
    const turned = await decodeImage(withOrientation(6, await encodeImage(GRADIENT, 'jpeg')), 'image/jpeg');
    assert.deepEqual([turned.width, turned.height], [40, 64]);
    const [corner, original] = [colorAt(turned, 39, 0), colorAt(GRADIENT, 0, 0)];
    assert.ok(corner.every((value, channel) => Math.abs(value - (original[channel] ?? 0)) <= 3));
  });

  for (const [type, damaged, reason, whole] of [
    ['image/jpeg', Buffer.from('GIF89a, not a JPEG'), /Not a JPEG file/, JPEG],
    ['image/png', PNG.subarray(0, 50), /unwrap_throw/, PNG],
    ['image/webp', WEBP.subarray(0, 40), /no image/, WEBP],
    // A decoder reads it without the header that was checked.
    ['image/webp', WEBP.subarray(20), /The image has 32x18 pixels, but its header says 0x0/, WEBP],
  ] as const)
    test(`of ${type} is rejected if it is damaged, and the next one is decoded`, async () => {
      await assert.rejects(decodeImage(damaged, type), reason);
      assert.equal((await decodeImage(whole, type)).width, 32);
    });
});

test('a JPEG is baseline, because a progressive one takes twice the time', async () => {
  const bytes = Buffer.from(await encodeImage(GRADIENT, 'jpeg'));
  const [baseline, progressive] = [0xc0, 0xc2].map((marker) =>
    bytes.includes(Buffer.of(0xff, marker, 0, 17, 8)),
  );
  assert.deepEqual([baseline, progressive], [true, false]);
});

test('a decoder does not take more memory than the largest image needs', async () => {
  const image = Buffer.from(JPEG);
  const frame = image.indexOf(Buffer.from([0xff, 0xc0]));
  for (const offset of [5, 7]) image.writeUInt16BE(20_000, frame + offset);
  await assert.rejects(decodeImage(image, 'image/jpeg'), /Aborted/);
});
