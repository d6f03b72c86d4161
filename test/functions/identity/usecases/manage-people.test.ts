import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApiKey, type Caller, generateApiKey } from '../../../../functions/identity/domain/api-key.ts';
import {
  type AuditEntry,
  type CallerAction,
  requestAction,
} from '../../../../functions/identity/domain/audit.ts';
import type { InvitationRepository, PeopleRepository } from '../../../../functions/identity/domain/people.ts';
import type { Invitation, Member } from '../../../../functions/identity/domain/person.ts';
import type { Role } from '../../../../functions/identity/domain/roles.ts';
import {
  deleteInvitation,
  findInvitation,
  invite,
  listInvitations,
} from '../../../../functions/identity/usecases/manage-invitations.ts';
import {
  changeRole,
  findPerson,
  listPeople,
  removePerson,
} from '../../../../functions/identity/usecases/manage-people.ts';
import { aMember } from '../../../support/builders/person.ts';

const NOW = 1_800_000_000_000;
const DAY = 24 * 60 * 60 * 1000;
const personId = (digit: string): string => `user_${digit.repeat(32)}`;

const member = (digit: string, role: Role, change: Partial<Member> = {}): Member =>
  aMember({
    subject: digit,
    id: personId(digit),
    email: `${digit}@example.com`,
    name: digit,
    role,
    addedAt: NOW,
    ...change,
  });

const action = (caller: Partial<Caller> = {}): CallerAction =>
  requestAction({
    caller: { account: 'acme', keyId: `key_${'a'.repeat(16)}`, ...caller },
    sourceIp: '192.0.2.1',
    header: () => 'curl',
  });
const ADMIN = action({ keyId: `sess_${'1'.repeat(32)}`, role: 'admin', personId: personId('1') });

/** An account in memory: an admin, a member with two keys (one expired), and the admin's invitation. */
const world = (change: Partial<Member> = {}) => {
  const members = new Map(
    [member('1', 'admin'), member('2', 'member', change)].map((each) => [each.id, each]),
  );
  const keys = new Map<string, ApiKey>();
  const invitations = new Map<string, Invitation>();
  const done: string[] = [];
  const entries: AuditEntry[] = [];
  const record = (what: string, entry: AuditEntry): void => {
    done.push(what);
    entries.push(entry);
  };
  const addKey = (name: string, terms: Partial<ApiKey> = {}): ApiKey => {
    const key = { ...generateApiKey('acme', name, NOW).stored, ownerId: personId('2'), ...terms };
    keys.set(key.hash, key);
    return key;
  };
  const owned = (id: string) =>
    Array.from(keys.values()).filter(({ ownerId, revokedAt }) => ownerId === id && revokedAt === undefined);
  const write = ({ id, name, role }: Member, after: Member | undefined, by: string, entry: AuditEntry) => {
    if (members.get(id)?.role !== role) return 'changed';
    if ((after === undefined || after.role === 'viewer') && owned(id).length > 0) return 'changed';
    if (after === undefined) members.delete(id);
    else members.set(id, after);
    record(`${name} is ${after?.role ?? 'gone'}, says ${by}`, entry);
    return 'done';
  };
  const people: PeopleRepository = {
    find: async (account, id) => (account === 'acme' ? members.get(id) : undefined),
    list: async () => Array.from(members.values()),
    changeRole: async (from, to, { acting }, entry) => write(from, to, `${acting}`, entry),
    remove: async (from, { acting }, entry) => write(from, undefined, `${acting}`, entry),
  };
  const repository: InvitationRepository = {
    list: async () => Array.from(invitations.values()),
    add: async (invitation, replaced, added) => {
      for (const { id } of replaced) invitations.delete(id);
      invitations.set(invitation.id, invitation);
      entries.push(...added);
      return true;
    },
    remove: async ({ id }, entry) => {
      record(`${id.slice(0, 6)} is withdrawn`, entry);
      return invitations.delete(id);
    },
  };
  const changeKey = (hash: string, change: Partial<ApiKey>, what: string, entry: AuditEntry) => {
    const key = keys.get(hash) ?? assert.fail();
    keys.set(hash, { ...key, ...change });
    record(`${key.name} is ${what}`, entry);
    return true;
  };
  const ports = {
    people,
    invitations: repository,
    keys: {
      listOwned: async (_: string, id: string) => owned(id),
      revoke: async ({ hash }: { hash: string }, revokedAt: number, entry: AuditEntry) =>
        changeKey(hash, { revokedAt }, 'revoked', entry),
      transfer: async ({ hash }: { hash: string }, role: Role, entry: AuditEntry) =>
        changeKey(hash, { ownerId: undefined, role }, 'transferred', entry),
    },
  };
  const summaries = () => entries.map(({ type, details }) => [type, details]);
  return { ports, members, invitations, keys, addKey, done, entries, summaries };
};

const BOB = personId('2');
const says = `says ${personId('1')}`;

describe('changeRole', () => {
  const change = (
    at: ReturnType<typeof world>,
    role: Role,
    keyChoice?: 'revoke' | 'transfer',
    by = ADMIN,
    id = BOB,
  ) => changeRole(at.ports, { ...by, at: NOW }, id, { role, keyChoice });

  test('changes the role with an entry that names both, and keeps the keys of members and admins', async () => {
    const at = world();
    at.addKey('CI');
    assert.equal((await change(at, 'admin')).role, 'admin');
    assert.deepEqual(at.done, [`2 is admin, ${says}`]);
    const [entry] = at.entries;
    const { id: _, ...facts } = entry ?? assert.fail();
    const { caller: __, ...origin } = ADMIN;
    const details = { email: '2@example.com', from: 'member', to: 'admin' };
    assert.deepEqual(facts, { ...origin, at: NOW, type: 'user.updated', resourceId: BOB, details });
  });

  test('does nothing if the person has the role already, even for oneself', async () => {
    const at = world();
    assert.equal((await change(at, 'member')).id, BOB);
    assert.equal((await change(at, 'admin', undefined, ADMIN, personId('1'))).role, 'admin');
    assert.deepEqual(at.done, []);
  });

  for (const [choice, did, type, owner] of [
    ['revoke', 'revoked', 'api_key.deleted', BOB],
    ['transfer', 'transferred', 'api_key.updated', 'acme'],
  ] as const)
    test(`to viewer can ${choice} the keys, before the role changes`, async () => {
      const at = world();
      at.addKey('CI');
      await change(at, 'viewer', choice);
      assert.deepEqual(at.done, [`CI is ${did}`, `2 is viewer, ${says}`]);
      assert.deepEqual(at.summaries()[0], [type, { name: 'CI', owner }]);
    });

  test('to viewer asks about active keys, and revokes keys that have expired', async () => {
    const at = world();
    at.addKey('old', { expiresAt: NOW });
    const active = [at.addKey('CI'), at.addKey('farm')];
    await assert.rejects(change(at, 'viewer'), {
      code: 'invalid_request',
      param: 'keys',
      message:
        'keys is required, because 2@example.com has 2 active API keys: revoke, or transfer to give them to the account.',
    });
    assert.deepEqual(at.done, []);
    for (const { hash } of active)
      await at.ports.keys.transfer({ hash }, 'member', at.entries[0] ?? Object());
    at.done.length = 0;
    await change(at, 'viewer');
    assert.deepEqual(at.done, ['old is revoked', `2 is viewer, ${says}`]);
  });

  test('to viewer revokes a key of an earlier membership, and transfers no more than the role', async () => {
    const at = world();
    const earlier = at.addKey('earlier', { createdAt: NOW - 1 });
    const key = at.addKey('CI');
    await change(at, 'viewer', 'transfer');
    assert.deepEqual(at.done, ['earlier is revoked', 'CI is transferred', `2 is viewer, ${says}`]);
    assert.deepEqual(
      [at.keys.get(earlier.hash)?.ownerId, at.keys.get(key.hash)?.ownerId, at.keys.get(key.hash)?.role],
      [BOB, undefined, 'member'],
    );
  });

  test('is refused for oneself, for a role of the provider, and for unknown people', async () => {
    const at = world({ source: 'provider' });
    // The second is a session from one’s own link.
    for (const by of [ADMIN, action({ role: 'admin', createdBy: personId('1') })])
      await assert.rejects(change(at, 'viewer', undefined, by, personId('1')), {
        param: 'user_id',
        message: 'You cannot change your own role; ask another admin of the account.',
      });
    await assert.rejects(change(at, 'admin'), { code: 'invalid_request', param: 'role' });
    for (const id of [personId('3'), `invite_${'0'.repeat(32)}`, 'keys_x'])
      await assert.rejects(change(at, 'admin', undefined, ADMIN, id), {
        code: 'not_found',
        param: 'user_id',
      });
    assert.deepEqual(at.done, []);
  });

  for (const [title, outcome, code, times] of [
    ['is refused if the acting person is no longer an admin', 'refused', 'insufficient_permissions', 1],
    ['gives up after three concurrent changes', 'changed', 'concurrent_update', 3],
  ] as const)
    test(title, async (context) => {
      const at = world();
      const attempt = context.mock.method(at.ports.people, 'changeRole', async () => outcome);
      await assert.rejects(change(at, 'admin'), { code });
      assert.equal(attempt.mock.callCount(), times);
    });
});

describe('removePerson', () => {
  const remove = (
    ports: ReturnType<typeof world>['ports'],
    keyChoice: 'revoke' | undefined,
    by = ADMIN,
    id = BOB,
  ) => removePerson(ports, { ...by, at: NOW }, id, keyChoice);

  test('revokes a key that is created meanwhile', async () => {
    const at = world();
    at.addKey('CI');
    const { revoke } = at.ports.keys;
    let late = false;
    const keys = {
      ...at.ports.keys,
      revoke: async (...given: Parameters<typeof revoke>) => {
        if (!late) at.addKey('late');
        late = true;
        return revoke(...given);
      },
    };
    await remove({ ...at.ports, keys }, 'revoke');
    assert.deepEqual(at.done, ['CI is revoked', 'late is revoked', `2 is gone, ${says}`]);
    assert.deepEqual(at.summaries().at(-1), ['user.deleted', { email: '2@example.com', role: 'member' }]);
  });

  test('can be repeated after a crash at any step: no removed person has a usable key', async () => {
    for (let crash = 0; crash < 4; crash += 1) {
      const at = world();
      for (const name of ['one', 'two']) at.addKey(name);
      let step = 0;
      const fragile =
        <Given extends readonly unknown[], Result>(port: (...given: Given) => Promise<Result>) =>
        async (...given: Given): Promise<Result> => {
          if (step === crash) throw new Error('crash');
          step += 1;
          return port(...given);
        };
      const ports = {
        ...at.ports,
        keys: { ...at.ports.keys, revoke: fragile(at.ports.keys.revoke) },
        people: { ...at.ports.people, remove: fragile(at.ports.people.remove) },
      };
      const attempt = remove(ports, 'revoke');
      if (crash < 3) await assert.rejects(attempt, /crash/);
      else await attempt;
      assert.equal(at.members.has(BOB), crash < 3);
      if (crash < 3) await remove(at.ports, 'revoke');
      assert.deepEqual(at.done, ['one is revoked', 'two is revoked', `2 is gone, ${says}`]);
    }
  });

  test('is refused for oneself, and asks about active keys', async () => {
    const at = world();
    at.addKey('CI');
    await assert.rejects(remove(at.ports, 'revoke', ADMIN, personId('1')), { param: 'user_id' });
    const asked = { param: 'keys', message: /has 1 active API key: revoke/ };
    await assert.rejects(remove(at.ports, undefined), asked);
    assert.deepEqual(at.done, []);
  });

  test('also works for people whose role comes from the provider', async () => {
    const at = world({ source: 'provider' });
    await remove(at.ports, undefined, action());
    assert.deepEqual(at.done, ['2 is gone, says undefined']);
  });

  test('keeps the last admin; an operator can remove the last person', async () => {
    const operator: CallerAction = { ...action(), actor: { kind: 'operator', id: 'root' } };
    const refusal = { code: 'invalid_request', param: 'user_id', message: /only admin of the account/ };
    const lead = personId('1');
    for (const by of [action(), operator]) {
      const at = world();
      await assert.rejects(remove(at.ports, undefined, by, lead), refusal);
      const change = { role: 'member', keyChoice: undefined } as const;
      await assert.rejects(changeRole(at.ports, { ...by, at: NOW }, lead, change), refusal);
      assert.deepEqual(at.done, []);
    }
    const at = world();
    at.members.delete(BOB);
    await assert.rejects(remove(at.ports, undefined, action(), lead), refusal);
    await remove(at.ports, undefined, operator, lead);
    assert.equal(at.members.size, 0);
  });
});

test('people are listed in the order in which they were added, in pages', async () => {
  const members = [
    member('3', 'viewer', { addedAt: 2 }),
    member('2', 'viewer', { addedAt: 1 }),
    member('1', 'admin', { addedAt: 2 }),
  ];
  const people = { list: async () => members };
  const page = async (limit: number, after?: string) => {
    const { items, hasMore } = await listPeople(people, 'acme', { limit, after });
    return `${items.map(({ name }) => name).join('')} ${hasMore}`;
  };
  const pages = [await page(3), await page(2), await page(2, personId('1'))];
  assert.deepEqual(pages, ['213 false', '21 true', '3 false']);
  await assert.rejects(page(1, 'x'), { param: 'after' });
  await assert.rejects(findPerson({ find: async () => undefined }, 'acme', BOB), {
    code: 'not_found',
    message: `Person ${BOB} was not found.`,
  });
});

describe('invitations', () => {
  type Ports = ReturnType<typeof world>['ports'];
  const inviteTo = (ports: Ports, email: string, role: Role, at = NOW, by = ADMIN) =>
    invite(ports, { ...by, at }, { email, role });

  test('are for people who are not in the account, and replace pending ones of the same address', async () => {
    const at = world();
    const first = await inviteTo(at.ports, ' Ada@Example.com', 'admin', NOW - 8 * DAY);
    const second = await inviteTo(at.ports, 'ada@example.com', 'viewer', NOW - DAY);
    const third = await inviteTo(at.ports, 'ADA@example.com', 'member', NOW, action());
    const left = [...at.invitations.keys()];
    assert.deepEqual(left, [first.stored.id, third.stored.id], 'an expired one stays');
    assert.deepEqual([second.stored.invitedBy, third.stored.invitedBy], [personId('1'), undefined]);
    assert.deepEqual(at.summaries(), [
      ['invite.sent', { email: 'ada@example.com', role: 'admin' }],
      ['invite.sent', { email: 'ada@example.com', role: 'viewer' }],
      ['invite.sent', { email: 'ada@example.com', role: 'member' }],
      ['invite.deleted', { email: 'ada@example.com' }],
    ]);
    assert.ok(!JSON.stringify(at.entries).includes(third.token));
    await assert.rejects(inviteTo(at.ports, '2@EXAMPLE.com', 'admin'), {
      param: 'email',
      message: '2@example.com is in the account already, with the role member.',
    });
  });

  test('by link do not replace each other, and have no address', async () => {
    const at = world({ email: '' });
    for (const role of ['viewer', 'member'] as const) await inviteTo(at.ports, '', role);
    assert.equal(at.invitations.size, 2);
    assert.deepEqual(at.summaries()[0], ['invite.sent', { role: 'viewer' }]);
  });

  test('are refused if the inviter is not an admin any more', async () => {
    const { ports } = world();
    const invitations = { ...ports.invitations, add: async () => false };
    await assert.rejects(inviteTo({ ...ports, invitations }, '', 'admin'), {
      code: 'insufficient_permissions',
    });
  });

  test('are listed newest first, then by id', async () => {
    const { stored } = await inviteTo(world().ports, '', 'viewer');
    const list = async () =>
      ['b 1', 'a 1', 'c 2'].map((id) => ({ ...stored, id, createdAt: Number(id.slice(2)) }));
    const page = await listInvitations({ list }, 'acme', { limit: 2, after: undefined });
    const ids = page.items.map(({ id }) => id);
    assert.deepEqual([ids, page.hasMore], [['c 2', 'a 1'], true]);
  });

  test('are found and deleted once', async () => {
    const at = world();
    const { id } = (await inviteTo(at.ports, '', 'viewer')).stored;
    await inviteTo(at.ports, '', 'member');
    assert.equal((await findInvitation(at.ports.invitations, 'acme', id)).role, 'viewer');
    await deleteInvitation(at.ports.invitations, { ...ADMIN, at: NOW }, id);
    assert.equal(at.entries.at(-1)?.resourceId, id);
    for (const unknown of [id, BOB])
      await assert.rejects(deleteInvitation(at.ports.invitations, { ...ADMIN, at: NOW }, unknown), {
        ...{ code: 'not_found', param: 'invite_id', message: `Invitation ${unknown} was not found.` },
      });
  });
});
