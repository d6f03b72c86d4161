import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireUpstreamRoom } from '../../../../functions/upstream/domain/request-size.ts';

/** 2,000 bytes for the frame, texts with quotes, and 4 bytes of Base64 for 3 bytes of an image. */
for (const [name, texts, images] of [
  ['a text', ['a'.repeat(997_998)], []],
  ['a text with characters of two bytes', ['é'.repeat(498_999)], []],
  ['a text that JSON escapes', ['"'.repeat(498_999)], []],
  ['an image', [], [748_500]],
  ['an image that Base64 pads', [], [748_498]],
  ['two texts, one of them missing, and an image', ['a'.repeat(97_996), undefined], [675_000]],
] as const)
  test(`${name} of exactly a megabyte fits, but not with another image`, () => {
    assert.doesNotThrow(() => requireUpstreamRoom({ texts, images, param: undefined }, 1));
    assert.throws(() => requireUpstreamRoom({ texts, images: [...images, 1], param: 'images' }, 1), {
      code: 'invalid_request',
      param: 'images',
      message: /has 1000004 bytes, but the generator accepts at most 1 MB\.$/,
    });
  });
