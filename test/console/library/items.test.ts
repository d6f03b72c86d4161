import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  forEachItem,
  type LibraryItem,
  type ListPage,
  mergePages,
  mergeSources,
  nextSource,
  type Source,
  toImageItem,
  toSource,
  toVideoItem,
  uniqueItems,
} from '../../../console/library/items.ts';

type Listed = { readonly id: string; readonly status: string };
type Page = ListPage<Listed>;

const listed = (id: string, status = 'completed'): Listed => ({ id, status });

const page = (ids: string, has_more = true): Page => ({
  data: Array.from(ids, (id) => listed(id)),
  has_more,
  last_id: ids.at(-1) ?? null,
});

const toIds = (pages: readonly Page[]): string =>
  uniqueItems(pages)
    .map(({ id }) => id)
    .join('');

describe('a new first page', () => {
  const FIRST_PAGES: readonly [what: string, fresh: Page, ids: string][] = [
    ['adds new tasks and keeps the tasks that they push to the next page', page('xyabc'), 'xyabcdefgh'],
    ['drops a deleted task', page('acdef'), 'acdefgh'],
    ['replaces all pages if nothing overlaps', page('vwxyz'), 'vwxyz'],
    ['replaces all pages if it is the last page', page('ab', false), 'ab'],
  ];
  for (const [what, fresh, ids] of FIRST_PAGES)
    test(what, () => assert.equal(toIds(mergePages([page('abcde'), page('fgh', false)], 0, fresh)), ids));

  test('a new later page updates its tasks and keeps its end', () => {
    const pages = [page('abc'), page('def'), page('gh', false)];
    const fresh = { ...page('deg'), data: [listed('d'), listed('e', 'failed'), listed('g')] };
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

const item = (kind: 'video' | 'image', created_at: number): LibraryItem =>
  kind === 'video'
    ? toVideoItem(Object({ id: `task_${created_at}`, created_at }))
    : toImageItem(Object({ id: `file_${created_at}`, created_at }));

const source =
  (kind: 'video' | 'image') =>
  (times: readonly number[], completeTo?: number): Source => ({
    items: times.map((time) => item(kind, time)),
    completeTo,
  });
const [videos, images] = [source('video'), source('image')];
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
      const loadedPart = (kind: 'video' | 'image') =>
        source(kind)(
          created[kind].slice(0, loaded[kind]),
          loaded[kind] < 7 ? (created[kind][loaded[kind] - 1] ?? 99) : undefined,
        );
      const sources = [loadedPart('video'), loadedPart('image')];
      const merged = times(sources);
      // What was shown keeps its place.
      assert.deepEqual(merged.slice(0, shown.length), shown);
      shown = merged;
      const next = nextSource(sources);
      if (next === -1) break;
      loaded = next === 0 ? { ...loaded, video: loaded.video + 2 } : { ...loaded, image: loaded.image + 3 };
      loaded = { video: Math.min(7, loaded.video), image: Math.min(7, loaded.image) };
    }
    const expected = [...created.video, ...created.image].toSorted((one, other) => other - one);
    assert.deepEqual(shown, expected);
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

const items = [3, 2, 1].map((createdAt) => item('video', createdAt));

test('an action on several items goes on after a failure and says which items failed', async () => {
  const progress: number[] = [];
  const { done, failed } = await forEachItem(
    items,
    async ({ id }) => {
      if (id === 'task_2') throw new Error('still generating');
    },
    (count) => progress.push(count),
  );
  const doneIds = done.map(({ id }) => id);
  assert.deepEqual(doneIds, ['task_3', 'task_1']);
  const problems = failed.map(({ item, error }) => [item.id, error.message]);
  assert.deepEqual(problems, [['task_2', 'still generating']]);
  assert.deepEqual(progress, [1, 2, 3]);
});
