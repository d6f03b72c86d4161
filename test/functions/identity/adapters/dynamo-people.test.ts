import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dynamoInvitations, dynamoPeople } from '../../../../functions/identity/adapters/dynamo-people.ts';
import { keyAdministration } from '../../../../functions/identity/adapters/key-administration.ts';
import { generateApiKey } from '../../../../functions/identity/domain/api-key.ts';
import type { AuditType } from '../../../../functions/identity/domain/audit.ts';
import { generateInvitation, type Member, withRole } from '../../../../functions/identity/domain/person.ts';
import type { Role } from '../../../../functions/identity/domain/roles.ts';
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
const people = dynamoPeople(client, PEOPLE_TABLES, strictLogger);
const invitations = dynamoInvitations(client, PEOPLE_TABLES, strictLogger);
const keys = keyAdministration(client, PEOPLE_TABLES, strictLogger);
const entry = (account: string, type: AuditType) => anAuditEntry({ account, at: NOW, type, resourceId: 'x' });
const ADMIN = `user_${'a'.repeat(32)}`;
const BOTH_NONE = { acting: undefined, remaining: undefined };
const BY_ADMIN = { acting: ADMIN, remaining: undefined };

/** A member and an admin of a new account. */
const newAccount = async (account: string): Promise<Member> => {
  await putMember(client, { ...MEMBER, account, id: ADMIN, role: 'admin' });
  return putMember(client, { ...MEMBER, account });
};
const addKey = async ({ account, id }: Member) => {
  const key = { ...generateApiKey(account, 'mine', NOW).stored, ownerId: id };
  assert.equal(await keys.add(key, entry(account, 'api_key.created')), true);
  return key;
};

describe('dynamoPeople', () => {
  test('gives a key to the account only for a person who is an admin then', async () => {
    const member = await newAccount('transfers');
    const key = await addKey(member);
    const transfer = (acting: string) =>
      keys.transfer(key, 'member', entry('transfers', 'api_key.updated'), acting);
    assert.equal(await transfer(MEMBER.id), false);
    assert.deepEqual(
      (await keys.listOwned('transfers', MEMBER.id)).map(({ id }) => id),
      [key.id],
    );
    assert.equal(await transfer(ADMIN), true);
    assert.deepEqual(await keys.listOwned('transfers', MEMBER.id), []);
  });

  test('lists and finds members, and no invitations or keys', async () => {
    const member = await newAccount('lists');
    await addKey(member);
    const { stored } = generateInvitation(
      { account: 'lists', email: '', role: 'viewer', invitedBy: undefined },
      NOW,
    );
    assert.equal(await invitations.add(stored, [], [entry('lists', 'invite.sent')]), true);
    const ids = (await people.list('lists')).map(({ id }) => id).toSorted();
    assert.deepEqual(ids, [MEMBER.id, ADMIN].toSorted());
    assert.deepEqual(await people.find('lists', MEMBER.id), member);
    assert.equal(await people.find('nobody', MEMBER.id), undefined);
    assert.deepEqual(await invitations.list('lists'), [stored]);
  });

  for (const [title, acting, outcome] of [
    ['by an operator', undefined, 'done'],
    ['by an admin', ADMIN, 'done'],
    ['not by another person', `user_${'b'.repeat(32)}`, 'refused'],
  ] as const)
    for (const [kind, type] of [
      ['role', 'user.updated'],
      ['removal', 'user.deleted'],
    ] as const)
      test(`makes a ${kind === 'role' ? 'member an admin' : 'removal'} ${title}, with an entry`, async () => {
        const account = `${kind} ${title}`;
        const member = await newAccount(account);
        const by = { acting, remaining: undefined };
        const change = () =>
          kind === 'removal'
            ? people.remove(member, by, entry(account, type))
            : people.changeRole(member, withRole(member, 'admin', NOW), by, entry(account, type));
        assert.equal(await change(), outcome);
        const after = kind === 'removal' ? undefined : 'admin';
        assert.equal((await people.find(account, member.id))?.role, outcome === 'done' ? after : 'member');
        // The role is not that of the member any more.
        if (outcome === 'done') assert.equal(await change(), 'changed');
        assert.deepEqual(await recordedTypes(client, account), outcome === 'done' ? [type] : []);
      });

  test('keeps the start of each right, and an admin while others are changed', async () => {
    const member = await newAccount('rights');
    const by = { acting: undefined, remaining: ADMIN };
    const change = (from: Member, to: Member) =>
      people.changeRole(from, to, by, entry('rights', 'user.updated'));
    const admin = withRole(member, 'admin', NOW + 1);
    assert.equal(await change(member, admin), 'done');
    const stored = { ...member, role: 'admin', adminSince: NOW + 1 };
    assert.deepEqual(await people.find('rights', member.id), stored);
    assert.equal(await change(admin, withRole(admin, 'member', NOW + 2)), 'done');
    assert.deepEqual(await people.find('rights', member.id), member);
    await people.remove({ ...member, id: ADMIN, role: 'admin' }, BOTH_NONE, entry('rights', 'user.deleted'));
    assert.equal(await change(member, admin), 'changed', 'the admin who remains is gone');
    assert.equal(await people.remove(member, by, entry('rights', 'user.deleted')), 'changed');
  });

  test('lists no invitation whose inviter may not invite any more', async () => {
    const member = await newAccount('withdrawn');
    const { stored } = generateInvitation(
      { account: 'withdrawn', email: '', role: 'admin', invitedBy: ADMIN },
      NOW,
    );
    assert.equal(await invitations.add(stored, [], [entry('withdrawn', 'invite.sent')]), true);
    const admin: Member = { ...member, id: ADMIN, role: 'admin' };
    const later = withRole(withRole(admin, 'member', NOW + 1), 'admin', NOW + 2);
    for (const [inviter, listed] of [
      [admin, [stored]],
      [{ ...admin, role: 'member' }, []],
      [later, []],
      [{ ...admin, addedAt: NOW + 1 }, []],
    ] as const) {
      await putMember(client, inviter);
      assert.deepEqual(await invitations.list('withdrawn'), listed);
    }
  });

  test('does not remove a member with a key, or make one a viewer', async () => {
    const member = await newAccount('keys');
    const key = await addKey(member);
    const remove = () => people.remove(member, BY_ADMIN, entry('keys', 'user.deleted'));
    const change = (from: Member, role: Role) =>
      people.changeRole(from, withRole(from, role, NOW), BY_ADMIN, entry('keys', 'user.updated'));
    const demote = () => change(member, 'viewer');
    assert.deepEqual([await remove(), await demote()], ['changed', 'changed']);
    assert.equal(await change(member, 'admin'), 'done', 'an admin keeps keys');
    await keys.revoke(key, NOW, entry('keys', 'api_key.deleted'));
    const admin: Member = { ...member, role: 'admin' };
    assert.equal(await change(admin, 'viewer'), 'done');
    const viewer: Member = { ...member, role: 'viewer' };
    assert.equal(await people.remove(viewer, BY_ADMIN, entry('keys', 'user.deleted')), 'done');
    assert.equal(await keys.add({ ...key, hash: 'new' }, entry('keys', 'api_key.created')), false);
  });
});

describe('dynamoInvitations', () => {
  const generate = (account: string, invitedBy?: string) =>
    generateInvitation({ account, email: 'ada@example.com', role: 'member', invitedBy }, NOW).stored;

  test('replaces earlier invitations together with their entries', async () => {
    await newAccount('again');
    const [first, second] = [generate('again', ADMIN), generate('again')];
    assert.equal(await invitations.add(first, [], [entry('again', 'invite.sent')]), true);
    const entries = [entry('again', 'invite.sent'), entry('again', 'invite.deleted')];
    assert.equal(await invitations.add(second, [first], entries), true);
    assert.deepEqual(await invitations.list('again'), [second]);
    assert.deepEqual(await recordedTypes(client, 'again'), ['invite.deleted', 'invite.sent', 'invite.sent']);
    await assert.rejects(invitations.add(second, [], [entry('again', 'invite.sent')]), /already/);
  });

  test('refuses an inviter who is not an admin', async () => {
    const { id } = await newAccount('refuses');
    for (const inviter of [id, `user_${'b'.repeat(32)}`])
      assert.equal(
        await invitations.add(generate('refuses', inviter), [], [entry('refuses', 'invite.sent')]),
        false,
      );
    assert.deepEqual([await invitations.list('refuses'), await recordedTypes(client, 'refuses')], [[], []]);
  });

  test('removes an invitation once', async () => {
    const invitation = generate('used');
    await invitations.add(invitation, [], [entry('used', 'invite.sent')]);
    const remove = () => invitations.remove(invitation, entry('used', 'invite.deleted'));
    assert.deepEqual([await remove(), await remove()], [true, false]);
    assert.deepEqual(await recordedTypes(client, 'used'), ['invite.deleted', 'invite.sent']);
  });
});
