import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Prices } from '../../../../functions/catalogue/domain/prices.ts';
import type { OwnedKey } from '../../../../functions/identity/domain/administration.ts';
import { type ApiKey, type Caller, generateApiKey } from '../../../../functions/identity/domain/api-key.ts';
import {
  type AuditEntry,
  type CallerAction,
  requestAction,
} from '../../../../functions/identity/domain/audit.ts';
import {
  changeKey,
  createKey,
  listKeys,
  requireServiceAccount,
  revokeKey,
} from '../../../../functions/identity/usecases/manage-keys.ts';
import { slowly } from '../../../support/slowly.ts';
import { MEMBER as MEMBER_OF_ACME } from '../authentication/account-table.ts';

const NONE: Prices = { currency: 'USD', videoSecond: {}, image: {} };
const TERMS = { name: 'a', expiresInSeconds: undefined, monthlyBudget: undefined, forAccount: false };

const ADMIN_KEY = `key_${'a'.repeat(16)}`;
const PERSON = `user_${'1'.repeat(32)}`;
const SOMEONE = `user_${'2'.repeat(32)}`;

/** Who acts in the account; an admin key has no role. */
const action = (caller: Partial<Caller> = {}): CallerAction =>
  requestAction({
    caller: { account: 'acme', keyId: ADMIN_KEY, ...caller },
    sourceIp: '192.0.2.1',
    header: () => 'curl/8',
  });
const MEMBER = action({ keyId: `sess_${'1'.repeat(32)}`, role: 'member', personId: PERSON });
const ADMIN = action({ keyId: `sess_${'2'.repeat(32)}`, role: 'admin', personId: SOMEONE });
const UNKNOWN_ADMIN = action({ keyId: `sess_${'3'.repeat(32)}`, role: 'admin' });
const UNKNOWN_MEMBER = action({ keyId: `sess_${'4'.repeat(32)}`, role: 'member' });

const created = async (change: Partial<Parameters<typeof createKey>[2]>, prices: Prices = NONE) => {
  const added: ApiKey[] = [];
  const keys = { add: slowly(async (key: ApiKey) => added.push(key) > 0) };
  const made = await createKey({ keys, prices }, { ...action(), at: 5000 }, { ...TERMS, ...change });
  assert.deepEqual(added, [made.stored]);
  return made;
};

describe('a new key', () => {
  test('cannot have a monthly budget without prices', () =>
    assert.rejects(created({ monthlyBudget: '5' }), {
      code: 'invalid_request',
      param: 'monthly_budget',
      message:
        'monthly_budget requires prices, and the service has none. The operator can set them in the prices setting.',
    }));

  for (const [what, prices] of [
    ['videos', { ...NONE, videoSecond: { 'video-3.1-generate-preview': '0.40' } }],
    ['images', { ...NONE, image: { '1K': '0.07' } }],
  ] as const)
    test(`can have a monthly budget if only ${what} have a price`, async () => {
      assert.equal((await created({ monthlyBudget: '5' }, prices)).stored.monthlyBudget, '5');
    });

  test('has a name and may have an expiry, and cannot manage the account', async () => {
    const { key, stored } = await created({ name: 'CI', expiresInSeconds: 60 });
    assert.partialDeepStrictEqual(stored, {
      kind: 'plain',
      account: 'acme',
      name: 'CI',
      createdAt: 5000,
      expiresAt: 65_000,
    });
    assert.equal(stored.lastFour, key.slice(-4));
    assert.equal((await created({})).stored.expiresAt, undefined);
  });
});

describe('the owner of a new key', () => {
  const added: [entry: AuditEntry, maker: string | undefined][] = [];
  const keys = { add: async (_: ApiKey, ...given: (typeof added)[number]) => added.push(given) > 0 };
  const create = async (by: CallerAction, forAccount = false) =>
    (await createKey({ keys, prices: NONE }, { ...by, at: 5000 }, { ...TERMS, forAccount })).stored.ownerId;

  for (const [who, by, forAccount, owner] of [
    ['a member', MEMBER, false, PERSON],
    ['an admin', ADMIN, false, SOMEONE],
    ['an admin who asks for it', ADMIN, true, undefined],
    ['a session without a person', UNKNOWN_ADMIN, false, undefined],
    ['an admin key', action(), false, undefined],
  ] as const)
    test(`is ${owner === undefined ? 'the account' : 'the person'} for ${who}`, async () => {
      assert.equal(await create(by, forAccount), owner);
      const [{ id, resourceId, ...entry }, maker] = added.at(-1) ?? assert.fail();
      assert.equal(maker, by.caller.personId);
      assert.match(resourceId, /^key_/);
      assert.deepEqual(entry, {
        account: 'acme',
        at: 5000,
        actor: by.actor,
        ip: '192.0.2.1',
        userAgent: 'curl/8',
        type: 'api_key.created',
        details: { name: 'a', owner: owner ?? 'acme' },
      });
    });

  for (const [who, by, forAccount] of [
    ['a member', MEMBER, true],
    ['a member without a person', UNKNOWN_MEMBER, false],
  ] as const)
    test(`cannot be the account for ${who}`, async () => {
      await assert.rejects(create(by, forAccount), { code: 'insufficient_permissions', param: 'owner' });
    });

  test('must still be a member', async () => {
    const gone = { add: async () => false };
    const made = createKey({ keys: gone, prices: NONE }, { ...MEMBER, at: 5000 }, TERMS);
    await assert.rejects(made, { code: 'insufficient_permissions' });
  });
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
    aKey('d', { expiresAt: NOW + 1, ownerId: PERSON }),
  ];
  const revoked: unknown[] = [];
  const keys = {
    listAccount: async (account: string) => (account === 'acme' ? stored : []),
    revoke: async ({ hash, ownerId }: OwnedKey, now: number, { type, resourceId, details }: AuditEntry) => {
      revoked.push([hash, ownerId, now, type, resourceId, details]);
      return hash !== stored[2]?.hash;
    },
  };

  const uses = {
    lastCharges: async (account: string, ids: readonly string[]) =>
      new Map(account === 'acme' ? ids.map((id) => [id, 7]) : []),
  };

  const people = { list: async () => [{ ...MEMBER_OF_ACME, id: PERSON, addedAt: 0 }] };

  for (const [access, limit, after, owner, names, hasMore] of [
    ['any', 10, undefined, undefined, 'abcd', false],
    ['any', 4, undefined, undefined, 'abcd', false],
    ['any', 3, undefined, undefined, 'abc', true],
    ['any', 2, 'key_b', undefined, 'cd', false],
    ['any', 2, 'key_d', undefined, '', false],
    ['active', 10, undefined, undefined, 'ad', false],
    ['active', 1, undefined, undefined, 'a', true],
    ['inactive', 10, 'key_a', undefined, 'bc', false],
    ['any', 9, undefined, PERSON, 'd', false],
    ['any', 9, undefined, SOMEONE, '', false],
    ['any', 9, undefined, 'acme', 'abc', false],
  ] as const)
    test(`that are ${access}, ${limit} of ${owner} after ${after}, are ${names || 'none'}`, async () => {
      const page = await listKeys({ keys, uses, people }, 'acme', { limit, after, access, owner }, NOW);
      assert.deepEqual([page.items.map(({ key }) => key.name).join(''), page.hasMore], [names, hasMore]);
      for (const { key, owner, lastCharge } of page.items)
        assert.deepEqual([owner?.id, lastCharge], [key.ownerId, 7]);
    });

  for (const [param, query] of [
    ['after', { after: 'key_x', owner: undefined }],
    ['owner_id', { after: undefined, owner: 'other' }],
  ] as const)
    test(`are not listed with an unknown ${param}`, () =>
      assert.rejects(listKeys({ keys, uses, people }, 'acme', { limit: 9, access: 'any', ...query }, NOW), {
        code: 'invalid_request',
        param,
      }));

  test('are revoked once, with the time and an audit entry', async () => {
    await revokeKey(keys, { ...action(), at: NOW }, 'key_a');
    await revokeKey(keys, { ...MEMBER, at: NOW }, 'key_d');
    await revokeKey(keys, { ...action(), at: NOW }, 'key_b');
    assert.deepEqual(revoked, [
      [stored[0]?.hash, undefined, NOW, 'api_key.deleted', 'key_a', { name: 'a', owner: 'acme' }],
      [stored[3]?.hash, PERSON, NOW, 'api_key.deleted', 'key_d', { name: 'd', owner: PERSON }],
    ]);
  });

  for (const [name, account, id] of [
    ['is unknown', 'acme', 'key_x'],
    ['belongs to another account', 'other', 'key_a'],
    ['is gone meanwhile', 'acme', 'key_c'],
  ] as const)
    test(`are not found if one ${name}`, async () => {
      const refusal = { code: 'not_found', param: 'key_id', message: `Key ${id} was not found.` };
      await assert.rejects(revokeKey(keys, { ...action({ account }), at: NOW }, id), refusal);
    });

  for (const [who, by, id, words] of [
    ['a key of the account', MEMBER, 'key_a', /belongs to the account\. Members manage their own keys only/],
    ["another person's key", action({ role: 'member', personId: SOMEONE }), 'key_d', /another person/],
    ['a key without being a person', UNKNOWN_MEMBER, 'key_a', /the account/],
  ] as const)
    test(`cannot be revoked or changed by a member: ${who}`, async () => {
      const refusal = { code: 'insufficient_permissions', param: 'key_id', message: words };
      const before = revoked.length;
      await assert.rejects(revokeKey(keys, { ...by, at: NOW }, id), refusal);
      const changing = { ...keys, change: () => assert.fail('is not changed') };
      await assert.rejects(
        changeKey({ keys: changing, prices: NONE }, { ...by, at: NOW }, id, { name: 'mine' }),
        refusal,
      );
      assert.equal(revoked.length, before);
    });
});

describe('a change of a key', () => {
  const stored = generateApiKey('acme', 'CI', 1, { expiresAt: 5000, monthlyBudget: '20' }).stored;
  const changed: unknown[] = [];
  const keys = {
    listAccount: async (account: string) => (account === 'acme' ? [stored] : []),
    change: async (hash: string, change: object, { type, resourceId, details }: AuditEntry) => {
      changed.push([hash, change, type, resourceId, details]);
      return true;
    },
  };
  const PRICES = { ...NONE, image: { '1K': '0.07' } };

  test('replaces what it names and keeps the rest, and is recorded', async () => {
    for (const [change, name, fields] of [
      [{ name: 'Farm', monthlyBudget: undefined }, 'Farm', ['name', 'budget']],
      [{ expiresAt: 6000 }, 'CI', ['expires_at']],
    ] as const) {
      const key = await changeKey({ keys, prices: PRICES }, { ...action(), at: 9 }, stored.id, change);
      assert.deepEqual(key, { ...stored, ...change });
      const entry = ['api_key.updated', stored.id, { name, owner: 'acme', fields }];
      assert.deepEqual(changed.pop(), [stored.hash, change, ...entry]);
    }
  });

  test('needs prices for a budget, and a key of the account that is not revoked', async () => {
    const change = { monthlyBudget: '5' };
    const at = (account: string, repository: typeof keys = keys, prices = PRICES) =>
      changeKey({ keys: repository, prices }, { ...action({ account }), at: 9 }, stored.id, change);
    await assert.rejects(changeKey({ keys, prices: NONE }, { ...action(), at: 9 }, stored.id, change), {
      param: 'monthly_budget',
    });
    await assert.rejects(at('other'), { code: 'not_found', param: 'key_id' });
    const gone = { ...keys, change: async () => false };
    await assert.rejects(at('acme', gone), { code: 'invalid_request', param: 'key_id' });
    const revoked = { ...keys, listAccount: async () => [{ ...stored, revokedAt: 7 }] };
    await assert.rejects(at('acme', revoked), { code: 'invalid_request', param: 'key_id' });
  });
});

test('an account has one service account, with its name', () => {
  requireServiceAccount('acme', 'acme');
  assert.throws(() => requireServiceAccount('acme', 'x'.repeat(99)), {
    code: 'not_found',
    param: 'service_account_id',
    message: `Service account ${'x'.repeat(64)} was not found.`,
  });
});
