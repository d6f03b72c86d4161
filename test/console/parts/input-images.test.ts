import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addZone, findCrop, placeImages } from '../../../console/parts/input-images.ts';

const image = (name: string): File => new File([], name);

/** A zone that writes down the names of the images that it receives. */
const openZone = (room: number) => {
  const received: string[] = [];
  const add = (images: readonly File[]): void => void received.push(...images.map(({ name }) => name));
  return { received, [Symbol.dispose]: addZone({ current: { room, add } }) };
};

describe('images that are dropped anywhere', () => {
  for (const [title, rooms, names, received] of [
    ['fill the zones in their order; the last one receives the others', [1, 1], 'abc', ['a', 'bc']],
    ['skip a full zone', [0, 3], 'a', ['', 'a']],
  ] as const)
    test(title, () => {
      using first = openZone(rooms[0]);
      using last = openZone(rooms[1]);
      assert.equal(placeImages(Array.from(names, image)), true);
      assert.deepEqual(
        [first, last].map((zone) => zone.received.join('')),
        received,
      );
    });

  test('wait for a zone, once', () => {
    assert.equal(placeImages([image('a')]), false);
    using first = openZone(1);
    using second = openZone(1);
    assert.deepEqual([first.received, second.received], [['a'], []]);
  });
});

describe('a frame', () => {
  for (const [width, height, ratio, crop] of [
    [1600, 900, '16:9', undefined],
    [1601, 900, '16:9', undefined],
    [1000, 1000, '16:9', { x: 0, y: 218.75, width: 1000, height: 562.5 }],
    [1600, 900, '9:16', { x: 546.875, y: 0, width: 506.25, height: 900 }],
    [0, 0, '16:9', undefined],
  ] as const)
    test(`of ${width} × ${height} is ${crop === undefined ? 'not cropped' : 'cropped in the middle'} for ${ratio}`, () => {
      assert.deepEqual(findCrop({ width, height }, ratio), crop);
    });
});
