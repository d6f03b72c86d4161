import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dynamoKeys } from '../../../../functions/identity/adapters/dynamo-keys.ts';
import { keyAdministration } from '../../../../functions/identity/adapters/key-administration.ts';
import {
  type ApiKey,
  generateApiKey,
  type KeyChange,
} from '../../../../functions/identity/domain/api-key.ts';
import type { AuditType } from '../../../../functions/identity/domain/audit.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anAuditEntry } from '../../../support/audit.ts';
import { strictLogger } from '../../../support/loggers.ts';
import {
  createPeopleTables,
  MEMBER,
  PEOPLE_TABLES,
  putMember,
  recordedTypes,
} from '../authentication/account-table.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;

await createPeopleTables(client);

const NOW = 1_800_000_000_000;
/** The terms that a key without them has when it is read. */
const UNSET = {
  expiresAt: undefined,
  monthlyBudget: undefined,
  requestsPerSecond: undefined,
  ownerId: undefined,
  revokedAt: undefined,
  role: undefined,
};

describe('dynamoKeys', () => {
  const keys = keyAdministration(client, PEOPLE_TABLES, strictLogger);
  const { findByHash } = dynamoKeys(client, 'keys', true);
  const added = async (account: string, createdAt: number, change: Partial<ApiKey> = {}): Promise<ApiKey> => {
    const key = { ...UNSET, ...generateApiKey(account, 'CI', createdAt).stored, ...change };
    assert.equal(await keys.add(key, entryFor(key, 'api_key.created')), true);
    return key;
  };
  const entryFor = ({ account, id }: ApiKey, type: AuditType) =>
    anAuditEntry({ account, at: NOW, type, resourceId: id });
  const revoke = (key: ApiKey, now: number) => keys.revoke(key, now, entryFor(key, 'api_key.deleted'));
  const change = (key: ApiKey, changes: KeyChange) =>
    keys.change(key.hash, changes, entryFor(key, 'api_key.updated'));

  test('finds a key with all of its terms', async () => {
    const terms = { kind: 'admin', expiresAt: NOW + 5, monthlyBudget: '20', requestsPerSecond: 3 } as const;
    const key = await added('full', NOW, terms);
    assert.deepEqual(await findByHash(key.hash), key);
    assert.equal(await findByHash('unknown'), undefined);
  });

  test('does not overwrite a key', async () => {
    const key = await added('once', NOW);
    const other = { ...key, name: 'other' };
    await assert.rejects(keys.add(other, entryFor(key, 'api_key.created')), /already/);
    assert.equal((await findByHash(key.hash))?.name, 'CI');
  });

  test('lists the keys of an account newest first, and all keys oldest first', async () => {
    const [first, second] = [await added('lister', NOW + 1), await added('lister', NOW + 2)];
    assert.deepEqual(await keys.listAccount('lister'), [second, first]);
    assert.deepEqual(await keys.listAccount('nobody'), []);
    const ours = (await keys.list()).filter(({ account }) => account === 'lister');
    assert.deepEqual(ours, [first, second]);
  });

  test('revokes a key once, and does not revoke an unknown key', async () => {
    const key = await added('revoked', NOW);
    const unknown = { ...key, hash: 'unknown' };
    const outcomes = [await revoke(key, NOW + 5), await revoke(key, NOW + 9), await revoke(unknown, NOW)];
    assert.deepEqual(outcomes, [true, true, false]);
    assert.equal((await findByHash(key.hash))?.revokedAt, NOW + 5);
    assert.equal(await findByHash('unknown'), undefined);
    assert.deepEqual(await recordedTypes(client, 'revoked'), ['api_key.created', 'api_key.deleted']);
  });

  test('changes the terms of a key, removes some, and leaves unknown and revoked keys alone', async () => {
    const terms = { expiresAt: NOW + 5, monthlyBudget: '20', requestsPerSecond: 3 };
    const key = await added('changed', NOW, terms);
    const changes = { name: 'Farm', expiresAt: NOW + 9, monthlyBudget: undefined };
    assert.equal(await change(key, changes), true);
    assert.deepEqual(await findByHash(key.hash), { ...key, ...changes });
    assert.equal(await change(key, { expiresAt: undefined }), true);
    assert.equal((await findByHash(key.hash))?.expiresAt, undefined);
    await revoke(key, NOW);
    assert.equal(await change(key, { name: 'Again' }), false);
    assert.equal(await change({ ...key, hash: 'unknown' }, { name: 'Again' }), false);
    assert.equal(await findByHash('unknown'), undefined);
    const types = ['api_key.created', 'api_key.deleted', 'api_key.updated', 'api_key.updated'];
    assert.deepEqual(await recordedTypes(client, 'changed'), types);
  });

  test('gives keys to members and admins only, and knows the keys of a person at once', async () => {
    for (const [role, allowed] of [
      ['admin', true],
      ['member', true],
      ['viewer', false],
      [undefined, false],
    ] as const) {
      const account = `owned-${role}`;
      if (role !== undefined) await putMember(client, { ...MEMBER, account, role });
      const key = { ...UNSET, ...generateApiKey(account, 'mine', NOW).stored, ownerId: MEMBER.id };
      assert.equal(await keys.add(key, entryFor(key, 'api_key.created')), allowed, account);
      assert.deepEqual(await keys.listOwned(account, MEMBER.id), allowed ? [key] : []);
      assert.deepEqual(await findByHash(key.hash), allowed ? key : undefined);
      assert.deepEqual(await recordedTypes(client, account), allowed ? ['api_key.created'] : []);
    }
  });

  test('takes a key from its owner when it is revoked or transferred', async () => {
    await putMember(client, { ...MEMBER, account: 'owners' });
    const [revoked, kept] = [
      await added('owners', NOW, { ownerId: MEMBER.id }),
      await added('owners', NOW, { ownerId: MEMBER.id }),
    ];
    assert.equal((await keys.listOwned('owners', MEMBER.id)).length, 2);
    assert.equal(await revoke(revoked, NOW), true);
    assert.deepEqual(await keys.listOwned('owners', MEMBER.id), [kept]);
    assert.equal(await keys.transfer(revoked, 'member', entryFor(revoked, 'api_key.updated')), false);
    assert.equal(await keys.transfer(kept, 'member', entryFor(kept, 'api_key.updated')), true);
    assert.equal(await keys.transfer(kept, 'member', entryFor(kept, 'api_key.updated')), false);
    assert.deepEqual(await keys.listOwned('owners', MEMBER.id), []);
    assert.deepEqual(await findByHash(kept.hash), { ...kept, ownerId: undefined, role: 'member' });
    assert.equal((await recordedTypes(client, 'owners')).length, 4);
  });

  for (const [consistent, reads] of [
    [true, true],
    [undefined, false],
  ] as const)
    test(`reads ${reads ? 'consistently' : 'eventually consistently'} if consistent is ${consistent}`, async (context) => {
      const sent = context.mock.method(client, 'send', async () => ({}));
      await dynamoKeys(client, 'keys', consistent).findByHash('any');
      assert.equal(Object(sent.mock.calls[0]?.arguments[0]).input.ConsistentRead, reads);
    });
});
