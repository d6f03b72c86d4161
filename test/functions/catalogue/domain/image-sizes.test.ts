import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as images from '../../../../functions/catalogue/domain/image-sizes.ts';
import { ASPECT_RATIOS, IMAGE_SIZES, imagePixels } from '../../../../lib/sample-generator/image-sizes.ts';

test('the pixels of every size of the sample generator mean its aspect ratio and resolution', () => {
  for (const aspectRatio of ASPECT_RATIOS)
    for (const imageSize of IMAGE_SIZES) {
      const { width, height } = imagePixels(aspectRatio, imageSize);
      assert.deepEqual(images.readImageSize(`${width}x${height}`), { aspectRatio, imageSize });
    }
});

test('every aspect ratio and resolution has pixels that mean the same', () => {
  for (const aspectRatio of images.IMAGE_ASPECT_RATIOS)
    for (const imageSize of images.IMAGE_SIZES) {
      const pixels = images.imagePixels({ aspectRatio, imageSize }) ?? '';
      assert.deepEqual(images.readImageSize(pixels), { aspectRatio, imageSize }, pixels);
    }
});

test('a missing aspect ratio is a square, and a missing resolution 1K, unless both are missing', () => {
  for (const [aspectRatio, imageSize, pixels] of [
    ['16:9', '2K', '2752x1536'],
    ['21:9', '512', '792x336'],
    ['16:9', undefined, '1376x768'],
    [undefined, '4K', '4096x4096'],
    [undefined, undefined, undefined],
  ] as const)
    assert.equal(images.imagePixels({ aspectRatio, imageSize }), pixels);
});

test('pixels mean the nearest aspect ratio within 3 % and the nearest resolution', () => {
  for (const [size, aspectRatio, imageSize] of [
    ['1792x1024', '16:9', '1K'],
    ['1024x1792', '9:16', '1K'],
    ['1536x1024', '3:2', '1K'],
    ['1024x768', '4:3', '1K'],
    ['256x256', '1:1', '512'],
    ['1x1', '1:1', '512'],
    ['1280x720', '16:9', '1K'],
    ['1920x1080', '16:9', '1K'],
    ['1103x1024', undefined, undefined],
    ['1054x1024', '1:1', '1K'],
    ['1055x1024', undefined, undefined],
    ['1448x1448', '1:1', '1K'],
    ['1449x1449', '1:1', '2K'],
    ['3840x2160', '16:9', '2K'],
    ['99999x99999', '1:1', '4K'],
    ['100000x100000', undefined, undefined],
    ['0x0', undefined, undefined],
    ['1024X1024', undefined, undefined],
    ['x1024x1024', undefined, undefined],
    ['1024x1024x', undefined, undefined],
  ] as const)
    assert.deepEqual(
      images.readImageSize(size),
      aspectRatio === undefined ? undefined : { aspectRatio, imageSize },
      size,
    );
});

test('a size can be auto, an aspect ratio or a resolution', () => {
  assert.equal(images.SIZE_NAMES.length, 1 + ASPECT_RATIOS.length + IMAGE_SIZES.length);
  assert.deepEqual(images.readImageSize('auto'), { aspectRatio: undefined, imageSize: undefined });
  assert.deepEqual(images.readImageSize('21:9'), { aspectRatio: '21:9', imageSize: undefined });
  assert.deepEqual(images.readImageSize('2K'), { aspectRatio: undefined, imageSize: '2K' });
  assert.equal(images.readImageSize('constructor'), undefined);
});
