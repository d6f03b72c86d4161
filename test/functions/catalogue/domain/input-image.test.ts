import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  checkImage,
  checkImageHead,
  isJpeg,
  readImageHeader,
} from '../../../../functions/catalogue/domain/input-image.ts';
import { jpegWithHiddenSize, jpegWithScans } from '../../../support/images/hostile-images.ts';
import { JPEG, PNG, png, SVG, WEBP } from '../../../support/images.ts';

/** Bytes from texts (Latin-1) and numbers, one byte each. */
const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part, 'latin1')])),
  );

const uint32 = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);

describe('a PNG', () => {
  const SIGNATURE = '\x89PNG\r\n\x1a\n';
  const header = (width: number, height: number) =>
    bytes(SIGNATURE, ...uint32(13), 'IHDR', ...uint32(width), ...uint32(height), 8, 2, 0, 0, 0, ...uint32(0));
  const chunk = (type: string, length: number) =>
    bytes(...uint32(length), type, '.'.repeat(length), ...uint32(0));
  const png = (...chunks: readonly Uint8Array[]) =>
    Uint8Array.from([header(70_000, 300), ...chunks].flatMap((part) => [...part]));
  const read = { mimeType: 'image/png', width: 70_000, height: 300 };

  for (const [name, image, whole] of [
    ['with data and an end', png(chunk('IDAT', 20), chunk('IEND', 0)), true],
    ['with only an end', png(chunk('IEND', 0)), true],
    ['without an end', png(chunk('IDAT', 20)), false],
    ['with only a header', png(), false],
    ['that ends within its last chunk', png(chunk('IEND', 0)).subarray(0, -1), false],
    [
      'whose data contains the name of the end chunk',
      png(bytes(...uint32(8), 'IDAT', 'IEND', 'IEND', ...uint32(0))),
      false,
    ],
  ] as const)
    test(`${name} is ${whole ? 'complete' : 'truncated'}`, () => {
      assert.deepEqual(readImageHeader(image), { ...read, whole });
    });

  test('is rejected with fewer than 33 bytes or without its header', () => {
    assert.equal(readImageHeader(png().subarray(0, 32)), undefined);
    assert.notEqual(readImageHeader(png().subarray(0, 33)), undefined);
    for (const [offset, change] of [
      [12, bytes('IDAT')],
      [8, bytes(...uint32(14))],
    ] as const) {
      const other = png();
      other.set(change, offset);
      assert.equal(readImageHeader(other), undefined);
    }
    assert.equal(readImageHeader(bytes('\x88PNG\r\n\x1a\n', 'x'.repeat(40))), undefined);
  });
});

describe('a JPEG', () => {
  const frame = (marker: number) => [0xff, marker, 0, 8, 8, 0x12, 0x34, 0x01, 0x02, 1];
  const END = [0xff, 0xd9];
  const read = { mimeType: 'image/jpeg', width: 0x0102, height: 0x1234 };

  const SIZES = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc7, 0xc9, 0xcb, 0xcd, 0xcf];
  // Tables and metadata precede the size, each with its own length.
  const SEGMENTS = [0xbf, 0xc4, 0xc8, 0xcc, 0xdb, 0xe0, 0xfe];
  // After such a marker, a length would hide the real size from the reader, but not from a decoder.
  const WITHOUT_LENGTH = [0x01, 0xd0, 0xd7];
  for (const [title, content] of [
    ...SIZES.map((marker) => [`has its size after the marker ${marker}`, frame(marker)] as const),
    ...SEGMENTS.map(
      (marker) =>
        [`skips the segment of ${marker}`, [0xff, marker, 0, 4, 0xff, 0xc0, ...frame(0xc2)]] as const,
    ),
    ...WITHOUT_LENGTH.map((marker) => [`skips ${marker} alone`, [0xff, marker, ...frame(0xc0)]] as const),
    ['may have fill bytes before a marker', [0xff, 0xff, ...frame(0xc0)]],
  ] as const)
    test(title, () =>
      assert.deepEqual(readImageHeader(bytes(0xff, 0xd8, ...content, ...END)), { ...read, whole: true }),
    );

  for (const marker of [0x00, 0xd8, 0xd9, 0xda])
    test(`is rejected with the marker ${marker.toString(16)} before its size`, () => {
      assert.equal(readImageHeader(bytes(0xff, 0xd8, 0xff, marker, 0, 2, ...frame(0xc0), ...END)), undefined);
    });

  test('shows the size that decoders see, not one in a comment', () => {
    const problem = checkImage(jpegWithHiddenSize());
    assert.equal(problem, 'is 20000x20000; at most 8192 pixels a side are accepted.');
  });

  test('may have 100 scans, not more, and must be complete', () => {
    assert.deepEqual(
      [jpegWithScans(100), jpegWithScans(101), JPEG.subarray(0, -2)].map((image) => {
        const checked = checkImage(image);
        return typeof checked === 'string' ? checked : checked.mimeType;
      }),
      ['image/jpeg', 'has more than 100 scans: save it as a baseline JPEG.', 'is truncated.'],
    );
  });

  test('may have no more scans with fill bytes, zeros or restarts before them either', () => {
    for (const before of ['\xff', '\xff\x00', '\xff\xd0']) {
      const image = jpegWithScans(101).toString('latin1').replaceAll('\xff\xda', `${before}\xff\xda`);
      assert.match(String(checkImage(Buffer.from(image, 'latin1'))), /^has more than 100 scans/);
    }
  });

  test('has no scans in metadata or after its end', () => {
    const scans = Buffer.alloc(800, Buffer.from([0xff, 0xda, 0, 2]));
    const metadata = Buffer.from([0xff, 0xe1, 802 >> 8, 802 & 255]);
    const parts = [JPEG.subarray(0, 2), metadata, scans, JPEG.subarray(2), scans, JPEG.subarray(-2)];
    assert.equal(typeof checkImage(Buffer.concat(parts)), 'object');
  });

  for (const [name, end, whole] of [
    ['with other bytes after its end', [...END, 0, 0], true],
    ['without an end', [0, 0], false],
    ['with half of an end marker', [0xff], false],
    ['with another marker at its end', [0xff, 0xda], false],
    ['with only the second byte of an end marker', [0, 0xd9], false],
  ] as const)
    test(`${name} is ${whole ? 'complete' : 'truncated'}`, () => {
      assert.deepEqual(readImageHeader(bytes(0xff, 0xd8, ...frame(0xc0), ...end)), { ...read, whole });
    });

  test('is rejected if its markers are misplaced or never give the size', () => {
    assert.equal(readImageHeader(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0, ...frame(0xc0))), undefined);
    assert.equal(readImageHeader(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 200, '.'.repeat(20))), undefined);
    assert.equal(readImageHeader(bytes(0xff, 0xd8, ...frame(0xc0)).subarray(0, -1)), undefined);
  });

  for (const start of ['ffd8ff', 'fed8ff', 'ffd9ff', 'ffd8fe'])
    test(`is ${start === 'ffd8ff' ? '' : 'not '}recognized by its first bytes ${start}`, () =>
      assert.equal(isJpeg(Buffer.from(start, 'hex')), start === 'ffd8ff'));
});

describe('a WebP', () => {
  const webp = (kind: string, ...rest: readonly number[]) => {
    const image = bytes('RIFF', 22, 0, 0, 0, 'WEBP', kind, ...Array.from({ length: 14 }, () => 0));
    image.set(rest, 30 - rest.length);
    return image;
  };

  for (const [kind, rest, width, height] of [
    // The two highest bits of each number are the scale.
    ['VP8 ', [0x02, 0xc1, 0x03, 0x81], 0x102, 0x103],
    // 14 bits each, minus one.
    ['VP8L', [0x01, 0x80, 0x00, 0x10, 0, 0, 0, 0, 0], 2, 3],
    // 24 bits each, minus one.
    ['VP8X', [0x01, 0x02, 0x01, 0x04, 0x00, 0x00], 0x010202, 5],
  ] as const)
    test(`of kind ${kind} is ${width}x${height}`, () => {
      assert.deepEqual(readImageHeader(webp(kind, ...rest)), {
        mimeType: 'image/webp',
        width,
        height,
        whole: true,
      });
    });

  test('is complete if it has at least its declared length', () => {
    const longer = webp('VP8X');
    longer[4] = 23;
    assert.equal(readImageHeader(longer)?.whole, false);
    longer[4] = 21;
    assert.equal(readImageHeader(longer)?.whole, true);
  });

  test('is rejected with fewer than 30 bytes, of an unknown kind, or without both signatures', () => {
    assert.equal(readImageHeader(webp('VP8X').subarray(0, 29)), undefined);
    assert.equal(readImageHeader(webp('VP9 ')), undefined);
    for (const [name, offset] of [
      ['RIFX', 0],
      ['WAVE', 8],
    ] as const) {
      const other = webp('VP8X');
      other.set(bytes(name), offset);
      assert.equal(readImageHeader(other), undefined);
    }
  });
});

test('a text is not an image', () => {
  assert.equal(readImageHeader(bytes('<!DOCTYPE html>', ' '.repeat(40))), undefined);
  assert.equal(readImageHeader(new Uint8Array(0)), undefined);
});

const NO_IMAGE = 'is not an image of an accepted type: image/jpeg, image/png, image/webp.';

test('an image has 1 to 8192 pixels a side', () => {
  for (const [width, height, problem] of [
    [8192, 8192, undefined],
    [8193, 1, 'is 8193x1; at most 8192 pixels a side are accepted.'],
    [1, 8193, 'is 1x8193; at most 8192 pixels a side are accepted.'],
    [0, 1, 'has no pixels.'],
    [1, 0, 'has no pixels.'],
  ] as const) {
    const bytes = png(1, 1, { width, height });
    assert.deepEqual(checkImage(bytes), problem ?? { bytes, mimeType: 'image/png' });
  }
});

test('an image has at most 20,000,000 bytes', () => {
  for (const [length, expected] of [
    [20_000_000, 20_000_000],
    [20_000_001, 'has 20.1 MB; at most 20 MB are accepted.'],
  ] as const) {
    const checked = checkImage(Buffer.concat([png(1, 1), Buffer.alloc(length - png(1, 1).length)]));
    assert.equal(typeof checked === 'string' ? checked : checked.bytes.length, expected);
  }
});

describe('checkImageHead', () => {
  const HEAD = 256;
  const check = (image: Buffer, bytes = 20_000_000) => checkImageHead(image.subarray(0, HEAD), bytes);
  /** A JPEG with `length` bytes of metadata before its dimensions. */
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
      'JPEG with much metadata',
      withMetadata(HEAD),
      undefined,
      'has no JPEG dimensions in its first 256 bytes: remove its metadata.',
    ],
    ['SVG', SVG, undefined, NO_IMAGE],
    ['truncated JPEG', JPEG.subarray(0, 20), 20, NO_IMAGE],
    ['empty file', Buffer.alloc(0), 0, 'is empty.'],
    ['file that is too long', PNG, 20_000_001, 'has 20.1 MB; at most 20 MB are accepted.'],
    [
      'PNG of 30000 × 30000',
      png(1, 1, { width: 30_000, height: 30_000 }),
      undefined,
      'is 30000x30000; at most 8192 pixels a side are accepted.',
    ],
  ];
  for (const [title, image, bytes, expected] of CASES)
    test(`checks ${title.startsWith('empty') ? 'an' : 'a'} ${title}`, () =>
      assert.deepEqual(check(image, bytes), expected));
});
