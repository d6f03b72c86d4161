import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import {
  type EncodedImage,
  type ImageConversion,
  type Pixels,
  UnreadableImage,
} from '../../../../functions/catalogue/domain/image-conversion.ts';
import {
  convertImage,
  shrinkImage,
  toCommonType,
} from '../../../../functions/images/adapters/convert-image.ts';
import { decodeImage, encodeImage } from '../../../../functions/images/adapters/image-codecs.ts';
import { hasContentCredentials } from '../../../../functions/images/domain/content-credentials.ts';
import { jpegWithCredentials } from '../../../support/images/credentials.ts';
import { jpegWithHiddenSize, jpegWithScans } from '../../../support/images/hostile-images.ts';
import { describePicture } from '../../../support/images/pictures.ts';
import { colorAt, GRADIENT, paint } from '../../../support/images/pixels.ts';
import { JPEG, PNG, png, WEBP } from '../../../support/images.ts';

const image = (bytes: Uint8Array, mimeType = 'image/jpeg'): EncodedImage => ({
  mimeType,
  base64: Buffer.from(bytes).toString('base64'),
});
const toBytes = ({ base64 }: EncodedImage): Buffer => Buffer.from(base64, 'base64');

/** Returns how many threads there were each time that one was started. */
const watchThreads = async (act: () => Promise<void>, onStart = (_: Worker) => {}): Promise<number[]> => {
  const counts: number[] = [];
  let threads = 0;
  const watch = (worker: Worker): void => {
    threads += 1;
    counts.push(threads);
    worker.once('exit', () => {
      threads -= 1;
    });
    onStart(worker);
  };
  process.on('worker', watch);
  await act();
  process.off('worker', watch);
  return counts;
};

describe('an image is converted', () => {
  test('from JPEG to PNG and WebP', async () => {
    const jpeg = image(await encodeImage(GRADIENT, 'jpeg'));
    const [png, webp] = await Promise.all([
      convertImage(jpeg, { format: 'png' }),
      convertImage(jpeg, { format: 'webp', quality: 90 }),
    ]);
    assert.deepEqual([png.mimeType, describePicture(png.base64)], ['image/png', 'image/png 64x40']);
    assert.deepEqual([webp.mimeType, describePicture(webp.base64)], ['image/webp', 'image/webp 64x40']);
    // PNG is lossless, so its pixels are those of the JPEG.
    const [pixels, original] = await Promise.all([
      decodeImage(toBytes(png), 'image/png'),
      decodeImage(toBytes(jpeg), 'image/jpeg'),
    ]);
    assert.deepEqual(colorAt(pixels, 60, 30), colorAt(original, 60, 30));
  });

  test('without its content credentials', async () => {
    const signed = jpegWithCredentials(Buffer.from(await encodeImage(GRADIENT, 'jpeg', 100)));
    for (const conversion of [
      { format: 'jpeg', quality: 90 },
      { format: 'png' },
      { format: 'webp' },
    ] as const) {
      const bytes = toBytes(await convertImage(image(signed), conversion));
      assert.deepEqual([hasContentCredentials(signed), hasContentCredentials(bytes)], [true, false]);
    }
  });
});

describe('an image stays as it is', () => {
  const SAME: readonly (readonly [title: string, bytes: Uint8Array, conversion: ImageConversion])[] = [
    ['a JPEG', JPEG, { format: 'jpeg' }],
    ['a JPEG of quality 100', JPEG, { format: 'jpeg', quality: 100 }],
    ['a PNG of any quality', PNG, { format: 'png', quality: 50 }],
    ['a WebP', WEBP, { format: 'webp', quality: 100 }],
  ];
  for (const [title, bytes, conversion] of SAME)
    test(`if it is ${title} already`, async () => {
      const given = image(bytes);
      const counts = await watchThreads(async () =>
        assert.equal((await convertImage(given, conversion)).base64, given.base64),
      );
      assert.deepEqual(counts, []);
    });

  test('if compression would enlarge it', async () => {
    const small = image(await encodeImage(GRADIENT, 'jpeg', 20));
    assert.deepEqual(await convertImage(small, { format: 'jpeg', quality: 99 }), small);
    const wrapped = { ...small, base64: small.base64.replace(/.{76}/g, '$&\n') };
    assert.deepEqual(await convertImage(wrapped, { format: 'jpeg', quality: 99 }), wrapped);
  });
});

describe('an image is rejected', () => {
  const UNREADABLE = [
    ['it is of another type', Buffer.from('GIF89a'), /not a JPEG, PNG or WebP/],
    ['it is empty', Buffer.alloc(0), /not a JPEG, PNG or WebP/],
    ['it is truncated', JPEG.subarray(0, JPEG.length - 20), /truncated/],
    ['it has too many scans', jpegWithScans(3000), /^The image has more than 100 scans/],
    ['a marker hides that it has too many pixels', jpegWithHiddenSize(), /^The image has 20000x20000 pixels/],
    ['its 20 million pixels are missing', png(1, 1, { width: 5000, height: 4000 }), /unwrap_throw/],
    [
      'it has too many pixels',
      png(1, 1, { width: 8000, height: 8000 }),
      /^The image has 8000x8000 pixels; at most 20 million can be converted$/,
    ],
  ] as const;
  for (const [reason, bytes, message] of UNREADABLE)
    test(`if ${reason}`, async () => {
      const failure = await convertImage(image(bytes), { format: 'webp' }).catch((error: unknown) => error);
      assert.ok(failure instanceof UnreadableImage);
      assert.match(failure.message, message);
    });

  test('if its pixels are missing, and the next one is converted after it, to save memory', async () => {
    const missing = image(png(8, 8, { width: 64, height: 64 }));
    const counts = await watchThreads(async () => {
      const rejected = convertImage(missing, { format: 'jpeg' }).catch((error: unknown) => error);
      const { mimeType } = await convertImage(image(PNG), { format: 'jpeg' });
      assert.equal(mimeType, 'image/jpeg');
      const failure = await rejected;
      assert.ok(failure instanceof UnreadableImage);
      assert.match(failure.message, /unwrap_throw/);
    });
    assert.deepEqual(counts, [1, 1]);
  });
});

describe('a conversion fails', () => {
  test('if the format does not allow the size of the image', async () => {
    const failure = await convertImage(image(png(16_384, 1)), { format: 'webp' }).catch(
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Error && !(failure instanceof UnreadableImage));
    assert.match(failure.message, /codec returned no image/);
  });

  test('if its thread ends early', async () => {
    await watchThreads(
      () => assert.rejects(convertImage(image(PNG), { format: 'jpeg' }), /ended with \d before it answered/),
      (worker) => void worker.terminate(),
    );
  });
});

describe('an image of a type that every upstream accepts', () => {
  const convert = async (pixels: Pixels) =>
    toCommonType({ bytes: await encodeImage(pixels, 'webp', 100), mimeType: 'image/webp' });

  test('is a JPEG of high quality', async () => {
    const { bytes, mimeType } = await convert(GRADIENT);
    assert.deepEqual(
      [mimeType, describePicture(Buffer.from(bytes).toString('base64'))],
      ['image/jpeg', 'image/jpeg 64x40'],
    );
    const pixels = await decodeImage(bytes, 'image/jpeg');
    for (const [index, value] of colorAt(pixels, 30, 20).entries())
      assert.ok(Math.abs(value - (colorAt(GRADIENT, 30, 20)[index] ?? 0)) <= 6, `channel ${index}: ${value}`);
  });

  for (const [title, alpha] of [
    ['is a PNG if it is transparent', 0],
    ['is a PNG if a single pixel is almost opaque', 254],
  ] as const)
    test(title, async () => {
      const painted = paint(64, 40, (x, y) => [90, 60, 30, x === 63 && y === 39 ? alpha : 255]);
      const { bytes, mimeType } = await convert(painted);
      assert.equal(mimeType, 'image/png');
      const pixels = await decodeImage(bytes, 'image/png');
      assert.deepEqual([colorAt(pixels, 63, 39)[3], colorAt(pixels, 0, 0)[3]], [alpha, 255]);
    });

  test('is not made from an image with too many pixels', async () => {
    const large = { bytes: png(1, 1, { width: 5000, height: 4001 }), mimeType: 'image/png' } as const;
    await assert.rejects(toCommonType(large), UnreadableImage);
  });
});

describe('a preview', () => {
  test('is a WebP image with at most 480 pixels on the longer side', async () => {
    const pixels = paint(1200, 600, (x) => [x % 256, 90, 60]);
    const preview = Buffer.from(await shrinkImage(await encodeImage(pixels, 'png')));
    assert.equal(describePicture(preview.toString('base64')), 'image/webp 480x240');
  });

  test('is made in a thread that stays, without listeners, until an image cannot be decoded', async () => {
    const withoutPixels = png(8, 8, { width: 64, height: 64 });
    const threads: Worker[] = [];
    const preview = async () => {
      await shrinkImage(PNG);
      await assert.rejects(shrinkImage(withoutPixels), UnreadableImage);
      await shrinkImage(JPEG);
      await shrinkImage(PNG);
    };
    assert.deepEqual(await watchThreads(preview, (thread) => threads.push(thread)), [1]);
    assert.deepEqual(
      threads.map((thread) => [thread.listenerCount('message'), thread.listenerCount('error')]),
      [[0, 0]],
    );
  });

  test('is given up at the deadline, and its thread is stopped', async () => {
    const counts = await watchThreads(async () => {
      const failure = await shrinkImage(png(4000, 4000), 1).catch((error: unknown) => error);
      assert.ok(failure instanceof UnreadableImage);
      assert.equal(failure.message, 'The image takes longer than 0.001 seconds to decode');
      await shrinkImage(PNG);
    });
    assert.deepEqual(counts, [1]);
  });
});
