import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Video } from '../../../console/api/shapes.ts';
import { mergePages, tasksOf } from '../../../console/tasks/merge-pages.ts';

const video = (id: string, status: Video['status'] = 'completed'): Video => ({
  id,
  status,
  model: 'video-3.1-generate-preview',
  progress: 0,
  created_at: 0,
  expires_at: null,
  prompt: id,
  seconds: '8',
  size: '1280x720',
  error: null,
});

const page = (ids: string, has_more = true): Page<Video> => {
  const data = Array.from(ids, (id) => video(id));
  return { data, has_more, last_id: data.at(-1)?.id ?? null };
};

const idsOf = (pages: readonly Page<Video>[]): string =>
  tasksOf(pages)
    .map(({ id }) => id)
    .join('');

describe('pages of tasks that are asked for again', () => {
  const FIRST_PAGES: readonly [what: string, fresh: Page<Video>, ids: string][] = [
    ['put new tasks first and keep what they push out', page('xyabc'), 'xyabcdefgh'],
    ['drop a deleted task', page('acdef'), 'acdefgh'],
    ['begin anew where nothing of them is known', page('vwxyz'), 'vwxyz'],
    ['are all there is where nothing follows', page('ab', false), 'ab'],
  ];
  for (const [what, fresh, ids] of FIRST_PAGES)
    test(what, () => assert.equal(idsOf(mergePages([page('abcde'), page('fgh', false)], 0, fresh)), ids));

  test('a later page takes the new states and stays where the next one begins', () => {
    const pages = [page('abc'), page('def'), page('gh', false)];
    const fresh = { ...page('deg'), data: [video('d'), video('e', 'failed'), video('g')] };
    const merged = mergePages(pages, 1, fresh);
    assert.equal(idsOf(merged), 'abcdegh');
    assert.equal(merged[1]?.data[1]?.status, 'failed');
    assert.equal(merged[1]?.last_id, 'f');
  });

  test('a page that is no longer there changes nothing', () => {
    const pages = [page('abc')];
    assert.equal(mergePages(pages, 1, page('def')), pages);
  });
});
