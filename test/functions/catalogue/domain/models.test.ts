import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as models from '../../../../functions/catalogue/domain/models.ts';

for (const [size, resolution, aspectRatio] of [
  ['1280x720', '720p', '16:9'],
  ['720x1280', '720p', '9:16'],
  ['1920x1080', '1080p', '16:9'],
  ['1080x1920', '1080p', '9:16'],
  ['3840x2160', '4k', '16:9'],
  ['2160x3840', '4k', '9:16'],
] as const)
  test(`${size} is ${resolution} at ${aspectRatio}`, () => {
    assert.deepEqual(models.pixelSizes(models.ANY_VIDEO_MODEL).get(size), { resolution, aspectRatio });
    assert.equal(models.pixelSize(resolution, aspectRatio), size);
  });

test('several models accept together what each of them accepts, with the defaults of the first', () => {
  const fast = models.videoModelEntry('video-3.1-fast-generate-preview');
  assert.deepEqual(models.combineEntries([fast, models.videoModelEntry('video-omni-1.2-flash')]), {
    ...fast,
    seconds: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    resolutions: ['360p', '720p', '1080p', '4k'],
    maxReferences: 6,
  });
});

test('durations are listed, or are a range without gaps', () => {
  const describe = (...seconds: number[]) => models.describeSeconds(seconds);
  const described = [describe(4, 6, 8), describe(3, 4, 5), describe(3, 4, 5, 6), describe(3, 4, 5, 7)];
  assert.deepEqual(described, ['4, 6, 8', '3, 4, 5', '3 to 6', '3, 4, 5, 7']);
});

test('images have the room that Base64 and the longest prompts leave', () => {
  assert.deepEqual([1, 20, 28, 100].map(models.maxImageBytes), [400_000, 14_700_000, 20_700_000, 74_700_000]);
  const largest = [1, undefined, 100].map((megabytes) => models.largestImage(megabytes));
  assert.deepEqual(largest, [400_000, 14_700_000, 20_000_000]);
});
