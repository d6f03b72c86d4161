import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import {
  memberDirectory,
  memberWrites,
  requireRight,
} from '../../../../functions/identity/adapters/dynamo-members.ts';
import { type Invitation, stillAdmits, stillGrants } from '../../../../functions/identity/domain/person.ts';
import { ROLES } from '../../../../functions/identity/domain/roles.ts';
import { writeTogether } from '../../../../functions/platform/aws/contention.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aStoredMember } from '../../../support/builders/person.ts';
import { createTable } from '../../../support/create-table.ts';
import { strictLogger } from '../../../support/loggers.ts';

const { clients } = await sharedEmulators();
const TABLE = 'stored-members';
const writes = memberWrites(TABLE);
const directory = memberDirectory(clients.dynamo, TABLE, strictLogger);

/** False if a condition failed. */
const write = async (...writes: TransactWriteItem[]): Promise<boolean> =>
  (await writeTogether(clients.dynamo, writes)).length === 0;

const anInvitation = (change: Partial<Invitation> = {}): Invitation => ({
  account: 'acme',
  id: 'invite_1',
  email: 'bob@example.com',
  role: 'viewer',
  invitedBy: undefined,
  createdAt: 2000,
  expiresAt: 9000,
  tokenHash: 'hash',
  ...change,
});

before(() =>
  createTable(clients.dynamo, TABLE, ['account', 'id'], {
    indexes: { 'by-person': { keys: ['id', 'account'] }, 'by-email': { keys: ['invitedEmail'] } },
  }),
);

describe('a member', () => {
  test('is found by account and by person, without invitations', async () => {
    const times = { memberSince: 2000, adminSince: 3000, refusedAt: 4000, lastSignInAt: 5000 };
    const [here, there, other] = [
      aStoredMember({ account: 'one' }),
      aStoredMember({ account: 'two', ...times }),
      aStoredMember({ account: 'one', id: `user_${'b'.repeat(32)}` }),
    ];
    for (const member of [here, there, other]) assert.ok(await write(writes.addMember(member)));
    await write(writes.addInvitation(anInvitation({ account: 'one' })));
    assert.deepEqual(await directory.list('one'), [here, other]);
    assert.deepEqual(await directory.listByPerson(here.id), [here, there]);
    assert.deepEqual(await directory.find('two', here.id), there);
    assert.equal(await directory.find('three', here.id), undefined);
  });

  test('is added once, and changed or removed only as it was read', async () => {
    const member = aStoredMember({ account: 'changes' });
    const provided = { ...member, source: 'provider' } as const;
    assert.equal(await write(writes.addMember(member)), true);
    assert.equal(await write(writes.addMember(member)), false);
    assert.equal(await write(writes.putMember(provided, { role: 'admin', source: 'invitation' })), false);
    assert.equal(await write(writes.putMember(provided, { role: 'member', source: 'provider' })), false);
    assert.equal(await write(writes.putMember(provided, member)), true);
    assert.equal(await write(writes.removeMember(member)), false);
    assert.equal(await write(writes.removeMember(provided)), true);
    assert.equal(await write(writes.putMember(member, provided)), false);
  });
});

test('the condition of a right agrees with the rule', async () => {
  let account = 0;
  for (const role of ROLES)
    for (const since of [undefined, 1000, 1001])
      for (const refusedAt of [undefined, 1500]) {
        account += 1;
        const times = { memberSince: since, adminSince: since, refusedAt };
        const member = aStoredMember({ account: `right-${account}`, role, addedAt: 900, ...times });
        await write(writes.addMember(member));
        for (const right of ROLES)
          for (const madeAt of [899, 1000]) {
            const wanted = { account: member.account, id: member.id, right, madeAt };
            const title = JSON.stringify({ ...wanted, role, ...times });
            const agreed = [stillGrants(member, right, madeAt), stillAdmits(member, right, madeAt)];
            const [grants, admits] = [requireRight(TABLE, wanted), requireRight(TABLE, wanted, true)];
            assert.deepEqual([await write(grants), await write(admits)], agreed, title);
          }
      }
});

describe('an invitation', () => {
  test('is found by its id and by its address, however it is written', async () => {
    const invitation = anInvitation({ account: 'invites', email: 'eve@example.com', invitedBy: 'user_1' });
    const link = anInvitation({ account: 'invites', id: 'invite_2', email: '' });
    assert.ok(await write(writes.addInvitation(invitation)));
    assert.ok(await write(writes.addInvitation(link)));
    assert.equal(await write(writes.addInvitation(invitation)), false);
    const { invitedEmail, expires } = writes.addInvitation({ ...link, expiresAt: 9001 }).Put?.Item ?? {};
    assert.deepEqual([invitedEmail, expires], [undefined, { N: '10' }]);
    assert.deepEqual(await directory.listInvitationsByEmail(' EVE@example.com'), [invitation]);
    assert.deepEqual(await directory.findInvitation('invites', 'invite_2'), link);
    assert.equal(await directory.findInvitation('invites', 'invite_3'), undefined);
  });

  test('is accepted once, with its token, before it expires', async () => {
    const invitation = anInvitation({ account: 'accepts' });
    await write(writes.addInvitation(invitation));
    const accept = (given: Invitation, now: number) => write(...writes.acceptInvitation(given, now));
    assert.equal(await accept({ ...invitation, tokenHash: 'other' }, 3000), false);
    assert.equal(await accept(invitation, 9000), false);
    assert.equal(await accept(invitation, 8999), true);
    assert.equal(await accept(invitation, 8999), false);
  });

  test('is accepted only while its maker is an admin whom the provider confirms', async () => {
    const maker = aStoredMember({ account: 'makers', role: 'admin', refusedAt: 1500 });
    const invitation = anInvitation({ account: 'makers', invitedBy: maker.id });
    await write(writes.addInvitation(invitation));
    const accept = () => write(...writes.acceptInvitation(invitation, 3000));
    assert.equal(await accept(), false);
    await write(writes.addMember(maker));
    assert.equal(await accept(), false);
    await write(writes.putMember({ ...maker, refusedAt: undefined }, maker));
    assert.equal(await accept(), true);
  });
});
