import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkImage, checkImageHead } from '../../../../functions/platform/domain/input-image.ts';
import { JPEG, PNG, png, SVG, WEBP } from '../../../support/images.ts';

const NO_IMAGE = 'is not an image of an accepted type: image/jpeg, image/png, image/webp.';

const START_OF_FRAME = Buffer.from([0xff, 0xc0]);

const jpegOf = (width: number, height: number): Buffer => {
  const bytes = Buffer.from(JPEG);
  const frame = bytes.indexOf(START_OF_FRAME);
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
};

const webpOf = (width: number, height: number): Buffer => {
  const bytes = Buffer.from(WEBP);
  bytes.writeUInt16LE(width, 26);
  bytes.writeUInt16LE(height, 28);
  return bytes;
};

/** A WebP of another kind that claims these sides in the way of its kind. */
const otherWebp = (kind: 'VP8L' | 'VP8X', write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write(`WEBP${kind}`, 8);
  write(bytes);
  return bytes;
};

const KINDS = {
  'image/png': (width: number, height: number) => png(1, 1, { width, height }),
  'image/jpeg': jpegOf,
  'image/webp': webpOf,
  'image/webp without loss': (width: number, height: number) =>
    otherWebp('VP8L', (bytes) => bytes.writeUInt32LE(((height - 1) << 14) | (width - 1), 21)),
  'image/webp with extras': (width: number, height: number) =>
    otherWebp('VP8X', (bytes) => {
      bytes.writeUIntLE(width - 1, 24, 3);
      bytes.writeUIntLE(height - 1, 27, 3);
    }),
};

for (const [kind, imageOf] of Object.entries(KINDS))
  describe(`an image of type ${kind}`, () => {
    for (const [width, height] of [
      [8192, 8192],
      [8192, 1],
      [1, 8192],
    ] as const)
      test(`is taken at ${width} × ${height}`, () => {
        const bytes = imageOf(width, height);
        assert.deepEqual(checkImage(bytes), { bytes, mimeType: kind.split(' ')[0] });
      });

    for (const [width, height] of [
      [8193, 1],
      [1, 8193],
      [8193, 8193],
    ] as const)
      test(`is refused at ${width} × ${height}`, () => {
        assert.equal(
          checkImage(imageOf(width, height)),
          `is ${width}x${height}; at most 8192 pixels a side are accepted.`,
        );
      });
  });

describe('the bytes of an image', () => {
  const imageOf = (length: number): Buffer => {
    const image = png(1, 1);
    return Buffer.concat([image, Buffer.alloc(length - image.length)]);
  };

  test('may be twenty million', () => {
    const checked = checkImage(imageOf(20_000_000));
    assert.equal(typeof checked === 'string' ? checked : checked.bytes.length, 20_000_000);
  });

  test('may not be one more', () => {
    const checked = checkImage(imageOf(20_000_001));
    assert.ok(checked === 'has 20000001 bytes; at most 20000000 are accepted.');
  });
});

describe('the head of an image', () => {
  const HEAD = 256;
  const check = (image: Buffer, bytes = 20_000_000) => checkImageHead(image.subarray(0, HEAD), bytes);
  /** A JPEG with so much metadata before its dimensions. */
  const withMetadata = (length: number): Buffer => {
    const segment = Buffer.alloc(length, 0x20);
    segment.writeUInt16BE(0xffe1, 0);
    segment.writeUInt16BE(length - 2, 2);
    return Buffer.concat([JPEG.subarray(0, 2), segment, JPEG.subarray(2)]);
  };
  const CASES: readonly (readonly [string, Buffer, number | undefined, unknown])[] = [
    ['PNG', png(64, 64), undefined, { mimeType: 'image/png' }],
    ['JPEG', JPEG, undefined, { mimeType: 'image/jpeg' }],
    ['WebP', WEBP, undefined, { mimeType: 'image/webp' }],
    ['JPEG with little metadata', withMetadata(30), undefined, { mimeType: 'image/jpeg' }],
    [
      'JPEG with much',
      withMetadata(HEAD),
      undefined,
      'has no JPEG dimensions in its first 256 bytes: remove its metadata.',
    ],
    ['SVG', SVG, undefined, NO_IMAGE],
    ['broken JPEG that is all there', JPEG.subarray(0, 20), 20, NO_IMAGE],
    ['empty file', Buffer.alloc(0), 0, 'is empty.'],
    ['file that is too long', PNG, 20_000_001, 'has 20000001 bytes; at most 20000000 are accepted.'],
    [
      'PNG of 30000 × 30000',
      png(1, 1, { width: 30_000, height: 30_000 }),
      undefined,
      'is 30000x30000; at most 8192 pixels a side are accepted.',
    ],
  ];
  for (const [title, image, bytes, expected] of CASES)
    test(`of a ${title} tells all but whether it is whole`, () =>
      assert.deepEqual(check(image, bytes), expected));
});
