import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mergePages, uniqueItems } from '../../../console/library/merge-pages.ts';
import type { VideoList } from '../../../functions/videos/api/video-list.ts';
import type { VideoObject } from '../../../functions/videos/api/video-object.ts';

const video = (id: string, status: VideoObject['status'] = 'completed'): VideoObject => ({
  id,
  object: 'video',
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
