import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createdKey,
  deletedKey,
  keyChangeSchema,
  keyObject,
  newKeySchema,
  newKeyTerms,
  newServiceAccountKeySchema,
  readKeyChange,
  readKeyQuery,
  serviceAccountKey,
} from '../../../../functions/identity/api/key-object.ts';
import { type ApiKey, generateApiKey } from '../../../../functions/identity/domain/api-key.ts';
import { parseBody } from '../../../../functions/platform/body/parse.ts';
import { aMember } from '../../../support/builders/person.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

const KEY: ApiKey = {
  ...generateApiKey('acme', 'Render farm', 5_500).stored,
  id: 'key_0123456789abcdef',
  lastFour: 'wxyz',
};
const OWNER = aMember({ role: 'admin', addedAt: 2_000 });
const SHOWN = {
  id: KEY.id,
  object: 'organization.project.api_key',
  name: 'Render farm',
  redacted_value: 'mgk_…wxyz',
  created_at: 5,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  budget: null,
  owner: {
    type: 'service_account',
    service_account: { id: 'acme', name: 'acme', created_at: 5, role: 'member' },
  },
  owner_project_access: 'active',
};

describe('a key', () => {
  test('of the account is shown with its terms', () => {
    assert.deepEqual(keyObject({ key: KEY }, 6_000), SHOWN);
    const terms = { kind: 'admin', expiresAt: 9_999, monthlyBudget: '20', revokedAt: 7_000 } as const;
    assert.deepEqual(keyObject({ key: { ...KEY, ...terms }, lastCharge: 6_999 }, 8_000), {
      ...SHOWN,
      redacted_value: 'mga_…wxyz',
      expires_at: 9,
      last_used_at: 6,
      revoked_at: 7,
      budget: '20',
      owner_project_access: 'inactive',
    });
  });

  test('of a person is shown with the person, and is inactive once the person has left', () => {
    const own = { ...KEY, ownerId: OWNER.id };
    const user = { id: OWNER.id, name: 'Ada', email: 'ada@example.com', created_at: 2, role: 'admin' };
    assert.deepEqual(keyObject({ key: own, owner: OWNER }, 6_000), {
      ...SHOWN,
      owner: { type: 'user', user },
    });
    assert.deepEqual(keyObject({ key: own }, 6_000), {
      ...SHOWN,
      owner: { type: 'user', user: { id: OWNER.id, name: '', email: '', created_at: 0, role: 'removed' } },
      owner_project_access: 'inactive',
    });
  });

  test('is shown with its value when it is created', () => {
    const own = { ...KEY, ownerId: OWNER.id };
    assert.deepEqual(createdKey(KEY, 'mgk_1'), { ...SHOWN, value: 'mgk_1' });
    assert.equal(createdKey(own, 'mgk_1', OWNER).owner_project_access, 'active');
    assert.deepEqual(serviceAccountKey({ ...KEY, expiresAt: 9_000 }, 'mgk_1'), {
      id: KEY.id,
      object: 'organization.project.service_account.api_key',
      name: 'Render farm',
      created_at: 5,
      expires_at: 9,
      value: 'mgk_1',
    });
    const deleted = { id: 'key_1', object: 'organization.project.api_key.deleted', deleted: true };
    assert.deepEqual(deletedKey('key_1'), deleted);
  });
});

describe('the terms of a new key', () => {
  const terms = (body: object) => newKeyTerms(parseBody(newKeySchema, { name: 'a', ...body }));
  const PLAIN = { name: 'a', forAccount: false, expiresInSeconds: undefined, monthlyBudget: undefined };

  test('may be absent or null', () => {
    assert.deepEqual(terms({}), PLAIN);
    assert.deepEqual(terms({ expires_in_seconds: null, monthly_budget: null }), PLAIN);
    assert.deepEqual(newKeyTerms(parseBody(newServiceAccountKeySchema, {})), { ...PLAIN, name: '' });
  });

  test('are an expiry, a budget and an owner', () => {
    assert.deepEqual(terms({ expires_in_seconds: 60, monthly_budget: 19.95, owner: 'account' }), {
      name: 'a',
      forAccount: true,
      expiresInSeconds: 60,
      monthlyBudget: '19.95',
    });
    assert.equal(terms({ monthly_budget: '020' }).monthlyBudget, '20');
  });

  for (const [field, value] of [
    ['monthly_budget', '-1'],
    ['monthly_budget', true],
    ['monthly_budget', ['20']],
    ['monthly_budget', 'much'],
    ['expires_in_seconds', 0],
    ['expires_in_seconds', 10 * 366 * 24 * 60 * 60 + 1],
    ['owner', 'me'],
    ['scopes', []],
    ['name', ''],
  ] as const)
    test(`are refused with ${field} ${JSON.stringify(value)}`, () =>
      refusesField(() => terms({ [field]: value }), field, /must (be|have) |not supported/));
});

test('a change of a key has only the terms that are given', () => {
  const change = (body: Record<string, unknown>) => readKeyChange(parseBody(keyChangeSchema, body), 1_000);
  assert.deepEqual(change({ name: 'b' }), { name: 'b' });
  assert.deepEqual(change({ expires_in_seconds: 60 }), { expiresAt: 61_000 });
  assert.deepEqual(change({ expires_in_seconds: null }), { expiresAt: undefined });
  assert.deepEqual(change({ monthly_budget: '5' }), { monthlyBudget: '5' });
  assert.deepEqual(change({ monthly_budget: null }), { monthlyBudget: undefined });
  refusesField(() => change({}), 'name', /^Send at least one of name/);
});

test('keys are listed by access and owner', () => {
  const read = (text: string) => readKeyQuery(toQuery(text).query);
  assert.deepEqual(read(''), { limit: 20, after: undefined, access: 'any', owner: undefined });
  assert.deepEqual(read('limit=5&after=key_1&owner_project_access=inactive&owner_id=user_1'), {
    limit: 5,
    after: 'key_1',
    access: 'inactive',
    owner: 'user_1',
  });
  assert.equal(read('owner_project_access=active').access, 'active');
  refusesField(() => read('owner_project_access=all'), 'owner_project_access', /active, inactive, any/);
});
