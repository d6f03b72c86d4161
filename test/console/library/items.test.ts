import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  forEachItem,
  type LibraryItem,
  mergePages,
  mergeSources,
  nextSource,
  type Source,
  toSource,
  uniqueItems,
} from '../../../console/library/items.ts';
import type { VideoList } from '../../../functions/videos/api/video-list.ts';
import type { VideoObject } from '../../../functions/videos/api/video-object.ts';

const video = (id: string, status: VideoObject['status'] = 'completed'): VideoObject => ({
  id,
  object: 'video',
  kept: false,
  name: null,
  status,
  model: 'video-3.1-generate-preview',
  progress: 0,
  created_at: 0,
  expires_at: null,
  prompt: id,
  seconds: '8',
  size: '1280x720',
  error: null,
  remixed_from_video_id: null,
});

const page = (ids: string, has_more = true): VideoList => {
  const data = Array.from(ids, (id) => video(id));
  return { object: 'list', data, has_more, first_id: null, last_id: data.at(-1)?.id ?? null };
};

const toIds = (pages: readonly VideoList[]): string =>
  uniqueItems(pages)
    .map(({ id }) => id)
    .join('');

describe('a new first page', () => {
  const FIRST_PAGES: readonly [what: string, fresh: VideoList, ids: string][] = [
    ['adds new tasks and keeps the tasks that they push to the next page', page('xyabc'), 'xyabcdefgh'],
    ['drops a deleted task', page('acdef'), 'acdefgh'],
    ['replaces all pages if nothing overlaps', page('vwxyz'), 'vwxyz'],
    ['replaces all pages if it is the last page', page('ab', false), 'ab'],
  ];
  for (const [what, fresh, ids] of FIRST_PAGES)
    test(what, () => assert.equal(toIds(mergePages([page('abcde'), page('fgh', false)], 0, fresh)), ids));

  test('a new later page updates its tasks and keeps its end', () => {
    const pages = [page('abc'), page('def'), page('gh', false)];
    const fresh = { ...page('deg'), data: [video('d'), video('e', 'failed'), video('g')] };
    const merged = mergePages(pages, 1, fresh);
    assert.equal(toIds(merged), 'abcdegh');
    assert.equal(merged[1]?.data[1]?.status, 'failed');
    assert.equal(merged[1]?.last_id, 'f');
  });

  test('a page that no longer exists changes nothing', () => {
    const pages = [page('abc')];
    assert.equal(mergePages(pages, 1, page('def')), pages);
  });
});

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

const items: readonly LibraryItem[] = ['a', 'b', 'c'].map((id) => ({
  kind: 'video',
  id,
  createdAt: 0,
  video: Object({ id }),
}));

test('an action on several items goes on after a failure and says which items failed', async () => {
  const progress: number[] = [];
  const { done, failed } = await forEachItem(
    items,
    async ({ id }) => {
      if (id === 'b') throw new Error('still generating');
    },
    (count) => progress.push(count),
  );
  assert.deepEqual(
    done.map(({ id }) => id),
    ['a', 'c'],
  );
  assert.deepEqual(
    failed.map(({ item, error }) => [item.id, error.message]),
    [['b', 'still generating']],
  );
  assert.deepEqual(progress, [1, 2, 3]);
});
