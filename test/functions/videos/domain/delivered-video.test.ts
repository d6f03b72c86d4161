import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deliveredSize, findDifferences } from '../../../../functions/videos/domain/delivered-video.ts';

const REQUEST = { resolution: '1080p', aspectRatio: '9:16', seconds: 8 } as const;
const DELIVERED = { width: 1080, height: 1920, seconds: 8 };

describe('findDifferences', () => {
  for (const [title, change, differences] of [
    ['a video as requested', {}, []],
    ['a smaller video', { width: 720, height: 1280 }, ['size']],
    ['a video with swapped sides', { width: 1920, height: 1080 }, ['size']],
    ['a video that is one pixel narrower', { width: 1079 }, ['size']],
    ['a shorter video', { seconds: 4 }, ['seconds']],
    ['a longer video', { seconds: 8.501 }, ['seconds']],
    ['a video that is half a second shorter', { seconds: 7.5 }, []],
    ['a video that is half a second longer', { seconds: 8.5 }, []],
    ['another video', { width: 1280, height: 720, seconds: 4 }, ['size', 'seconds']],
    ['a video of unknown size', { width: undefined, height: undefined, seconds: 4 }, ['seconds']],
    ['a video of unknown duration', { width: 1280, seconds: undefined }, ['size']],
    ['a video of unknown duration, as requested otherwise', { seconds: undefined }, []],
    [
      'a video of which nothing is known',
      { width: undefined, height: undefined, seconds: undefined },
      undefined,
    ],
  ] as const)
    test(`of ${title}: ${differences?.join(', ') ?? 'unknown'}`, () =>
      assert.deepEqual(findDifferences(REQUEST, { ...DELIVERED, ...change }), differences));
});

test('deliveredSize names both sides, or nothing', () => {
  assert.equal(deliveredSize(DELIVERED), '1080x1920');
  assert.equal(deliveredSize({ width: 1080 }), undefined);
  assert.equal(deliveredSize({ height: 1920 }), undefined);
});
