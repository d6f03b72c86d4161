import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import type {
  Collection,
  CollectionChange,
  Collections,
} from '../../../../functions/library/domain/collections.ts';
import {
  createCollection,
  deleteCollection,
  updateCollection,
} from '../../../../functions/library/usecases/manage-collections.ts';
import { anAction } from '../../../support/audit.ts';

const NOW = Date.UTC(2026, 5, 1);
const ACCOUNT = 'acme';
const [A, B, C] = ['task_a', 'task_b', 'file_c'];
const FOUND: Collection = {
  id: `collection_0${'a'.repeat(25)}`,
  account: ACCOUNT,
  name: 'Boats',
  itemIds: [A, B],
  coverId: B,
  createdAt: 1,
  updatedAt: 2,
};

const build = ({ count = 0, lost = 0, found = FOUND } = {}) => {
  const written: (readonly [change: keyof Collections, collection: Collection, entry: AuditEntry])[] = [];
  const action = anAction(ACCOUNT, NOW);
  let writes = 0;
  const wins = () => {
    writes += 1;
    return writes > lost;
  };
  const collections: Collections = {
    list: async () => Array.from({ length: count }, () => found),
    find: async (account, id) => (account === ACCOUNT && id === found.id ? found : undefined),
    create: async (collection, entry) => void written.push(['create', collection, entry]),
    replace: async (next, before, entry) => {
      assert.equal(before, found);
      return wins() && written.push(['replace', next, entry]) > 0;
    },
    remove: async (collection, entry) => wins() && written.push(['remove', collection, entry]) > 0,
  };
  return {
    /** Each change, with its entry in the audit log. */
    seen: () =>
      written.map(([change, collection, { account, at, type, resourceId, details }]) => [
        change,
        collection,
        { account, at, type, resourceId, details },
      ]),
    create: (change: CollectionChange) => createCollection(collections, action, change),
    update: (change: CollectionChange, id = found.id) => updateCollection(collections, action, id, change),
    remove: (id = found.id) => deleteCollection(collections, action, id),
  };
};

const entry = (type: string, resourceId: string, details: object) => ({
  account: ACCOUNT,
  at: NOW,
  type: `collection.${type}`,
  resourceId,
  details,
});

describe('a new collection', () => {
  for (const [given, expected] of [
    [{ name: 'Boats' }, { itemIds: [], coverId: undefined }],
    [
      { name: 'Boats', added: [A, B], coverId: B },
      { itemIds: [A, B], coverId: B },
    ],
    [
      { name: 'Boats', added: [A], coverId: null },
      { itemIds: [A], coverId: undefined },
    ],
  ] as const)
    test(`has ${JSON.stringify(given)}`, async () => {
      const { create, seen } = build({ count: 99 });
      const created = await create(given);
      const { id } = created;
      assert.match(id, /^collection_0[0-9a-z]{25}$/);
      assert.deepEqual(created, {
        id,
        account: ACCOUNT,
        name: 'Boats',
        createdAt: NOW,
        updatedAt: NOW,
        ...expected,
      });
      const details = { name: 'Boats', items: expected.itemIds.length };
      assert.deepEqual(seen(), [['create', created, entry('created', id, details)]]);
    });

  test('is refused without a name, with a strange cover, and as the hundred and first', async () => {
    for (const [count, given, code, param] of [
      [0, {}, 'invalid_request', 'name'],
      [0, { name: 'a', added: [A], coverId: B }, 'invalid_request', 'cover_id'],
      [100, { name: 'a' }, 'collection_limit', null],
    ] as const) {
      const { create, seen } = build({ count });
      await assert.rejects(create(given), { code, param });
      assert.deepEqual(seen(), []);
    }
  });
});

describe('a changed collection', () => {
  const CASES: readonly (readonly [given: CollectionChange, after: Partial<Collection>])[] = [
    [{}, {}],
    [{ name: 'Ships' }, { name: 'Ships' }],
    [{ name: '' }, { name: '' }],
    [{ added: [C, A] }, { itemIds: [A, B, C] }],
    [{ removed: [B, C] }, { itemIds: [A], coverId: undefined }],
    [{ order: [B] }, { itemIds: [B, A] }],
    [{ order: [C, B, A], removed: [A], added: [C] }, { itemIds: [C, B] }],
    [{ removed: [A], added: [A] }, { itemIds: [B, A] }],
    [{ coverId: A }, { coverId: A }],
    [{ coverId: null }, { coverId: undefined }],
    [
      { added: [C], coverId: C },
      { itemIds: [A, B, C], coverId: C },
    ],
  ];
  for (const [given, after] of CASES)
    test(`has ${JSON.stringify(given)}`, async () => {
      const { update, seen } = build();
      const next = { ...FOUND, ...after, updatedAt: NOW };
      assert.deepEqual(await update(given), next);
      const details = { name: next.name, items: next.itemIds.length };
      assert.deepEqual(seen(), [['replace', next, entry('updated', FOUND.id, details)]]);
    });

  test('differs from the one before in its time', async () => {
    const { update, seen } = build({ found: { ...FOUND, updatedAt: NOW } });
    assert.equal((await update({})).updatedAt, NOW + 1);
    assert.deepEqual(seen()[0]?.[2], entry('updated', FOUND.id, { name: 'Boats', items: 2 }));
  });
});

test('a collection is deleted as it was found', async () => {
  const { remove, seen } = build();
  await remove();
  assert.deepEqual(seen(), [['remove', FOUND, entry('deleted', FOUND.id, { name: 'Boats', items: 2 })]]);
});

describe('a change of a collection', () => {
  for (const change of ['update', 'remove'] as const) {
    const run = (world: ReturnType<typeof build>, id?: string) =>
      change === 'update' ? world.update({ name: 'a' }, id) : world.remove(id);

    test(`is refused for an unknown or odd id (${change})`, async () => {
      const refused = { code: 'not_found', param: 'collection_id' };
      await assert.rejects(run(build({ found: FOUND }), `collection_0${'b'.repeat(25)}`), refused);
      await assert.rejects(run(build({ found: { ...FOUND, id: 'odd' } }), 'odd'), refused);
    });

    test(`is repeated if another one has overtaken it (${change})`, async (context) => {
      context.mock.method(Math, 'random', () => 0);
      const world = build({ lost: 2 });
      await run(world);
      assert.equal(world.seen().length, 1);
      const message = new RegExp(`change collection ${FOUND.id} at the same time`);
      await assert.rejects(run(build({ lost: 99 })), { code: 'concurrent_update', message });
    });
  }

  test('is refused beyond 500 items, and if its cover is not one of them', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `task_${index}`);
    assert.equal((await build().update({ added: many(498) })).itemIds.length, 500);
    await assert.rejects(build().update({ added: many(499) }), { param: 'add_item_ids' });
    await assert.rejects(build().update({ coverId: C }), { code: 'invalid_request', param: 'cover_id' });
  });
});
