import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  dynamoSessions,
  sessionAdministration,
} from '../../../../functions/identity/adapters/dynamo-sessions.ts';
import { generateLink, openSession } from '../../../../functions/identity/domain/session.ts';
import { writeTogether } from '../../../../functions/platform/aws/contention.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anAuditEntry } from '../../../support/audit.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { readPlainItem } from '../../../support/plain-item.ts';
import { createAccountTable } from '../authentication/account-table.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
await createAccountTable(client, 'sessions', 'id');

const NOW = 1_800_000_000_000;
const CREATED = anAuditEntry({ type: 'link.created' });
const REDEEMED = anAuditEntry({ type: 'login.succeeded' });
const ENDED = anAuditEntry({ type: 'session.ended' });

describe('dynamoSessions', () => {
  const written: string[] = [];
  const sessions = sessionAdministration(client, 'sessions', strictLogger, {
    write: async (changes, entries) => {
      written.push(...[entries].flat().map(({ type }) => type));
      return writeTogether(client, changes);
    },
  });
  const { find } = dynamoSessions(client, 'sessions');
  const item = (id: string) => readPlainItem(client, 'sessions', { id });
  const linked = async (account: string, now = NOW) => {
    const { stored } = generateLink(account, now);
    await sessions.addLink(stored, CREATED);
    return stored;
  };

  test('stores an unused link with its expiry, and does not return it as a session', async () => {
    const link = await linked('waiting');
    assert.equal(await find(link.id), undefined);
    assert.deepEqual(await sessions.list('waiting'), []);
    const { personId: _, createdBy: __, ...stored } = link;
    assert.deepEqual(await item(link.id), { ...stored, expires: 1_800_000_900 });
  });

  test('redeems a link once, and stores the session with its expiry', async () => {
    const { id } = await linked('signer');
    const link = (await sessions.findLink(id)) ?? assert.fail();
    const nobody = { personId: undefined, createdBy: undefined };
    const terms = { account: 'signer', role: 'admin' };
    assert.deepEqual(link, { id, ...terms, ...nobody, createdAt: NOW, linkUntil: NOW + 900_000 });
    const { session } = openSession(id, NOW + 899_999);
    assert.equal(await sessions.redeem(link, session, REDEEMED), true);
    assert.deepEqual(await item(id), { ...session, ...terms, expires: 1_800_044_100 });
    assert.equal(await sessions.redeem(link, openSession(id, NOW + 899_999).session, REDEEMED), false);
    const unsealed = { checkUntil: undefined, sealedRefreshToken: undefined, sealedSignOutUrl: undefined };
    assert.deepEqual(await find(id), { ...session, ...terms, ...nobody, ...unsealed });
    assert.equal((await sessions.findLink(id))?.linkUntil, undefined);
  });

  test('does not redeem an unknown link or one that is 15 minutes old', async () => {
    const { id } = await linked('late');
    const link = (await sessions.findLink(id)) ?? assert.fail();
    assert.equal(await sessions.redeem(link, openSession(id, NOW + 900_000).session, REDEEMED), false);
    const unknown = openSession(generateLink('late', NOW).stored.id, NOW).session;
    assert.equal(await sessions.findLink(unknown.id), undefined);
    assert.equal(await sessions.redeem({ ...link, id: unknown.id }, unknown, REDEEMED), false);
    assert.deepEqual(await item(unknown.id), {});
  });

  test('writes an entry together with its change, or neither', async () => {
    const before = written.length;
    const { id } = await linked('audited');
    const link = (await sessions.findLink(id)) ?? assert.fail();
    await linked('audited');
    await sessions.redeem(link, openSession(id, NOW).session, REDEEMED);
    await sessions.endAll('audited', () => ENDED);
    const types = ['link.created', 'link.created', 'login.succeeded', 'session.ended'];
    assert.deepEqual(written.slice(before), types);
  });

  test('does not add a second link with the same token', async () => {
    const link = await linked('doubled');
    const added = sessions.addLink({ ...link, linkUntil: NOW * 2 }, CREATED);
    await assert.rejects(added, /link with the same token/);
  });

  test('lists the sessions of an account newest first, and ends only its own', async () => {
    const open = async (now: number) => {
      const link = await linked('owner', now);
      const { session } = openSession(link.id, now);
      await sessions.redeem(link, session, REDEEMED);
      return (await find(link.id)) ?? assert.fail();
    };
    const [first, second] = [await open(NOW), await open(NOW + 1)];
    const unused = await linked('owner');
    assert.deepEqual(await sessions.list('owner'), [second, first]);
    assert.equal(await sessions.end('other', first.id, ENDED), false);
    assert.equal(await sessions.end('owner', first.id, ENDED), true);
    assert.equal(await sessions.end('owner', first.id, ENDED), false);
    assert.deepEqual(await sessions.list('owner'), [second]);
    await sessions.endAll('owner', () => ENDED);
    assert.deepEqual([await find(second.id), await item(unused.id)], [undefined, {}]);
  });
});
