import { test } from 'node:test';
import { readCollectionChange } from '../../../../functions/library/api/collection-object.ts';
import { refusesField } from '../../../support/queries.ts';

const ITEM = 'file_01k00000000000000000000000';

test('a change of nothing is refused', () =>
  refusesField(() => readCollectionChange({}), 'name', /at least one of name, add_item_ids/));

for (const field of ['add_item_ids', 'remove_item_ids', 'order'] as const)
  test(`a wrong or repeated item is refused by its place in ${field}`, () => {
    refusesField(() => readCollectionChange({ [field]: [ITEM, 'key_1'] }), `${field}[1]`, /id of a video/);
    refusesField(() => readCollectionChange({ [field]: [ITEM, ITEM] }), field, /each item once/);
  });
