import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as images from '../../../../functions/images/domain/image-request.ts';
import { ASPECT_RATIOS, IMAGE_SIZES, imagePixels } from '../../../../lib/sample-generator/image-request.ts';

test('images have 14 aspect ratios and four sizes, 1K by default', () => {
  const ratios = '1:1 1:4 4:1 1:8 8:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9';
  assert.equal(images.IMAGE_ASPECT_RATIOS.join(' '), ratios);
  assert.deepEqual([images.IMAGE_SIZES, images.DEFAULT_IMAGE_SIZE], [['512', '1K', '2K', '4K'], '1K']);
  assert.deepEqual(images.MODALITIES, ['TEXT', 'IMAGE']);
});

test('a prompt is a text or an image of the user', () => {
  const text = images.textPart('a harbour');
  const image = images.imagePart({ fileId: 'file_1' });
  for (const [role, parts, holds] of [
    ['user', [text], true],
    ['user', [image], true],
    ['user', [images.textPart(' \n')], false],
    ['user', [images.textPart(' '), image], true],
    ['user', [], false],
    ['model', [text, image], false],
  ] as const)
    assert.equal(images.holdsPrompt([{ role, parts }]), holds, `${role} ${JSON.stringify(parts)}`);
  assert.equal(
    images.holdsPrompt([
      { role: 'model', parts: [image] },
      { role: 'user', parts: [text] },
    ]),
    true,
  );
});

test('every size of the sample generator has a name with its aspect ratio and resolution', () => {
  for (const aspectRatio of ASPECT_RATIOS)
    for (const imageSize of IMAGE_SIZES) {
      const { width, height } = imagePixels(aspectRatio, imageSize);
      assert.deepEqual(images.NAMED_SIZES.get(`${width}x${height}`), { aspectRatio, imageSize });
    }
  const others = 1 + 2 + ASPECT_RATIOS.length + IMAGE_SIZES.length;
  assert.equal(images.NAMED_SIZES.size, ASPECT_RATIOS.length * IMAGE_SIZES.length + others);
});
