import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  collectionList,
  readCollectionChange,
  readNewCollection,
} from '../../../../functions/library/api/collection-object.ts';
import { refusesField } from '../../../support/queries.ts';

const ITEM = 'file_01k00000000000000000000000';

test('a change of nothing is refused', () =>
  refusesField(
    () => readCollectionChange({ name: undefined }),
    'name',
    /at least one of name, add_item_ids/,
  ));

for (const field of ['add_item_ids', 'remove_item_ids', 'order'] as const)
  test(`a wrong or repeated item is refused by its place in ${field}`, () => {
    refusesField(() => readCollectionChange({ [field]: [ITEM, 'key_1'] }), `${field}[1]`, /id of a video/);
    refusesField(() => readCollectionChange({ [field]: [ITEM, ITEM] }), field, /each item once/);
  });

test('a change names the items that it adds, removes and orders', () => {
  const [added, removed, order] = ['1', '2', '3'].map((digit) => [ITEM.replace('0', digit)]);
  const given = { name: 'Boats', cover_id: null };
  const change = { name: 'Boats', added, coverId: null };
  const lists = { add_item_ids: added, remove_item_ids: removed, order };
  assert.deepEqual(readCollectionChange({ ...given, ...lists }), { ...change, removed, order });
  assert.deepEqual(readNewCollection({ ...given, item_ids: added }), change);
  refusesField(() => readNewCollection({ ...given, item_ids: ['key_1'] }), 'item_ids[0]');
});

test('collections are listed from the newest, with the cover that was chosen or the first item', () => {
  const old = { account: 'acme', name: 'Boats', itemIds: ['a', 'b'], createdAt: 5999, updatedAt: 6000 };
  const { data } = collectionList([
    { ...old, id: 'old', coverId: 'b' },
    { ...old, id: 'new' },
  ]);
  const shown = { object: 'library.collection', name: 'Boats', item_ids: ['a', 'b'], created_at: 5 };
  assert.deepEqual(data, [
    { ...shown, id: 'new', cover_id: 'a', updated_at: 6 },
    { ...shown, id: 'old', cover_id: 'b', updated_at: 6 },
  ]);
});
