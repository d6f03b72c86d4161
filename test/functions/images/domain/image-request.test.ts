import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NAMED_SIZES } from '../../../../functions/images/domain/image-request.ts';
import { ASPECT_RATIOS, IMAGE_SIZES, imagePixels } from '../../../../lib/sample-generator/image-request.ts';

test('every size in pixels that the generator makes maps to its aspect ratio and resolution', () => {
  for (const aspectRatio of ASPECT_RATIOS)
    for (const imageSize of IMAGE_SIZES) {
      const { width, height } = imagePixels(aspectRatio, imageSize);
      assert.deepEqual(NAMED_SIZES.get(`${width}x${height}`), { aspectRatio, imageSize });
    }
  const others = 1 + 2 + ASPECT_RATIOS.length + IMAGE_SIZES.length;
  assert.equal(NAMED_SIZES.size, ASPECT_RATIOS.length * IMAGE_SIZES.length + others);
});
