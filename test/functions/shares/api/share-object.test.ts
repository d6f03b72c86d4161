import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageObject } from '../../../../functions/platform/api/pages.ts';
import { parseBody } from '../../../../functions/platform/body/parse.ts';
import {
  createdShare,
  deletedShare,
  newShareSchema,
  readShareQuery,
  readShareTerms,
  shareObject,
} from '../../../../functions/shares/api/share-object.ts';
import type { Share, SharedKind } from '../../../../functions/shares/domain/share.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

const SHARE: Share = {
  id: 'share_01kf0xw3g0a1b2c3d4e5f6g7h8',
  tokenHash: 'hash',
  account: 'acme',
  keyId: 'key_0123456789abcdef',
  item: { kind: 'video', id: 'task_1', createdAt: 1_000 },
  showsPrompt: true,
  createdAt: 5_999,
  expiresAt: 9_999,
};

test('a share is shown without its token, except when it is created', () => {
  const shown = {
    id: SHARE.id,
    object: 'share',
    video_id: 'task_1',
    file_id: null,
    collection_id: null,
    show_prompt: true,
    created_at: 5,
    expires_at: 9,
    api_key_id: 'key_0123456789abcdef',
  };
  const showItem = (kind: SharedKind, id: string) =>
    shareObject({ ...SHARE, item: { kind, id, createdAt: 1 } });
  assert.deepEqual(shareObject(SHARE), shown);
  assert.deepEqual(showItem('image', 'file_1'), { ...shown, video_id: null, file_id: 'file_1' });
  assert.deepEqual(showItem('collection', 'c_1'), { ...shown, video_id: null, collection_id: 'c_1' });
  assert.deepEqual(createdShare(SHARE, 'https://example.com/prod', 'token'), {
    ...shown,
    url: 'https://example.com/prod/s/token',
  });
  assert.deepEqual(pageObject({ items: [SHARE], hasMore: true }, shareObject), {
    object: 'list',
    data: [shown],
    first_id: SHARE.id,
    last_id: SHARE.id,
    has_more: true,
  });
  assert.deepEqual(deletedShare(SHARE.id), { id: SHARE.id, object: 'share.deleted', deleted: true });
});

test('a new share has one item, and lasts a day without the prompt by default', () => {
  const read = (body: Record<string, unknown>) => readShareTerms(parseBody(newShareSchema, body));
  assert.deepEqual(read({ video_id: 'task_1' }), {
    item: { kind: 'video', id: 'task_1' },
    lifetimeSeconds: 86_400,
    showsPrompt: false,
  });
  assert.deepEqual(read({ file_id: 'file_1', expires_in_seconds: 3600, show_prompt: true }), {
    item: { kind: 'image', id: 'file_1' },
    lifetimeSeconds: 3600,
    showsPrompt: true,
  });
  assert.equal(read({ video_id: 'a', expires_in_seconds: 604_800 }).lifetimeSeconds, 604_800);
  for (const expires_in_seconds of [3599, 604_801])
    refusesField(() => read({ video_id: 'a', expires_in_seconds }), 'expires_in_seconds');
  assert.deepEqual(read({ collection_id: 'collection_1' }).item, { kind: 'collection', id: 'collection_1' });
  refusesField(() => read({}), 'video_id', /^Send one of/);
  refusesField(() => read({ video_id: 'a', file_id: 'b' }), 'file_id', /^Send one of/);
  refusesField(() => read({ file_id: 'b', collection_id: 'c' }), 'collection_id', /^Send one of/);
});

test('shares are listed by item, after another share', () => {
  const read = (text: string) => readShareQuery(toQuery(text).query);
  assert.deepEqual(read(''), { limit: 20, after: undefined, item: undefined });
  assert.deepEqual(read(`limit=5&after=${SHARE.id}&file_id=file_1`), {
    limit: 5,
    after: SHARE.id,
    item: { kind: 'image', id: 'file_1' },
  });
  refusesField(() => read('after=task_1'), 'after', /^after must be the id of a share,/);
  refusesField(() => read('video_id=a&file_id=b'), 'file_id');
});
