import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type LibraryItem,
  mergeSources,
  nextSource,
  type Source,
  toSource,
} from '../../../console/library/items.ts';

const item = (kind: 'video' | 'image', createdAt: number): LibraryItem => {
  const id = `${kind === 'video' ? 'task' : 'file'}_${createdAt}`;
  const common = { id, createdAt };
  return kind === 'video'
    ? { ...common, kind, video: Object({ id, created_at: createdAt }) }
    : { ...common, kind, image: Object({ id, created_at: createdAt }) };
};

const videos = (times: readonly number[], completeTo?: number): Source => ({
  items: times.map((time) => item('video', time)),
  completeTo,
});
const images = (times: readonly number[], completeTo?: number): Source => ({
  items: times.map((time) => item('image', time)),
  completeTo,
});
const times = (sources: readonly Source[]): number[] =>
  mergeSources(sources).map(({ createdAt }) => createdAt);

describe('videos and images', () => {
  test('are merged newest first', () => {
    assert.deepEqual(times([videos([9, 5, 1]), images([8, 6, 2])]), [9, 8, 6, 5, 2, 1]);
  });

  test('wait for a list that may have newer items than theirs', () => {
    assert.deepEqual(times([videos([9, 5], 5), images([8, 6, 2])]), [9, 8, 6, 5]);
    assert.deepEqual(times([videos([9, 5, 1]), images([8, 6], 6)]), [9, 8, 6]);
  });

  test('wait for items of the same second', () => {
    assert.deepEqual(times([videos([9, 5], 5), images([5])]), [9, 5]);
    assert.equal(mergeSources([videos([9, 5], 5), images([5])]).at(-1)?.kind, 'video');
  });

  test('wait for a list that is not loaded', () => {
    assert.deepEqual(times([toSource(undefined, () => item('video', 1)), images([8])]), []);
  });

  test('appear once and in order, whatever the pages are', () => {
    const created = { video: [20, 18, 18, 13, 9, 4, 3], image: [19, 18, 15, 14, 8, 2, 1] };
    let shown: number[] = [];
    for (let loaded = { video: 0, image: 0 }; ; ) {
      const sources = [
        videos(
          created.video.slice(0, loaded.video),
          loaded.video < 7 ? (created.video[loaded.video - 1] ?? 99) : undefined,
        ),
        images(
          created.image.slice(0, loaded.image),
          loaded.image < 7 ? (created.image[loaded.image - 1] ?? 99) : undefined,
        ),
      ];
      const merged = times(sources);
      // What was shown keeps its place.
      assert.deepEqual(merged.slice(0, shown.length), shown);
      shown = merged;
      const next = nextSource(sources);
      if (next === -1) break;
      loaded = next === 0 ? { ...loaded, video: loaded.video + 2 } : { ...loaded, image: loaded.image + 3 };
      loaded = { video: Math.min(7, loaded.video), image: Math.min(7, loaded.image) };
    }
    assert.deepEqual(
      shown,
      [...created.video, ...created.image].toSorted((one, other) => other - one),
    );
  });
});

describe('the list that is loaded next', () => {
  for (const [name, sources, expected] of [
    ['is the one that holds back the other', [videos([9], 9), images([3], 3)], 0],
    ['is the only one that has more', [videos([1]), images([3], 3)], 1],
    ['is the one without items', [videos([9], 9), images([], Number.POSITIVE_INFINITY)], 1],
    ['does not exist if all are complete', [videos([1]), images([3])], -1],
  ] as const)
    test(name, () => assert.equal(nextSource(sources), expected));
});
