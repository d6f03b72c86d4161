import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListQuery, readTaskFilter, videoList } from '../../../../functions/videos/api/video-list.ts';
import { videoObject } from '../../../../functions/videos/api/video-object.ts';
import { aTask, EVERY_TASK } from '../../../support/builders/task.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

const [ID, OTHER] = ['task_01k0000000aaaaaaaaaaaaaaaa', 'task_01k0000000bbbbbbbbbbbbbbbb'];

test('videos are listed newest first, 20 per page', () => {
  const read = (text: string) => readListQuery(toQuery(text).query);
  assert.deepEqual(read(''), { limit: 20, newestFirst: true, after: undefined });
  assert.deepEqual(read(`limit=5&order=asc&after=${ID}`), { limit: 5, newestFirst: false, after: ID });
  assert.equal(read('order=desc').newestFirst, true);
  for (const [name, value] of [
    ['limit', '0'],
    ['order', 'up'],
  ] as const)
    refusesField(() => read(`${name}=${value}`), name, new RegExp(`^${name} must be`));
  refusesField(() => read('after=file_1'), 'after', /^after must be the id of a video,/);
});

test('videos are filtered by state, model, maker and time', () => {
  const read = (text: string) => readTaskFilter(toQuery(text).query);
  const [key, person] = [`key_${'a'.repeat(16)}`, `user_${'b'.repeat(32)}`];
  assert.equal(read(''), undefined);
  for (const [text, filter] of [
    ['status=failed', { status: 'failed' }],
    ['model=video-3.1-generate-preview', { model: 'video-3.1-generate-preview' }],
    [`api_key_id=${key}`, { keyId: key }],
    ['kept=false', { kept: false }],
    [`user_id=${person}`, { personId: person }],
    ['created_after=5', { createdFrom: 5_000 }],
    ['created_before=6', { createdBefore: 6_000 }],
  ] as const)
    assert.deepEqual(read(text), { ...EVERY_TASK, kept: undefined, ...filter });
  for (const name of ['status', 'model', 'api_key_id', 'user_id', 'created_after', 'created_before'])
    refusesField(() => read(`${name}=x`), name, new RegExp(`^${name} must be`));
});

test('a page of videos says where the next one begins', () => {
  const [one, two] = [aTask({ id: ID }), aTask({ id: OTHER })];
  const data = [videoObject(one), videoObject(two)];
  const list = { object: 'list', data, first_id: ID, last_id: OTHER, has_more: false };
  assert.deepEqual(videoList({ tasks: [one, two], hasMore: false }), list);
  const more = videoList({ tasks: [one, two], hasMore: true, resumeAfter: 'task_9' });
  assert.deepEqual(more, { ...list, last_id: 'task_9', has_more: true });
  const empty = { ...list, data: [], first_id: null, last_id: null };
  assert.deepEqual(videoList({ tasks: [], hasMore: false }), empty);
  const [first] = videoList({ tasks: [one], hasMore: false }, () => ({ charge: null })).data;
  assert.deepEqual(first, { ...videoObject(one), charge: null });
});

test('a page has as many videos as fit into a response, but at least one', () => {
  // Escaped twice, each of these characters takes 4 bytes.
  const { request } = aTask();
  const long = (id: string, characters: number) =>
    aTask({ id, request: { ...request, prompt: '"'.repeat(characters) } });
  const ids = (...sizes: readonly number[]) => {
    const tasks = sizes.map((size, index) => long([ID, OTHER][index] ?? '', size));
    const { data, last_id, has_more } = videoList({ tasks, hasMore: false, resumeAfter: 'task_9' });
    return [data.length, last_id, has_more];
  };
  assert.deepEqual(ids(700_000, 700_000), [2, 'task_9', false]);
  assert.deepEqual(ids(700_000, 850_000), [1, ID, true]);
  assert.deepEqual(ids(1_600_000), [1, 'task_9', false]);
});
