import { chunk, JPEG, PNG, WEBP } from '../images.ts';

/** Images whose parts are repeated, moved, damaged or replaced, so that two readers may disagree on their size. */

const PROGRESSIVE_JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wEEEAAQABAAEAAQABEAEAASABQAFAASABkAGwAYABsAGQAlACIAHwAfACIAJQA4ACgAKwAoACsAKAA4AFUANQA+ADUANQA+ADUAVQBLAFsASgBFAEoAWwBLAIcAagBeAF4AagCHAJwAgwB8AIMAnAC9AKkAqQC9AO4A4gDuATcBNwGiEQAQABAAEAAQABEAEAASABQAFAASABkAGwAYABsAGQAlACIAHwAfACIAJQA4ACgAKwAoACsAKAA4AFUANQA+ADUANQA+ADUAVQBLAFsASgBFAEoAWwBLAIcAagBeAF4AagCHAJwAgwB8AIMAnAC9AKkAqQC9AO4A4gDuATcBNwGi/8IAEQgADAAUAwEiAAIRAQMRAf/EACcAAQEAAAAAAAAAAAAAAAAAAAAGAQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIQAxAAAACkAB//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/AF//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAECAQE/AD//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAEDAQE/AD//2Q==',
  'base64',
);
const LOSSLESS_WEBP = Buffer.from('UklGRh4AAABXRUJQVlA4TBEAAAAvE8ACEAdQ5CIXuciBiOh/AAA=', 'base64');

/** Decoders accept its last scan any number of times. */
const LAST_SCAN = PROGRESSIVE_JPEG.lastIndexOf(Buffer.from([0xff, 0xda]));
const OTHER_SCANS = 3;

/** A progressive JPEG of 20 × 12 pixels. */
export const jpegWithScans = (scans: number): Buffer =>
  Buffer.concat([
    PROGRESSIVE_JPEG.subarray(0, LAST_SCAN),
    ...Array.from({ length: scans - OTHER_SCANS }, () => PROGRESSIVE_JPEG.subarray(LAST_SCAN, -2)),
    PROGRESSIVE_JPEG.subarray(-2),
  ]);

/** Shows a reader that gives every marker a length another size than the real one, 20000 × 20000. */
export const jpegWithHiddenSize = (): Buffer => {
  const frame = (side: number): Buffer => {
    const bytes = Buffer.from(
      JPEG.subarray(JPEG.indexOf(Buffer.from([0xff, 0xc0])), JPEG.indexOf(Buffer.from([0xff, 0xda]))),
    );
    bytes.writeUInt16BE(side, 5);
    bytes.writeUInt16BE(side, 7);
    return bytes;
  };
  // Read as a length, the start of the real segment skips it, to a frame inside of a comment.
  const real = frame(20_000);
  const shown = frame(16);
  const start = JPEG.indexOf(Buffer.from([0xff, 0xc0]));
  const comment = Buffer.alloc(0xffc0 - real.length);
  comment.writeUInt16BE(0xfffe, 0);
  comment.writeUInt16BE(comment.length + shown.length - 2, 2);
  return Buffer.concat([
    JPEG.subarray(0, start),
    Buffer.from([0xff, 0x01]),
    real,
    comment,
    shown,
    JPEG.subarray(JPEG.indexOf(Buffer.from([0xff, 0xda]))),
  ]);
};

type Parts = readonly Buffer[];

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

const splitPng = (png: Buffer): Parts => {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at))
    parts.push(png.subarray(at, at + 12 + png.readUInt32BE(at)));
  return parts;
};

/** The last part is the first scan with all that follows. */
const splitJpeg = (jpeg: Buffer): Parts => {
  const parts: Buffer[] = [];
  let at = 2;
  for (; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2))
    parts.push(jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2)));
  return [...parts, jpeg.subarray(at)];
};

const jpegSegment = (marker: number, data: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), uint(2 + data.length, 2), data]);

const riffChunk = (type: string, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

const uint = (value: number, bytes: number, littleEndian = false): Buffer => {
  const written = Buffer.alloc(bytes);
  if (littleEndian) written.writeUIntLE(value, 0, bytes);
  else written.writeUIntBE(value, 0, bytes);
  return written;
};

export type Draw = {
  /** A whole number from 0 up to, but not including, the given one. */
  readonly below: (end: number) => number;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
};

const bytesOf = ({ below }: Draw, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => below(256)));

/** Sizes near those of the originals, and some that no check accepts. */
const side = ({ pick, below }: Draw): number =>
  pick([1, 12, 18, 20, 32, 33, 1 + below(64), 300, 9000, 20_000]);

const FORMATS = {
  jpeg: {
    parts: [splitJpeg(JPEG), splitJpeg(PROGRESSIVE_JPEG)],
    join: (parts: Parts) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts]),
    foreign: (draw: Draw): Buffer => {
      const frame = (): Buffer =>
        Buffer.concat([
          Buffer.from([0xff, draw.pick([0xc0, 0xc0, 0xc1, 0xc2, 0xc3, 0xc9, 0xca]), 0, 17, 8]),
          uint(side(draw), 2),
          uint(side(draw), 2),
          Buffer.from([3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
        ]);
      const marker = Buffer.from([
        0xff,
        draw.pick([0x00, 0x01, 0x01, 0xff, 0xd8, 0xd9, 0xdc, 0xd0 + draw.below(8), draw.below(256)]),
      ]);
      const [real, comment] = [frame(), jpegSegment(0xfe, frame())];
      return draw.pick([
        real,
        marker,
        Buffer.concat([marker, bytesOf(draw, draw.below(12))]),
        jpegSegment(0xe0 + draw.below(16), real),
        jpegSegment(0xdc, uint(side(draw), 2)),
        // A reader that expects a length after the marker skips one frame and finds the one in the comment.
        Buffer.concat([marker, uint(2 + real.length + 4, 2), real, comment]),
      ]);
    },
  },
  png: {
    parts: [splitPng(PNG)],
    join: (parts: Parts) => Buffer.concat([SIGNATURE, ...parts]),
    foreign: (draw: Draw): Buffer => {
      const sides = Buffer.concat([uint(side(draw), 4), uint(side(draw), 4)]);
      return draw.pick([
        chunk(
          'IHDR',
          Buffer.concat([
            sides,
            Buffer.from([draw.pick([8, 16]), draw.pick([0, 2, 3, 6]), 0, 0, draw.below(2)]),
          ]),
        ),
        chunk('IHDR', Buffer.concat([sides, bytesOf(draw, draw.below(9))])),
        chunk('acTL', Buffer.concat([uint(1 + draw.below(3), 4), uint(0, 4)])),
        chunk(
          'fcTL',
          Buffer.concat([
            uint(draw.below(2), 4),
            sides,
            uint(0, 4),
            uint(draw.below(3), 4),
            bytesOf(draw, 6),
          ]),
        ),
        chunk(draw.pick(['tRNS', 'PLTE', 'IEND', 'teSt', 'fdAT']), bytesOf(draw, draw.below(12))),
      ]);
    },
  },
  webp: {
    parts: [[WEBP.subarray(12)], [LOSSLESS_WEBP.subarray(12)], [extendedHeader(32, 18), WEBP.subarray(12)]],
    join: (parts: Parts) => {
      const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
      return Buffer.concat([Buffer.from('RIFF'), uint(body.length, 4, true), body]);
    },
    foreign: (draw: Draw): Buffer =>
      draw.pick([
        extendedHeader(side(draw), side(draw), draw.below(256)),
        riffChunk('VP8X', bytesOf(draw, draw.below(14))),
        riffChunk('ANIM', bytesOf(draw, 6)),
        riffChunk('ANMF', Buffer.concat([bytesOf(draw, 16), WEBP.subarray(12)])),
        riffChunk(draw.pick(['ALPH', 'ICCP', 'EXIF', 'teSt']), bytesOf(draw, draw.below(20))),
        LOSSLESS_WEBP.subarray(12),
        WEBP.subarray(12),
      ]),
  },
};

function extendedHeader(width: number, height: number, flags = 0): Buffer {
  return riffChunk(
    'VP8X',
    Buffer.concat([Buffer.from([flags, 0, 0, 0]), uint(width - 1, 3, true), uint(height - 1, 3, true)]),
  );
}

/** Repeats, removes, replaces or inserts one part. */
const changeParts = (draw: Draw, parts: Parts, foreign: () => Buffer): Parts => {
  const at = draw.below(parts.length + 1);
  const one = parts[draw.below(parts.length)] ?? Buffer.alloc(0);
  const [before, after] = [parts.slice(0, at), parts.slice(at)];
  return draw.pick([
    [...before, foreign(), ...after],
    [...before, foreign(), foreign(), ...after],
    [...before, foreign(), ...after.slice(1)],
    [...before, one, ...after],
    [...before, ...after.slice(1)],
  ]);
};

/** Changes single bytes, most of them near the beginning, where the sizes are. */
const damage = (draw: Draw, image: Buffer): Buffer => {
  const damaged = Buffer.from(image);
  for (let count = draw.below(3); count > 0; count -= 1)
    damaged[draw.below(draw.pick([40, 200, damaged.length]))] = draw.pick([
      0,
      1,
      0xff,
      0xd9,
      draw.below(256),
    ]);
  return damaged;
};

export const hostileImage = (draw: Draw): Buffer => {
  const { parts, join, foreign } = draw.pick([FORMATS.jpeg, FORMATS.png, FORMATS.webp]);
  let changed = parts[draw.below(parts.length)] ?? [];
  for (let count = draw.below(4); count > 0; count -= 1)
    changed = changeParts(draw, changed, () => foreign(draw));
  return damage(draw, join(changed));
};
