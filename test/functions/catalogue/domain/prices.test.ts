import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPrices } from '../../../../functions/catalogue/domain/prices.ts';

test('there are prices if a video or an image has one', () => {
  const none = { videoSecond: {}, image: {} };
  const price = { any: '0.07' };
  const given = [none, { ...none, videoSecond: price }, { ...none, image: price }];
  assert.deepEqual(given.map(hasPrices), [false, true, true]);
});
