import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  changeKey,
  createKey,
  listKeys,
  requireOwnProject,
  requireServiceAccount,
  revokeKey,
} from '../../../../functions/accounts/usecases/manage-keys.ts';
import { type ApiKey, generateApiKey } from '../../../../functions/platform/domain/api-key.ts';
import { slowly } from '../../../support/slowly.ts';

const NONE = { currency: 'USD', videoSecond: {}, image: {} };
const TERMS = { name: 'a', expiresInSeconds: undefined, monthlyBudget: undefined };

const world = (prices: Parameters<typeof createKey>[0]['prices']) => {
  const added: ApiKey[] = [];
  const keys = {
    add: async (key: ApiKey) => {
      added.push(key);
    },
  };
  return {
    added,
    create: (monthlyBudget?: string) =>
      createKey({ keys, prices }, 'acme', { ...TERMS, monthlyBudget }, Date.UTC(2026, 5, 1)),
  };
};

describe('a new key', () => {
  test('cannot have a monthly budget without prices', async () => {
    const { create, added } = world(NONE);
    await assert.rejects(create('5'), {
      code: 'invalid_request',
      param: 'monthly_budget',
      message:
        'monthly_budget requires prices, and the service has none. The operator can set them in the prices setting.',
    });
    assert.deepEqual(added, []);
    const { stored } = await create();
    assert.deepEqual(added, [stored]);
    assert.equal(stored.expiresAt, undefined);
  });

  for (const [what, prices] of [
    ['videos', { ...NONE, videoSecond: { 'video-3.1-generate-preview': '0.40' } }],
    ['images', { ...NONE, image: { '1K': '0.07' } }],
  ] as const)
    test(`can have a monthly budget if only ${what} have a price`, async () => {
      const { create, added } = world(prices);
      await create('5');
      assert.deepEqual(
        added.map(({ monthlyBudget }) => monthlyBudget),
        ['5'],
      );
    });
});

test('a new key has a name and an expiry, and cannot manage the account', async () => {
  const added: ApiKey[] = [];
  const keys = { add: slowly(async (key: ApiKey) => void added.push(key)) };
  const terms = { name: 'CI', expiresInSeconds: 60, monthlyBudget: undefined };
  const { key, stored } = await createKey({ keys, prices: NONE }, 'acme', terms, 5000);
  assert.deepEqual(added, [stored]);
  assert.deepEqual(
    [stored.kind, stored.account, stored.name, stored.createdAt, stored.expiresAt, stored.requestsPerSecond],
    ['plain', 'acme', 'CI', 5000, 65_000, undefined],
  );
  assert.equal(stored.lastFour, key.slice(-4));
});

describe('the keys of an account', () => {
  const NOW = 9000;
  const aKey = (name: string, change: Partial<ApiKey> = {}): ApiKey => ({
    ...generateApiKey('acme', name, 1).stored,
    id: `key_${name}`,
    ...change,
  });
  const stored = [
    aKey('a'),
    aKey('b', { revokedAt: 5 }),
    aKey('c', { expiresAt: NOW }),
    aKey('d', { expiresAt: NOW + 1 }),
  ];
  const revoked: unknown[] = [];
  const keys = {
    change: async () => true,
    add: async () => {},
    listAccount: async (account: string) => (account === 'acme' ? stored : []),
    revoke: async (hash: string, now: number) => {
      revoked.push([hash, now]);
      return hash !== stored[3]?.hash;
    },
  };

  for (const [access, limit, after, ids, hasMore] of [
    ['any', 10, undefined, ['a', 'b', 'c', 'd'], false],
    ['any', 4, undefined, ['a', 'b', 'c', 'd'], false],
    ['any', 3, undefined, ['a', 'b', 'c'], true],
    ['any', 2, 'key_b', ['c', 'd'], false],
    ['any', 2, 'key_d', [], false],
    ['active', 10, undefined, ['a', 'd'], false],
    ['active', 1, undefined, ['a'], true],
    ['inactive', 10, undefined, ['b', 'c'], false],
    ['inactive', 10, 'key_a', ['b', 'c'], false],
  ] as const)
    test(`that are ${access}, ${limit} after ${after}, are ${ids.join(' ') || 'none'}`, async () => {
      const page = await listKeys(keys, 'acme', { limit, after, access }, NOW);
      assert.deepEqual([page.keys.map(({ name }) => name), page.hasMore], [ids, hasMore]);
    });

  test('are not listed after an unknown key', async () => {
    const query = { limit: 10, after: 'key_x', access: 'any' } as const;
    await assert.rejects(listKeys(keys, 'acme', query, NOW), { code: 'invalid_request', param: 'after' });
  });

  test('are revoked by hash, with the time', async () => {
    await revokeKey(keys, 'acme', 'key_a', NOW);
    assert.deepEqual(revoked, [[stored[0]?.hash, NOW]]);
  });

  for (const [name, account, id] of [
    ['is unknown', 'acme', 'key_x'],
    ['belongs to another account', 'other', 'key_a'],
    ['is revoked meanwhile', 'acme', 'key_d'],
  ] as const)
    test(`are not found if one ${name}`, async () => {
      await assert.rejects(revokeKey(keys, account, id, NOW), { code: 'not_found', param: 'key_id' });
    });
});

describe('a change of a key', () => {
  const stored = generateApiKey('acme', 'CI', 1, { expiresAt: 5000, monthlyBudget: '20' }).stored;
  const changed: unknown[] = [];
  const keys = {
    add: async () => {},
    listAccount: async (account: string) => (account === 'acme' ? [stored] : []),
    revoke: async () => true,
    change: async (hash: string, change: object) => {
      changed.push([hash, change]);
      return true;
    },
  };
  const PRICES = { ...NONE, image: { '1K': '0.07' } };

  test('replaces what it names and keeps the rest', async () => {
    const change = { name: 'Farm', monthlyBudget: undefined };
    const key = await changeKey({ keys, prices: PRICES }, 'acme', stored.id, change);
    assert.deepEqual([key.name, key.monthlyBudget, key.expiresAt], ['Farm', undefined, 5000]);
    assert.deepEqual(changed, [[stored.hash, change]]);
  });

  test('needs prices for a budget, and a key of the account that is not revoked', async () => {
    const at = (account: string, repository = keys) =>
      changeKey({ keys: repository, prices: PRICES }, account, stored.id, { monthlyBudget: '5' });
    await assert.rejects(changeKey({ keys, prices: NONE }, 'acme', stored.id, { monthlyBudget: '5' }), {
      param: 'monthly_budget',
    });
    await assert.rejects(at('other'), { code: 'not_found', param: 'key_id' });
    const gone = { ...keys, change: async () => false };
    await assert.rejects(at('acme', gone), { code: 'invalid_request', param: 'key_id' });
    const revoked = { ...keys, listAccount: async () => [{ ...stored, revokedAt: 7 }] };
    await assert.rejects(at('acme', revoked), { code: 'invalid_request', param: 'key_id' });
  });
});

test('an account has one project and one service account', () => {
  requireOwnProject('acme', 'acme');
  requireServiceAccount('acme', 'acme');
  assert.throws(() => requireOwnProject('acme', 'other'), {
    code: 'not_found',
    param: 'project_id',
    message: 'Project other was not found.',
  });
  assert.throws(() => requireServiceAccount('acme', 'x'.repeat(99)), {
    code: 'not_found',
    param: 'service_account_id',
    message: `Service account ${'x'.repeat(64)} was not found.`,
  });
});
