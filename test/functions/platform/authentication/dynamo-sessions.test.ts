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
