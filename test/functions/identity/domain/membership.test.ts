import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseAccount, planMemberships } from '../../../../functions/identity/domain/membership.ts';
import { generateInvitation, type Member, toPersonId } from '../../../../functions/identity/domain/person.ts';
import type { Role } from '../../../../functions/identity/domain/roles.ts';
import { readProfile } from '../../../../functions/identity/domain/sign-in.ts';
import { aMember } from '../../../support/builders/person.ts';

const NOW = 1_800_000_000_000;
const profile = readProfile('https://login.example.com', 'ada', {
  name: 'Ada',
  email: 'ada@example.com',
  email_verified: true,
});

const member = (account: string, role: Role, source: Member['source'] = 'provider'): Member =>
  aMember({ issuer: profile.issuer, id: toPersonId(profile), account, role, source });
const invitation = (account: string, role: Role, now = NOW) =>
  generateInvitation({ account, role, email: '', invitedBy: undefined }, now).stored;

const plan = (
  members: readonly Member[],
  granted: Record<string, Role> = {},
  invitations: Parameters<typeof planMemberships>[1]['invitations'] = [],
) => {
  const { changes, members: after } = planMemberships(
    profile,
    { members, granted: new Map(Object.entries(granted)), invitations },
    NOW,
  );
  return {
    changes: changes.map(
      ({ kind, member: { account, role, source } }) => `${kind} ${account} ${role} ${source}`,
    ),
    after: after.map(({ account, role }) => `${account} ${role}`),
  };
};

describe('claims', () => {
  for (const [title, members, granted, changes] of [
    ['add a member', [], { acme: 'member' }, ['add acme member provider']],
    ['change nothing that is right', [member('acme', 'member')], { acme: 'member' }, []],
    ['change the role', [member('acme', 'member')], { acme: 'viewer' }, ['update acme viewer provider']],
    ['remove a member', [member('acme', 'member')], {}, ['remove acme member provider']],
    ['leave others alone', [member('acme', 'admin', 'operator')], {}, []],
    ['do not change an invited member', [member('acme', 'viewer', 'invitation')], { acme: 'admin' }, []],
  ] as const)
    test(title, () => {
      assert.deepEqual(plan(members, granted).changes, changes);
    });

  test('bring name and address up to date', () => {
    const { changes } = plan([{ ...member('acme', 'admin', 'operator'), name: 'Old' }]);
    assert.deepEqual(changes, ['update acme admin operator']);
  });

  test('of very many accounts are followed step by step', () => {
    const granted = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`a${index}`, 'viewer' as const]),
    );
    const { changes, after } = plan([], granted);
    assert.deepEqual([changes.length, after.length], [18, 18]);
  });
});

describe('invitations', () => {
  test('of oneself are not accepted, even in the sign-in that takes the role', () => {
    const own = { ...invitation('acme', 'admin'), invitedBy: toPersonId(profile) };
    assert.deepEqual(plan([member('acme', 'admin')], { acme: 'member' }, [own]).changes, [
      'update acme member provider',
    ]);
    assert.deepEqual(plan([member('acme', 'admin')], {}, [own]).changes, ['remove acme admin provider']);
  });

  const ADMIN = member('acme', 'admin', 'operator');
  const INVITED_VIEWER = member('acme', 'viewer', 'operator');
  for (const [title, members, invitations, changes] of [
    ['add a member', [], [invitation('acme', 'member')], ['add acme member invitation']],
    ['add an admin of another account', [ADMIN], [invitation('b', 'viewer')], ['add b viewer invitation']],
    ['raise a role', [INVITED_VIEWER], [invitation('acme', 'admin')], ['update acme admin invitation']],
    ['never lower a role', [ADMIN], [invitation('acme', 'viewer')], []],
    ['that have expired do nothing', [], [invitation('acme', 'admin', NOW - 7 * 86_400_000)], []],
    [
      'to one account: the highest counts',
      [],
      [invitation('acme', 'viewer'), invitation('acme', 'member')],
      ['add acme member invitation'],
    ],
  ] as const)
    test(title, () => {
      assert.deepEqual(plan(members, {}, invitations).changes, changes);
    });

  test('give more than the claims', () => {
    const { changes, after } = plan([], { acme: 'viewer' }, [invitation('acme', 'admin')]);
    assert.deepEqual([changes, after], [['add acme admin invitation'], ['acme admin']]);
  });
});

test('the account of the invitation is opened, else the last one, else the first by name', () => {
  const members = [
    member('b', 'viewer'),
    { ...member('c', 'viewer'), lastSignInAt: 5 },
    member('a', 'viewer'),
  ];
  const choose = (of: readonly Member[], invited?: string) => chooseAccount(of, invited)?.account;
  assert.deepEqual([choose(members, 'b'), choose(members), choose(members, 'x')], ['b', 'c', 'c']);
  assert.deepEqual([choose(members.toSpliced(1, 1)), choose([])], ['a', undefined]);
});
