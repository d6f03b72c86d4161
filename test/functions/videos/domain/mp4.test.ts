import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type CheckedVideo,
  checkedVideo,
  IncompleteVideo,
  Mp4Inspector,
} from '../../../../functions/videos/domain/mp4.ts';
import { joined, longBox, movieHeader, mp4Box, mp4Video, wholeMp4 } from '../../../support/sample-video.ts';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

const openBox = (type: string, payload: Uint8Array): Uint8Array => {
  const box = mp4Box(type, payload);
  new DataView(box.buffer).setUint32(0, 0);
  return box;
};

const ftyp = mp4Box('ftyp', text('isom'));
const moov = mp4Box('moov', text('tracks'));
const mdat = mp4Box('mdat', text('pictures'));
const tooSmall = joined(ftyp, moov, new Uint8Array([0, 0, 0, 7]), text('mdat'));

const inspect = (...chunks: readonly Uint8Array[]) => {
  const inspector = new Mp4Inspector();
  for (const chunk of chunks) inspector.take(chunk);
  return inspector.finish();
};

const WHOLE: Record<string, Uint8Array> = {
  'an MP4': wholeMp4(),
  'the pictures before the tracks': joined(ftyp, mdat, moov),
  'other boxes between': joined(ftyp, mp4Box('free'), moov, mp4Box('uuid', text('?')), mdat),
  'a 64-bit box size': joined(ftyp, moov, longBox('mdat', text('pictures'))),
  'a last box to the end of the file': joined(ftyp, moov, openBox('mdat', text('pictures'))),
  'an empty box': joined(ftyp, moov, mp4Box('mdat')),
};

const BROKEN: Record<string, readonly [content: Uint8Array, reason: RegExp]> = {
  'an empty file': [new Uint8Array(0), /no ftyp box/],
  'an error page': [text('<!doctype html><html></html>'), /not an MP4/],
  'a JSON error': [text('{"error":{"code":403,"message":"no"}}'), /not an MP4/],
  'a file that starts with another box': [joined(moov, ftyp, mdat), /not an MP4/],
  'a file without tracks': [joined(ftyp, mdat), /no moov box/],
  'a file without pictures': [joined(ftyp, moov), /no mdat box/],
  'a box smaller than its header': [tooSmall, /broken box/],
  'a 64-bit size that is too small': [joined(ftyp, moov, longBox('mdat', text('p'), 15)), /broken box/],
  'a 64-bit size past the end': [joined(ftyp, moov, longBox('mdat', text('p'), 2 ** 40)), /truncated/],
};

describe('accepts', () => {
  for (const [name, content] of Object.entries(WHOLE))
    test(`${name}, however it is split into chunks`, () => {
      for (let cut = 0; cut <= content.length; cut += 1)
        for (let second = cut; second <= content.length; second += 1)
          inspect(content.subarray(0, cut), content.subarray(cut, second), content.subarray(second));
      inspect(...Array.from(content, (byte) => new Uint8Array([byte])));
    });
});

describe('refuses', () => {
  for (const [name, [content, reason]] of Object.entries(BROKEN))
    test(`${name}, however it is split into chunks`, () => {
      for (let cut = 0; cut <= content.length; cut += 1)
        assert.throws(
          () => inspect(content.subarray(0, cut), content.subarray(cut)),
          (error) => error instanceof IncompleteVideo && reason.test(error.message),
        );
    });

  test('more than 10,000 boxes', () => {
    const boxes = (count: number) =>
      joined(ftyp, moov, mdat, ...Array.from({ length: count - 3 }, () => mp4Box('free')));
    inspect(boxes(10_000));
    assert.throws(() => inspect(boxes(10_001)), {
      message: 'the video has too many boxes',
      truncated: false,
    });
  });

  test('an MP4 that is truncated anywhere', () => {
    const content = wholeMp4();
    for (let length = 0; length < content.length; length += 1)
      assert.throws(() => inspect(content.subarray(0, length)), IncompleteVideo, `${length} bytes`);
  });
});

const UNKNOWN = { width: undefined, height: undefined, seconds: undefined };

describe('size and duration', () => {
  test('are the same however the file is split into chunks', () => {
    const content = mp4Video({ width: 1280, height: 720, seconds: 4 });
    for (let cut = 0; cut <= content.length; cut += 1)
      assert.deepEqual(inspect(content.subarray(0, cut), content.subarray(cut)), {
        width: 1280,
        height: 720,
        seconds: 4,
      });
    assert.equal(inspect(...Array.from(content, (byte) => new Uint8Array([byte]))).seconds, 4);
  });

  test('are read from the first moov', () => {
    const [first, second] = [mp4Box('moov', movieHeader(4)), mp4Box('moov', movieHeader(8))];
    assert.equal(inspect(joined(ftyp, first, mdat, second)).seconds, 4);
    assert.equal(inspect(joined(ftyp, mdat, longBox('moov', movieHeader(8)))).seconds, 8);
  });

  const largeMoov = (length: number): Uint8Array =>
    joined(ftyp, mp4Box('moov', joined(movieHeader(4), new Uint8Array(length - 108))), mdat);

  test('are unknown if the moov is larger than 4 MB, open-ended or unreadable', () => {
    assert.equal(inspect(largeMoov(4 * 1024 * 1024)).seconds, 4);
    assert.deepEqual(inspect(largeMoov(4 * 1024 * 1024 + 1)), UNKNOWN);
    assert.deepEqual(inspect(joined(ftyp, mdat, openBox('moov', movieHeader(4)))), UNKNOWN);
    assert.deepEqual(inspect(wholeMp4()), UNKNOWN);
  });
});

describe('a streamed video', () => {
  const pass = async (...chunks: readonly Uint8Array[]) => {
    const passed: Uint8Array[] = [];
    let checked: CheckedVideo | undefined;
    const source = async function* () {
      yield* chunks;
    };
    for await (const chunk of checkedVideo(source(), (facts) => {
      checked = facts;
    }))
      passed.push(chunk);
    return { passed, checked };
  };

  test('is unchanged, and its bytes are counted', async () => {
    const { passed, checked } = await pass(ftyp, moov, mdat);
    assert.deepEqual(passed, [ftyp, moov, mdat]);
    assert.equal(checked?.bytes, ftyp.length + moov.length + mdat.length);
  });

  test('has its size and its duration', async () => {
    const video = mp4Video({ width: 1280, height: 720, seconds: 4 });
    const { checked } = await pass(video);
    assert.deepEqual(checked, { bytes: video.length, width: 1280, height: 720, seconds: 4 });
  });

  test('ends with an error if it is longer than a gigabyte', async () => {
    const start = joined(ftyp, moov, openBox('mdat', new Uint8Array(0)));
    const part = new Uint8Array(2 ** 24);
    const chunks = [start, part.subarray(start.length), ...Array.from({ length: 63 }, () => part)];
    assert.equal((await pass(...chunks)).checked?.bytes, 2 ** 30);
    await assert.rejects(pass(...chunks, new Uint8Array(1)), {
      message: 'the video is larger than 1 GB',
      truncated: false,
    });
  });

  test('ends with an error if it is truncated', async () => {
    await assert.rejects(pass(ftyp, moov, mdat.subarray(0, 9)), IncompleteVideo);
  });
});
