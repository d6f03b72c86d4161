import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isJpeg, readImageHeader } from '../../../../functions/platform/domain/image-header.ts';

/** Bytes from texts (Latin-1) and numbers, one byte each. */
const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part, 'latin1')])),
  );

const uint32 = (value: number): number[] => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];

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
    ['with an end alone', png(chunk('IEND', 0)), true],
    ['without an end', png(chunk('IDAT', 20)), false],
    ['of a header alone', png(), false],
    ['that ends within its last chunk', png(chunk('IEND', 0)).subarray(0, -1), false],
    [
      'whose data only looks like an end',
      png(bytes(...uint32(8), 'IDAT', 'IEND', 'IEND', ...uint32(0))),
      false,
    ],
  ] as const)
    test(`${name} is ${whole ? '' : 'not '}whole`, () => {
      assert.deepEqual(readImageHeader(image), { ...read, whole });
    });

  test('is rejected with fewer than 33 bytes or without its header', () => {
    assert.equal(readImageHeader(png().subarray(0, 32)), undefined);
    assert.notEqual(readImageHeader(png().subarray(0, 33)), undefined);
    const other = png();
    other.set(bytes('IDAT'), 12);
    assert.equal(readImageHeader(other), undefined);
    assert.equal(readImageHeader(bytes('\x88PNG\r\n\x1a\n', 'x'.repeat(40))), undefined);
  });
});

describe('a JPEG', () => {
  const frame = (marker: number) => [0xff, marker, 0, 8, 8, 0x12, 0x34, 0x01, 0x02, 1];
  const END = [0xff, 0xd9];
  const read = { mimeType: 'image/jpeg', width: 0x0102, height: 0x1234 };

  for (const marker of [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc7, 0xc9, 0xcb, 0xcd, 0xcf])
    test(`has its size after the marker ${marker.toString(16)}`, () => {
      assert.deepEqual(readImageHeader(bytes(0xff, 0xd8, ...frame(marker), ...END)), {
        ...read,
        whole: true,
      });
    });

  // Tables and what other programs wrote come before the size, and have a length of their own.
  for (const marker of [0xbf, 0xc4, 0xc8, 0xcc, 0xd0, 0xe0, 0xfe])
    test(`has no size after the marker ${marker.toString(16)}`, () => {
      const skipped = [0xff, marker, 0, 4, 0xff, 0xc0];
      assert.deepEqual(readImageHeader(bytes(0xff, 0xd8, ...skipped, ...frame(0xc2), ...END)), {
        ...read,
        whole: true,
      });
    });

  test('may fill up with ff before a marker', () => {
    assert.deepEqual(readImageHeader(bytes(0xff, 0xd8, 0xff, 0xff, ...frame(0xc0), ...END)), {
      ...read,
      whole: true,
    });
  });

  for (const [name, end, whole] of [
    ['with other bytes after its end', [...END, 0, 0], true],
    ['without an end', [0, 0], false],
    ['with half an end', [0xff], false],
    ['with another marker at its end', [0xff, 0xda], false],
    ['with the second byte of an end alone', [0, 0xd9], false],
  ] as const)
    test(`${name} is ${whole ? '' : 'not '}whole`, () => {
      assert.deepEqual(readImageHeader(bytes(0xff, 0xd8, ...frame(0xc0), ...end)), { ...read, whole });
    });

  test('is rejected if its markers are misplaced or never give the size', () => {
    assert.equal(readImageHeader(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0, ...frame(0xc0))), undefined);
    assert.equal(readImageHeader(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 200, '.'.repeat(20))), undefined);
    assert.equal(readImageHeader(bytes(0xff, 0xd8, ...frame(0xc0)).subarray(0, -1)), undefined);
  });

  test('begins with three certain bytes', () => {
    const starts = [
      [0xff, 0xd8, 0xff],
      [0xfe, 0xd8, 0xff],
      [0xff, 0xd9, 0xff],
      [0xff, 0xd8, 0xfe],
    ];
    assert.deepEqual(
      starts.map((start) => isJpeg(bytes(...start))),
      [true, false, false, false],
    );
  });
});

describe('a WebP', () => {
  const webp = (kind: string, ...rest: readonly number[]) => {
    const image = bytes('RIFF', 22, 0, 0, 0, 'WEBP', kind, ...Array.from({ length: 14 }, () => 0));
    image.set(rest, 30 - rest.length);
    return image;
  };

  for (const [kind, rest, width, height] of [
    // The two highest bits of each number are a scale.
    ['VP8 ', [0x02, 0xc1, 0x03, 0x81], 0x102, 0x103],
    // 14 bits each, less one.
    ['VP8L', [0x01, 0x80, 0x00, 0x10, 0, 0, 0, 0, 0], 2, 3],
    // 24 bits each, less one.
    ['VP8X', [0x01, 0x02, 0x01, 0x04, 0x00, 0x00], 0x010202, 5],
  ] as const)
    test(`of the kind ${kind} is ${width}x${height}`, () => {
      assert.deepEqual(readImageHeader(webp(kind, ...rest)), {
        mimeType: 'image/webp',
        width,
        height,
        whole: true,
      });
    });

  test('is whole as long as no byte of its length is missing', () => {
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

test('a text is no image', () => {
  assert.equal(readImageHeader(bytes('<!DOCTYPE html>', ' '.repeat(40))), undefined);
  assert.equal(readImageHeader(new Uint8Array(0)), undefined);
});
