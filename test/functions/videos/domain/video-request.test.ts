import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InputImage } from '../../../../functions/catalogue/domain/input-image.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { resolveVideoRequest, type VideoDraft } from '../../../../functions/videos/domain/video-request.ts';

const IMAGE: InputImage = { bytes: new Uint8Array([1]), mimeType: 'image/png' };

const draft = (given: Partial<VideoDraft>): VideoDraft => ({
  model: 'video-3.1-generate-preview',
  prompt: 'a lighthouse',
  seconds: undefined,
  duration: undefined,
  size: undefined,
  resolution: undefined,
  aspectRatio: undefined,
  negativePrompt: undefined,
  seed: undefined,
  metadata: { durationSeconds: undefined, resolution: undefined },
  firstFrame: undefined,
  lastFrame: undefined,
  references: [],
  ...given,
});

const metadata = (durationSeconds?: number, resolution?: VideoDraft['metadata']['resolution']) => ({
  metadata: { durationSeconds, resolution },
});

const readRefusal = (given: Partial<VideoDraft>): DomainError => {
  try {
    resolveVideoRequest(draft(given));
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('the request was accepted');
};

describe('the duration comes from', () => {
  const TABLE: readonly [
    durationSeconds: number | undefined,
    duration: number | undefined,
    seconds: number | undefined,
    expected: number,
  ][] = [
    [undefined, undefined, undefined, 8],
    [undefined, undefined, 4, 4],
    [undefined, 6, undefined, 6],
    [undefined, 6, 4, 6],
    [4, undefined, undefined, 4],
    [4, undefined, 6, 4],
    [4, 6, undefined, 4],
    [4, 6, 8, 4],
    [6, 4, 8, 6],
    [8, 4, 6, 8],
    // A field with lower precedence is not validated.
    [8, 5, 7, 8],
  ];
  for (const [durationSeconds, duration, seconds, expected] of TABLE)
    test(`metadata ${durationSeconds}, duration ${duration}, seconds ${seconds}: ${expected}`, () => {
      assert.equal(
        resolveVideoRequest(draft({ ...metadata(durationSeconds), duration, seconds })).seconds,
        expected,
      );
    });
});

describe('a duration that is not 4, 6 or 8 is refused with the name of its field', () => {
  const TABLE: readonly [Partial<VideoDraft>, string][] = [
    [{ seconds: 5 }, 'seconds'],
    [{ seconds: 0 }, 'seconds'],
    [{ duration: 7, seconds: 8 }, 'duration'],
    [{ ...metadata(10), duration: 8, seconds: 8 }, 'durationSeconds'],
  ];
  for (const [given, param] of TABLE)
    test(param, () => {
      const error = readRefusal(given);
      assert.equal(error.param, param);
      assert.match(error.message, /4, 6, 8/);
    });
});

describe('resolution and aspect ratio come from', () => {
  type Row = [Partial<VideoDraft>, resolution: string, aspectRatio: string];
  const TABLE: readonly Row[] = [
    [{}, '720p', '16:9'],
    [{ size: '1280x720' }, '720p', '16:9'],
    [{ size: '720x1280' }, '720p', '9:16'],
    [{ size: '1920x1080' }, '1080p', '16:9'],
    [{ size: '1080x1920' }, '1080p', '9:16'],
    [{ size: '3840x2160' }, '4k', '16:9'],
    [{ size: '2160x3840' }, '4k', '9:16'],
    [{ resolution: '1080p' }, '1080p', '16:9'],
    [{ resolution: '1080p', size: '720x1280' }, '1080p', '9:16'],
    [metadata(undefined, '4k'), '4k', '16:9'],
    [{ ...metadata(undefined, '4k'), size: '1280x720' }, '4k', '16:9'],
    [{ ...metadata(undefined, '720p'), size: '2160x3840' }, '720p', '9:16'],
    [{ ...metadata(undefined, '720p'), resolution: '4k', size: '1920x1080' }, '720p', '16:9'],
    [{ aspectRatio: '9:16' }, '720p', '9:16'],
    [{ aspectRatio: '16:9', size: '720x1280' }, '720p', '16:9'],
    [{ aspectRatio: '9:16', size: '3840x2160' }, '4k', '9:16'],
  ];
  for (const [given, resolution, aspectRatio] of TABLE)
    test(`${JSON.stringify(given)}: ${resolution} ${aspectRatio}`, () => {
      const request = resolveVideoRequest(draft(given));
      assert.deepEqual([request.resolution, request.aspectRatio], [resolution, aspectRatio]);
    });
});

const MODES: Record<string, Partial<VideoDraft>> = {
  text: {},
  first_frame: { firstFrame: IMAGE },
  first_and_last_frame: { firstFrame: IMAGE, lastFrame: IMAGE },
  references: { references: [IMAGE, IMAGE, IMAGE] },
};

describe('mode × resolution × duration', () => {
  const TABLE: readonly [
    mode: string,
    resolution: '720p' | '1080p' | '4k',
    four: boolean,
    six: boolean,
    eight: boolean,
  ][] = [
    ['text', '720p', true, true, true],
    ['text', '1080p', false, false, true],
    ['text', '4k', false, false, true],
    ['first_frame', '720p', true, true, true],
    ['first_frame', '1080p', false, false, true],
    ['first_frame', '4k', false, false, true],
    ['first_and_last_frame', '720p', false, false, true],
    ['first_and_last_frame', '1080p', false, false, true],
    ['first_and_last_frame', '4k', false, false, true],
    ['references', '720p', false, false, true],
    ['references', '1080p', false, false, true],
    ['references', '4k', false, false, true],
  ];
  for (const [mode, resolution, four, six, eight] of TABLE)
    for (const [seconds, accepted] of [
      [4, four],
      [6, six],
      [8, eight],
    ] as const)
      test(`${mode} at ${resolution} for ${seconds} s is ${accepted ? 'accepted' : 'refused'}`, () => {
        const given = { ...MODES[mode], resolution, seconds };
        if (accepted) assert.equal(resolveVideoRequest(draft(given)).images.mode, mode);
        else assert.match(readRefusal(given).message, /requires 8 seconds/);
        if (!accepted) assert.equal(readRefusal(given).param, 'seconds');
      });
});

describe('images', () => {
  test('include at most three references', () => {
    assert.equal(readRefusal({ references: [IMAGE, IMAGE, IMAGE, IMAGE] }).param, 'reference_images');
  });
  test('are either frames or references', () => {
    assert.equal(readRefusal({ references: [IMAGE], firstFrame: IMAGE }).param, 'reference_images');
    assert.equal(readRefusal({ references: [IMAGE], lastFrame: IMAGE }).param, 'reference_images');
  });
  test('include no last frame without a first', () => {
    assert.equal(readRefusal({ lastFrame: IMAGE }).param, 'input_reference');
  });
});

test('a negative prompt with reference images is refused with the message of the upstream', () => {
  const error = readRefusal({ references: [IMAGE], negativePrompt: '' });
  assert.deepEqual(
    [error.code, error.message, error.param, error.row.http],
    ['INVALID_ARGUMENT', 'Negative prompt is not supported in your use case', 'negativePrompt', 400],
  );
});

test('a seed of zero is kept', () => {
  assert.equal(resolveVideoRequest(draft({ seed: 0 })).seed, 0);
});
