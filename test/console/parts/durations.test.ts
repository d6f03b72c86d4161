import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeLeft, findDurations } from '../../../console/parts/durations.ts';
import { imageDurations } from '../../../console/playground/image-form.ts';
import { texts } from '../../../console/texts/texts.ts';

const MODEL = 'video-3.1-generate-preview';

const video = (queue: number, generation: number, size = '1280x720') =>
  ({
    model: MODEL,
    size,
    timeline: {
      created_at: 100,
      submitted_at: 100 + queue,
      generated_at: null,
      completed_at: 100 + queue + generation,
      failed_at: null,
    },
  }) as const;

test('estimates are medians of the videos with the same model and resolution, in any orientation', () => {
  const videos = [video(1, 30), video(5, 20, '720x1280'), video(0, 90), video(0, 500, '1920x1080')];
  assert.deepEqual(findDurations(videos, { model: MODEL, size: '1280x720' }), {
    count: 3,
    whole: 31_000,
    generation: 30_000,
    long: 30_000,
  });
});

test('there is no estimate without such a video', () => {
  assert.equal(findDurations([video(1, 30)], { model: MODEL, size: '3840x2160' }), undefined);
  assert.equal(findDurations([{ ...video(1, 30), timeline: undefined }], video(1, 30)), undefined);
});

test('only the newest 20 count', () => {
  const videos = [...Array.from({ length: 20 }, () => video(0, 10)), video(0, 999)];
  assert.deepEqual(findDurations(videos, video(0, 1)), {
    count: 20,
    whole: 10_000,
    generation: 10_000,
    long: 10_000,
  });
});

test('images are compared with those of the same size, in any shape', () => {
  const files = [
    { size: '1024x1024', duration_ms: 3000 },
    { size: '1376x768', duration_ms: 5000 },
    { size: '4096x4096', duration_ms: 90_000 },
    { size: '1024x1024' },
  ];
  const known = { count: 2, whole: 3000, generation: 3000, long: 3000 };
  assert.deepEqual(imageDurations(files, '1K'), known);
  assert.equal(imageDurations(files, '2K'), undefined);
});

test('the time that is left never stays at a few seconds', () => {
  const known = { count: 9, whole: 12_000, generation: 10_000, long: 20_000 };
  const after = (elapsed: number) => describeLeft(known, elapsed);
  assert.equal(after(4000), texts.estimate.left('6 s'));
  assert.equal(after(10_000), texts.estimate.soon);
  assert.equal(after(25_000), texts.estimate.longer);
  assert.equal(describeLeft(undefined, 25_000), texts.estimate.none);
});
