import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { dynamoKeys, keyAdministration } from '../../../../functions/platform/authentication/dynamo-keys.ts';
import { type ApiKey, generateApiKey } from '../../../../functions/platform/domain/api-key.ts';
import { emulated } from '../../../lib/local/emulators/emulated.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { createAccountTable } from './account-table.ts';

const cloud = await emulated();
after(() => cloud.end());
const client = cloud.clients.dynamo;

await createAccountTable(client, 'keys', 'hash');

const NOW = 1_800_000_000_000;

describe('dynamoKeys', () => {
  const keys = keyAdministration(client, 'keys', strictLogger);
  const { findByHash } = dynamoKeys(client, 'keys', true);
  const added = async (account: string, createdAt: number, change: Partial<ApiKey> = {}): Promise<ApiKey> => {
    const key = { ...generateApiKey(account, 'CI', createdAt).stored, ...change };
    await keys.add(key);
    return key;
  };

  test('finds a key with all of its terms', async () => {
    const terms = { kind: 'admin', expiresAt: NOW + 5, monthlyBudget: '20', requestsPerSecond: 3 } as const;
    const key = await added('full', NOW, terms);
    assert.deepEqual(await findByHash(key.hash), key);
    assert.equal(await findByHash('unknown'), undefined);
  });

  test('does not overwrite a key', async () => {
    const key = await added('once', NOW);
    await assert.rejects(keys.add({ ...key, name: 'other' }), { name: 'ConditionalCheckFailedException' });
    assert.equal((await findByHash(key.hash))?.name, 'CI');
  });

  test('lists the keys of an account newest first, and all keys oldest first', async () => {
    const [first, second] = [await added('lister', NOW + 1), await added('lister', NOW + 2)];
    assert.deepEqual(await keys.listAccount('lister'), [second, first]);
    assert.deepEqual(await keys.listAccount('nobody'), []);
    const ours = (await keys.list()).filter(({ account }) => account === 'lister');
    assert.deepEqual(ours, [first, second]);
  });

  test('keeps the first time of revocation, and does not revoke an unknown key', async () => {
    const { hash } = await added('revoked', NOW);
    assert.deepEqual(
      [await keys.revoke(hash, NOW + 5), await keys.revoke(hash, NOW + 9), await keys.revoke('unknown', NOW)],
      [true, true, false],
    );
    assert.equal((await findByHash(hash))?.revokedAt, NOW + 5);
    assert.equal(await findByHash('unknown'), undefined);
  });

  test('changes the terms of a key, removes some, and leaves unknown and revoked keys alone', async () => {
    const key = await added('changed', NOW, {
      expiresAt: NOW + 5,
      monthlyBudget: '20',
      requestsPerSecond: 3,
    });
    assert.equal(
      await keys.change(key.hash, { name: 'Farm', expiresAt: NOW + 9, monthlyBudget: undefined }),
      true,
    );
    const { monthlyBudget: _, ...rest } = key;
    assert.deepEqual(await findByHash(key.hash), {
      ...rest,
      name: 'Farm',
      expiresAt: NOW + 9,
      monthlyBudget: undefined,
    });
    assert.equal(await keys.change(key.hash, { expiresAt: undefined }), true);
    assert.equal((await findByHash(key.hash))?.expiresAt, undefined);
    await keys.revoke(key.hash, NOW);
    assert.equal(await keys.change(key.hash, { name: 'Again' }), false);
    assert.equal(await keys.change('unknown', { name: 'Again' }), false);
    assert.equal(await findByHash('unknown'), undefined);
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
