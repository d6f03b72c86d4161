import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readMovie } from '../../../../functions/videos/domain/mp4-movie.ts';
import { longOr } from '../../../support/long-tests.ts';
import {
  handler,
  joined,
  letters,
  longBox,
  movieHeader,
  mp4Box,
  numbersBox,
  trackHeader,
} from '../../../support/sample-video.ts';

const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => mp4Box(type, joined(...content));

/** The same box with another size in its header. */
const withSize = (content: Uint8Array, size: number): Uint8Array => {
  const changed = content.slice();
  new DataView(changed.buffer).setUint32(0, size);
  return changed;
};

const track = (kind: string, header: Uint8Array, ...media: readonly Uint8Array[]): Uint8Array =>
  box('trak', header, box('mdia', handler(kind), ...media));

const WIDE = track('vide', trackHeader(1280, 720));
/** Version 1 has 64-bit times. */
const LONG_TIMES = 0x01000000;
const ALL_BITS = 0xffffffff;

describe('the duration', () => {
  const fragmented = (seconds: number, length: number, fields: Readonly<Record<number, number>>) =>
    joined(movieHeader(seconds), box('mvex', numbersBox('mehd', length, fields)));
  const DURATIONS: Record<string, readonly [content: Uint8Array, seconds: number | undefined]> = {
    'is that of mvhd': [movieHeader(8), 8],
    'has milliseconds': [numbersBox('mvhd', 100, { 12: 24_000, 16: 96_001 }), 4],
    'of version 1 has 64 bits': [numbersBox('mvhd', 112, { 0: LONG_TIMES, 20: 2 ** 31, 24: 2, 28: 0 }), 4],
    'of a fragmented file is that of mehd': [fragmented(0, 8, { 4: 6000 }), 6],
    'of a fragmented file of version 1 is that of mehd': [fragmented(0, 12, { 0: LONG_TIMES, 8: 6000 }), 6],
    'of a partly fragmented file is the longer one': [fragmented(2, 8, { 4: 6000 }), 6],
    'is unknown in a fragmented file without mehd': [joined(movieHeader(0), box('mvex')), undefined],
    'is unknown without mvhd': [WIDE, undefined],
    'is unknown if mvhd says so': [numbersBox('mvhd', 100, { 12: 90_000, 16: ALL_BITS }), undefined],
    'is unknown if mehd says so': [fragmented(0, 8, { 4: ALL_BITS }), undefined],
    'is unknown if mvhd of version 1 says so': [
      numbersBox('mvhd', 112, { 0: LONG_TIMES, 20: 90_000, 24: ALL_BITS, 28: ALL_BITS }),
      undefined,
    ],
    'is unknown without a timescale': [numbersBox('mvhd', 100, { 16: 8000 }), undefined],
    'is unknown in a later version': [numbersBox('mvhd', 112, { 0: 0x02000000, 12: 1, 16: 8 }), undefined],
    'is unknown if mvhd is cut off': [mp4Box('mvhd', movieHeader(8).subarray(8, 26)), undefined],
    'is unknown if mvhd is empty': [mp4Box('mvhd'), undefined],
    'is a day at most': [numbersBox('mvhd', 100, { 12: 1, 16: 86_400 }), 86_400],
    'is unknown if it is longer than a day': [numbersBox('mvhd', 100, { 12: 1, 16: 86_401 }), undefined],
  };
  for (const [title, [content, seconds]] of Object.entries(DURATIONS))
    test(title, () => assert.equal(readMovie(content).seconds, seconds));
});

const ROTATIONS = {
  0: { 40: 0x10000, 56: 0x10000 },
  45: { 40: 0xb505, 44: 0xb505, 52: 0xffff4afb, 56: 0xb505 },
  90: { 44: 0x10000, 52: 0xffff0000 },
  180: { 40: 0xffff0000, 56: 0xffff0000 },
  270: { 44: 0xffff0000, 52: 0x10000 },
};
const turned = (rotation: keyof typeof ROTATIONS, width = 1280, height = 720): Uint8Array =>
  numbersBox('tkhd', 84, { ...ROTATIONS[rotation], 76: width * 0x10000, 80: height * 0x10000 });

/** The path to a sample entry with this size. */
const samples = (width: number, height: number): Uint8Array =>
  box(
    'minf',
    box('stbl', numbersBox('stsd', 94, { 4: 1, 8: 86, 12: letters('avc1'), 40: width * 0x10000 + height })),
  );

describe('the size', () => {
  const LARGE = samples(1920, 1080);
  const SIZES: Record<string, readonly [content: Uint8Array, width?: number, height?: number]> = {
    'is that of the video track': [WIDE, 1280, 720],
    'is rounded to whole pixels': [track('vide', trackHeader(1279.6, 720.4)), 1280, 720],
    'of version 1 has 64-bit times before it': [
      track(
        'vide',
        numbersBox('tkhd', 96, { 0: LONG_TIMES, 52: 0x10000, 68: 0x10000, 88: 1280 << 16, 92: 720 << 16 }),
      ),
      1280,
      720,
    ],
    'of a video that is turned by 90 degrees has the sides swapped': [track('vide', turned(90)), 720, 1280],
    'of a video that is turned by 270 degrees has the sides swapped': [track('vide', turned(270)), 720, 1280],
    'of a video that is turned by 45 degrees stays': [track('vide', turned(45)), 1280, 720],
    'of a video that is turned by 180 degrees stays': [track('vide', turned(180)), 1280, 720],
    'of a track without one is that of its samples': [track('vide', trackHeader(0, 0), LARGE), 1920, 1080],
    'of samples is turned with their track': [track('vide', turned(90, 0, 0), LARGE), 1080, 1920],
    'of the track wins over that of its samples': [track('vide', trackHeader(1280, 720), LARGE), 1280, 720],
    'of the samples replaces one without height': [track('vide', trackHeader(1280, 0), LARGE), 1920, 1080],
    'is not that of a track with sound': [joined(track('soun', trackHeader(640, 480)), WIDE), 1280, 720],
    'is that of the first track that has one': [
      joined(track('vide', trackHeader(0, 0)), box('trak'), WIDE, track('vide', trackHeader(640, 480))),
      1280,
      720,
    ],
    'is read in boxes with 64-bit sizes': [
      longBox(
        'trak',
        joined(longBox('tkhd', trackHeader(1280, 720).subarray(8)), longBox('mdia', handler('vide'))),
      ),
      1280,
      720,
    ],
    'is read in a box of size 0, which ends with its parent': [withSize(WIDE, 0), 1280, 720],
    'is unknown without a video track': [track('soun', trackHeader(640, 480))],
    'is unknown without a handler': [box('trak', trackHeader(1280, 720), box('mdia'))],
    'is unknown without tkhd': [track('vide', mp4Box('free'))],
    'is unknown in a later version': [track('vide', numbersBox('tkhd', 96, { 0: 0x02000000, 76: 1, 80: 1 }))],
    'is unknown if tkhd is cut off': [track('vide', mp4Box('tkhd', trackHeader(1280, 720).subarray(8, 88)))],
    'is unknown if the handler is cut off': [
      box('trak', trackHeader(1280, 720), box('mdia', mp4Box('hdlr', handler('vide').subarray(8, 19)))),
    ],
    'is unknown after a box that is too large': [joined(withSize(mp4Box('free'), 4000), WIDE)],
    'is unknown after a box that is smaller than its header': [joined(withSize(mp4Box('free'), 7), WIDE)],
    'is unknown after a 64-bit size that is too small': [
      joined(
        numbersBox('free', 8, { 4: 12 }).map((byte, at) => (at < 4 ? ([0, 0, 0, 1][at] ?? 0) : byte)),
        new Uint8Array(8),
        WIDE,
      ),
    ],
    'is unknown after a 64-bit size that is cut off': [withSize(mp4Box('trak'), 1)],
  };
  for (const [title, [content, width, height]] of Object.entries(SIZES))
    test(title, () => {
      const found = readMovie(content);
      assert.deepEqual([found.width, found.height], [width, height]);
    });
});

describe('a hostile moov', () => {
  const whole = joined(movieHeader(8), track('soun', trackHeader(0, 0), samples(0, 0)), WIDE);

  const readsOnlyNumbers = (content: Uint8Array): void => {
    const { width = 1, height = 1, seconds = 1 } = readMovie(content);
    for (const side of [width, height]) assert.ok(Number.isInteger(side) && side > 0 && side <= 65_536);
    assert.ok(seconds >= 0 && seconds <= 86_400);
  };

  test('of any bytes is read without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (content) => readsOnlyNumbers(content)),
      { numRuns: longOr(500, 20_000) },
    );
  });

  test('with any changed, added and removed bytes is read without an error', () => {
    const change = fc.record({
      at: fc.nat({ max: whole.length }),
      removed: fc.nat({ max: 12 }),
      added: fc.uint8Array({ maxLength: 12 }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        let content = whole;
        for (const { at, removed, added } of changes)
          content = joined(content.subarray(0, at), added, content.subarray(at + removed));
        readsOnlyNumbers(content);
      }),
      { numRuns: longOr(2000, 100_000) },
    );
  });

  test('that is truncated anywhere is read without an error', () => {
    for (let length = 0; length <= whole.length; length += 1) readsOnlyNumbers(whole.subarray(0, length));
  });

  const SIZE = 4 * 1024 * 1024;
  const repeated = (part: Uint8Array): Uint8Array =>
    new Uint8Array(Buffer.alloc(Math.floor(SIZE / part.length) * part.length, part));
  const nested = (): Uint8Array => {
    const content = new Uint8Array(SIZE);
    const view = new DataView(content.buffer);
    for (let at = 0; at + 8 <= SIZE; at += 8) {
      view.setUint32(at, SIZE - at);
      view.setUint32(at + 4, letters('trak'));
    }
    return content;
  };
  /** Far below the hours that quadratic time would take, and far above the fraction of a second that linear time takes. */
  const MOST_MILLISECONDS = 20_000;
  for (const [title, build] of [
    ['500,000 empty tracks', () => repeated(mp4Box('trak'))],
    ['100,000 video tracks without a size', () => repeated(track('vide', mp4Box('tkhd')))],
    ['a track with 500,000 empty boxes', () => box('trak', repeated(mp4Box('free')))],
    ['tracks inside tracks, 500,000 deep', nested],
    ['sizes of 0 everywhere', () => new Uint8Array(SIZE)],
    ['64-bit sizes everywhere', () => repeated(longBox('trak', new Uint8Array(0)))],
  ] as const)
    test(`with ${title} is read in linear time`, () => {
      const content = build();
      const before = performance.now();
      assert.deepEqual(readMovie(content), { width: undefined, height: undefined, seconds: undefined });
      const milliseconds = performance.now() - before;
      assert.ok(milliseconds < MOST_MILLISECONDS, `${milliseconds} ms`);
    });
});
