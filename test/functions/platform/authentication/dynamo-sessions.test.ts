import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  dynamoSessions,
  sessionAdministration,
} from '../../../../functions/platform/authentication/dynamo-sessions.ts';
import { generateLink, openSession } from '../../../../functions/platform/domain/session.ts';
import { emulated } from '../../../lib/local/emulators/emulated.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { plainItem } from '../../../support/plain-item.ts';
import { createAccountTable } from './account-table.ts';

const cloud = await emulated();
after(() => cloud.end());
const client = cloud.clients.dynamo;
await createAccountTable(client, 'sessions', 'id');

const NOW = 1_800_000_000_000;

describe('dynamoSessions', () => {
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

  test('stores an unused link with its expiry, and does not return it as a session', async () => {
    const link = await linked('waiting');
    assert.equal(await find(link.id), undefined);
    assert.deepEqual(await sessions.list('waiting'), []);
    const { personId: _, ...stored } = link;
    assert.deepEqual(await item(link.id), { ...stored, expires: 1_800_000_900 });
  });

  test('redeems a link once, and stores the session with its expiry', async () => {
    const { id } = await linked('signer');
    const { session } = openSession(id, NOW + 899_999);
    const signedIn = { ...session, account: 'signer', role: 'admin', personId: undefined };
    assert.deepEqual(await sessions.redeem(session), signedIn);
    assert.deepEqual(await item(id), {
      ...session,
      account: 'signer',
      role: 'admin',
      expires: 1_800_044_100,
    });
    assert.equal(await sessions.redeem(openSession(id, NOW + 899_999).session), undefined);
    // A retry of the successful write returns the same session.
    assert.deepEqual(await sessions.redeem(session), signedIn);
    assert.deepEqual(await find(id), signedIn);
  });

  test('does not redeem an unknown link or one that is 15 minutes old', async () => {
    const { id } = await linked('late');
    assert.equal(await sessions.redeem(openSession(id, NOW + 900_000).session), undefined);
    const unknown = openSession(generateLink('late', NOW).stored.id, NOW).session;
    assert.equal(await sessions.redeem(unknown), undefined);
    assert.deepEqual(await item(unknown.id), {});
  });

  test('does not add a second link with the same token', async () => {
    const link = await linked('doubled');
    await assert.rejects(sessions.addLink({ ...link, linkUntil: NOW * 2 }), {
      name: 'ConditionalCheckFailedException',
    });
  });

  test('lists the sessions of an account newest first, and ends only its own', async () => {
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

  test('reads consistently, so that an ended session is not used', async (context) => {
    const sent = context.mock.method(client, 'send', async () => ({}));
    await find('any');
    assert.equal(Object(sent.mock.calls[0]?.arguments[0]).input.ConsistentRead, true);
  });
});
