import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toImageForm } from '../../../console/playground/image-form.ts';

describe('the options of an image are found from its size', () => {
  for (const [size, aspectRatio, imageSize] of [
    ['1024x1024', '1:1', '1K'],
    ['1376x768', '16:9', '1K'],
    ['768x1376', '9:16', '1K'],
    ['2752x1536', '16:9', '2K'],
    ['5504x3072', '16:9', '4K'],
    ['512x512', '1:1', '512'],
    ['3168x1344', '21:9', '2K'],
    ['auto', '1:1', '1K'],
  ] as const)
    test(size, () => {
      assert.deepEqual(toImageForm({ prompt: 'A fox', size }), {
        prompt: 'A fox',
        aspectRatio,
        imageSize,
        count: 1,
        kept: [],
      });
    });
});
