import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  hasContentCredentials,
  losesCredentials,
} from '../../../../functions/images/domain/content-credentials.ts';
import {
  jpegSegment,
  jpegWithCredentials,
  pngWithCredentials,
  webpChunk,
  webpWithCredentials,
} from '../../../support/images/credentials.ts';
import { chunk, JPEG, PNG, WEBP } from '../../../support/images.ts';
import { longOr } from '../../../support/long-tests.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const JPEG_START = JPEG.subarray(0, 2);
const JPEG_REST = JPEG.subarray(2);
const jpeg = (...segments: readonly Buffer[]): Buffer => Buffer.concat([JPEG_START, ...segments, JPEG_REST]);
const jumbf = jpegSegment(0xeb, text('JP rest'));

const SIGNED = {
  JPEG: jpegWithCredentials(JPEG),
  PNG: pngWithCredentials(PNG),
  WebP: webpWithCredentials(WEBP),
};

describe('content credentials are found', () => {
  for (const [format, image] of Object.entries(SIGNED))
    test(`in a ${format}`, () => assert.equal(hasContentCredentials(image), true));

  for (const [place, image] of [
    ['after other segments', jpeg(jpegSegment(0xe1, text('Exif')), jpegSegment(0xfe, text('a')), jumbf)],
    ['after fill bytes', jpeg(Buffer.from([0xff, 0xff, 0xff]), jumbf)],
    ['after markers without a length', jpeg(Buffer.from([0xff, 0x01, 0xff, 0xd0]), jumbf)],
    ['in the second of two such segments', jpeg(jpegSegment(0xeb, text('HDR')), jumbf)],
    ['in a segment with nothing else', jpeg(jpegSegment(0xeb, text('JP')))],
  ] as const)
    test(`in a JPEG, ${place}`, () => assert.equal(hasContentCredentials(image), true));

  test('in a WebP, after a chunk of odd length', () => {
    const image = Buffer.concat([
      WEBP.subarray(0, 12),
      webpChunk('EXIF', text('odd')),
      webpChunk('C2PA', text('a')),
    ]);
    assert.equal(hasContentCredentials(image), true);
  });

  test('in a view of other bytes', () => {
    const bytes = new Uint8Array(Buffer.concat([Buffer.alloc(7), SIGNED.PNG, Buffer.alloc(7)]));
    assert.equal(hasContentCredentials(bytes.subarray(7, 7 + SIGNED.PNG.length)), true);
  });
});

describe('no content credentials are found', () => {
  for (const [title, image] of [
    ['in a plain JPEG', JPEG],
    ['in a plain PNG', PNG],
    ['in a plain WebP', WEBP],
    ['in nothing', Buffer.alloc(0)],
    ['in another format', text('GIF89a caBX C2PA')],
    ['in a RIFF file of another type', Buffer.concat([text('RIFF    AVI '), webpChunk('C2PA', text('a'))])],
    [
      'in a file that only looks like a WebP',
      Buffer.concat([text('riff    WEBP'), webpChunk('C2PA', text('a'))]),
    ],
    ['in a JPEG whose comment only mentions them', jpeg(jpegSegment(0xfe, jumbf))],
    ['in another segment that starts with JP', jpeg(jpegSegment(0xea, text('JP')))],
    ['in APP11 with other content', jpeg(jpegSegment(0xeb, text('JX')))],
    ['in APP11 that is shorter than its name', jpeg(Buffer.from([0xff, 0xeb, 0, 3, 0x4a, 0x50]))],
    ['in the pixels of a JPEG', jpeg(Buffer.from([0xff, 0xda, 0, 2]), jumbf)],
    ['behind the end of a JPEG', jpeg(Buffer.from([0xff, 0xd9, 0, 2]), jumbf)],
    ['behind bytes that are no marker', jpeg(jpegSegment(0xfe, text('a')), Buffer.from([0, 0xd0]), jumbf)],
    ['behind the end of a PNG', Buffer.concat([PNG, chunk('caBX', text('a'))])],
    [
      'in a PNG chunk that only mentions them',
      Buffer.concat([PNG.subarray(0, 33), chunk('tEXt', chunk('caBX', text('a')))]),
    ],
  ] as const)
    test(title, () => assert.equal(hasContentCredentials(image), false));
});

describe('random images', () => {
  for (const [format, image] of Object.entries(SIGNED)) {
    test(`of the format ${format} can end anywhere, and have credentials once their header is there`, () => {
      const lengths = Array.from(image, (_, length) => length);
      const header = { JPEG: 2 + 6, PNG: PNG.length - 12 + 8, WebP: WEBP.length + 8 }[format];
      const found = lengths.filter((length) => hasContentCredentials(image.subarray(0, length)));
      const expected = lengths.filter((length) => length >= (header ?? 0));
      assert.deepEqual(found, expected);
    });

    test(`of the format ${format} can be damaged anywhere`, () => {
      const random = seededRandom(7);
      for (let round = 0; round < longOr(5000, 500_000); round += 1) {
        const bytes = Buffer.from(image);
        for (let change = random() * 8; change > 0; change -= 1)
          bytes[Math.floor(random() * bytes.length)] =
            [0, 0xff, random() * 256][Math.floor(random() * 3)] ?? 0;
        const cut = bytes.subarray(0, Math.ceil(random() * bytes.length));
        assert.equal(typeof hasContentCredentials(cut), 'boolean');
      }
    });
  }

  for (const [format, start, section] of [
    ['JPEG', JPEG_START, Buffer.from([0xff])],
    ['PNG', PNG.subarray(0, 8), Buffer.alloc(12)],
    ['WebP', WEBP.subarray(0, 12), Buffer.alloc(8)],
  ] as const)
    test(`of the format ${format} with many sections are read in linear time`, () => {
      const image = Buffer.concat([start, Buffer.alloc(300_000 * section.length, section)]);
      const began = performance.now();
      assert.equal(hasContentCredentials(image), false);
      assert.ok(performance.now() - began < 5000);
    });
});

test('a converted image has lost the credentials of its original if there were any, and its bytes changed', () => {
  const encoded = (bytes: Buffer) => ({ mimeType: 'image/jpeg', base64: bytes.toString('base64') });
  for (const [original, converted, isLost] of [
    [SIGNED.JPEG, PNG, true],
    [JPEG, PNG, false],
    [SIGNED.JPEG, SIGNED.JPEG, false],
  ] as const)
    assert.equal(losesCredentials(encoded(original), encoded(converted)), isLost);
});
