import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAfter, readNewestFirst, readPageQuery } from '../../../../functions/platform/api/pages.ts';
import { toPage } from '../../../../functions/platform/domain/pages.ts';

const isId = (id: string) => id.startsWith('file_');
const after = (value: string | undefined) =>
  readAfter((name) => (name === 'after' ? value : undefined), isId, 'a file');

test('a page begins after an id; none, or an empty one, is the beginning of the list', () => {
  assert.deepEqual([undefined, '', 'file_1'].map(after), [undefined, undefined, 'file_1']);
  for (const [given, expected] of [
    ['', undefined],
    ['user_1', 'user_1'],
  ])
    assert.deepEqual(
      readPageQuery((name) => (name === 'after' ? given : undefined)),
      { limit: 20, after: expected },
    );
  assert.throws(() => after('x'), {
    code: 'invalid_request',
    param: 'after',
    message: 'after must be the id of a file, such as last_id of the previous page.',
  });
});

test('the newest items come first, unless the order is asc', () => {
  const order = (value: string | undefined) =>
    readNewestFirst((name) => (name === 'order' ? value : undefined));
  assert.deepEqual([undefined, 'desc', 'asc'].map(order), [true, true, false]);
  assert.throws(() => order('up'), { param: 'order', message: 'order must be one of asc, desc.' });
});

test('a short list has pages', () => {
  const all = ['a', 'b', 'c'].map((id) => ({ id }));
  assert.deepEqual(toPage(all, { limit: 2, after: undefined }, 'a key'), {
    items: all.slice(0, 2),
    hasMore: true,
  });
  assert.deepEqual(toPage(all, { limit: 2, after: 'a' }, 'a key'), { items: all.slice(1), hasMore: false });
  assert.throws(() => toPage(all, { limit: 2, after: 'x' }, 'a key'), { param: 'after' });
});
