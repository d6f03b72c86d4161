import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CreateTableCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoKeys, keyAdministration } from '../../../../functions/platform/authentication/dynamo-keys.ts';
import {
  dynamoSessions,
  sessionAdministration,
} from '../../../../functions/platform/authentication/dynamo-sessions.ts';
import { encode } from '../../../../functions/platform/aws/dynamo.ts';
import { type ApiKey, generateApiKey } from '../../../../functions/platform/domain/api-key.ts';
import { generateLink, openSession } from '../../../../functions/platform/domain/session.ts';
import { emulated } from '../../../lib/local/emulators/emulated.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { plainItem } from '../../../support/plain-item.ts';

const cloud = await emulated();
after(() => cloud.end());
const client = cloud.clients.dynamo;

/** As the stack makes the tables of keys and of sessions. */
const createTable = (TableName: string, key: string) =>
  client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: key, AttributeType: 'S' },
        { AttributeName: 'account', AttributeType: 'S' },
        { AttributeName: 'createdAt', AttributeType: 'N' },
      ],
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-account',
          KeySchema: [
            { AttributeName: 'account', KeyType: 'HASH' },
            { AttributeName: 'createdAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
await createTable('keys', 'hash');
await createTable('sessions', 'id');

const NOW = 1_800_000_000_000;

describe('a key', () => {
  const keys = keyAdministration(client, 'keys', strictLogger);
  const { findByHash } = dynamoKeys(client, 'keys', true);
  const added = async (account: string, createdAt: number, change: Partial<ApiKey> = {}): Promise<ApiKey> => {
    const key = { ...generateApiKey(account, 'CI', createdAt).stored, ...change };
    await keys.add(key);
    return key;
  };

  test('is found as it was added, with all of its terms', async () => {
    const terms = { kind: 'admin', expiresAt: NOW + 5, monthlyBudget: '20', requestsPerSecond: 3 } as const;
    const key = await added('full', NOW, terms);
    assert.deepEqual(await findByHash(key.hash), key);
    assert.equal(await findByHash('unknown'), undefined);
  });

  test('of an earlier version, which has no kind, is a plain one', async () => {
    const { kind, ...old } = generateApiKey('old', 'CI', NOW).stored;
    await client.send(new PutItemCommand({ TableName: 'keys', Item: encode(old) }));
    assert.equal((await findByHash(old.hash))?.kind, kind);
  });

  test('is added once', async () => {
    const key = await added('once', NOW);
    await assert.rejects(keys.add({ ...key, name: 'other' }), { name: 'ConditionalCheckFailedException' });
    assert.equal((await findByHash(key.hash))?.name, 'CI');
  });

  test('is listed for its account, the newest first, and for the operator, the oldest first', async () => {
    const [first, second] = [await added('lister', NOW + 1), await added('lister', NOW + 2)];
    assert.deepEqual(await keys.listAccount('lister'), [second, first]);
    assert.deepEqual(await keys.listAccount('nobody'), []);
    const ours = (await keys.list()).filter(({ account }) => account === 'lister');
    assert.deepEqual(ours, [first, second]);
  });

  test('is revoked at the first time, and only where it is known', async () => {
    const { hash } = await added('revoked', NOW);
    assert.deepEqual(
      [await keys.revoke(hash, NOW + 5), await keys.revoke(hash, NOW + 9), await keys.revoke('unknown', NOW)],
      [true, true, false],
    );
    assert.equal((await findByHash(hash))?.revokedAt, NOW + 5);
    assert.equal(await findByHash('unknown'), undefined);
  });

  for (const [consistent, reads] of [
    [true, true],
    [undefined, false],
  ] as const)
    test(`is read ${reads ? 'as it is now' : 'as it was a moment ago'} where that is ${consistent}`, async (context) => {
      const sent = context.mock.method(client, 'send', async () => ({}));
      await dynamoKeys(client, 'keys', consistent).findByHash('any');
      assert.equal(Object(sent.mock.calls[0]?.arguments[0]).input.ConsistentRead, reads);
    });
});

describe('a session', () => {
  const sessions = sessionAdministration(client, 'sessions', strictLogger);
  const { find } = dynamoSessions(client, 'sessions');
  const item = async (id: string) => {
    const key = { TableName: 'sessions', Key: { id: { S: id } }, ConsistentRead: true };
    return plainItem((await client.send(new GetItemCommand(key))).Item ?? {});
  };
  const linked = async (account: string, now = NOW) => {
    const { stored } = generateLink(account, now);
    await sessions.addLink(stored);
    return stored;
  };

  test('is no session while its link is unused, and DynamoDB removes the link when it is over', async () => {
    const link = await linked('waiting');
    assert.equal(await find(link.id), undefined);
    assert.deepEqual(await sessions.list('waiting'), []);
    assert.deepEqual(await item(link.id), { ...link, expires: 1_800_000_900 });
  });

  test('comes of a link once, and DynamoDB removes it after its end', async () => {
    const { id } = await linked('signer');
    const { session } = openSession(id, NOW + 899_999);
    assert.deepEqual(await sessions.redeem(session), { ...session, account: 'signer' });
    assert.deepEqual(await item(id), { ...session, account: 'signer', expires: 1_800_044_100 });
    assert.equal(await sessions.redeem(openSession(id, NOW + 899_999).session), undefined);
    // A repeated write of the winner finds its own session.
    assert.deepEqual(await sessions.redeem(session), { ...session, account: 'signer' });
    assert.deepEqual(await find(id), { ...session, account: 'signer' });
  });

  test('does not come of a link that is unknown or 15 minutes old', async () => {
    const { id } = await linked('late');
    assert.equal(await sessions.redeem(openSession(id, NOW + 900_000).session), undefined);
    const unknown = openSession(generateLink('late', NOW).stored.id, NOW).session;
    assert.equal(await sessions.redeem(unknown), undefined);
    assert.deepEqual(await item(unknown.id), {});
  });

  test('cannot be created by a second link with the same token', async () => {
    const link = await linked('doubled');
    await assert.rejects(sessions.addLink({ ...link, linkUntil: NOW * 2 }), {
      name: 'ConditionalCheckFailedException',
    });
  });

  test('is listed for its account, the newest first, and ended by it alone', async () => {
    const open = async (now: number) => {
      const { session } = openSession((await linked('owner', now)).id, now);
      return (await sessions.redeem(session)) ?? assert.fail();
    };
    const [first, second] = [await open(NOW), await open(NOW + 1)];
    const unused = await linked('owner');
    assert.deepEqual(await sessions.list('owner'), [second, first]);
    assert.equal(await sessions.end('other', first.id), false);
    assert.deepEqual(
      [await sessions.end('owner', first.id), await sessions.end('owner', first.id)],
      [true, false],
    );
    assert.deepEqual(await sessions.list('owner'), [second]);
    await sessions.endAll('owner');
    assert.deepEqual([await find(second.id), await item(unused.id)], [undefined, {}]);
  });

  test('is read as it is now, so that one that was ended is not used', async (context) => {
    const sent = context.mock.method(client, 'send', async () => ({}));
    await find('any');
    assert.equal(Object(sent.mock.calls[0]?.arguments[0]).input.ConsistentRead, true);
  });
});
