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

test('images have the room that Base64 and the longest prompts leave', () => {
  assert.deepEqual([1, 20, 28, 100].map(models.maxImageBytes), [400_000, 14_700_000, 20_700_000, 74_700_000]);
  const largest = [1, undefined, 100].map((megabytes) => models.largestImage(megabytes));
  assert.deepEqual(largest, [400_000, 14_700_000, 20_000_000]);
});
