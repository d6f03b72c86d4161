import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  generateInvitation,
  isEmail,
  isGranted,
  isPending,
  isPersonId,
  type Member,
  normalizeEmail,
  readInvitationToken,
  stillAdmits,
  stillGrants,
  toPersonId,
  withRole,
  wouldRaise,
} from '../../../../functions/identity/domain/person.ts';
import { aMember } from '../../../support/builders/person.ts';

const ADMIN = aMember({ role: 'admin' });

test('a person is identified by the provider and its name for the person', () => {
  const id = toPersonId({ issuer: 'https://id.example.com', subject: 'ada' });
  assert.equal(id, 'user_4b1eb8c555d3f97862c6aca49b313630');
  assert.ok(isPersonId(id));
  assert.notEqual(toPersonId({ issuer: 'https://id.example.com', subject: 'bob' }), id);
  assert.notEqual(toPersonId({ issuer: 'https://other.example.com', subject: 'ada' }), id);
  for (const other of ['', id.slice(0, -1), `${id}0`, `x${id}`, id.toUpperCase()])
    assert.ok(!isPersonId(other));
});

describe('a right', () => {
  test('starts again if it is lost and given again, and is kept otherwise', () => {
    const times = ({ role, memberSince, adminSince }: Member) => [role, memberSince, adminSince];
    assert.deepEqual(times(withRole(ADMIN, 'admin', 2000)), ['admin', undefined, undefined]);
    const member = withRole(ADMIN, 'member', 2000);
    assert.deepEqual(times(member), ['member', undefined, undefined]);
    assert.deepEqual(times(withRole(member, 'admin', 3000)), ['admin', undefined, 3000]);
    const viewer = withRole(ADMIN, 'viewer', 2000);
    assert.deepEqual(times(viewer), ['viewer', undefined, undefined]);
    const promoted = withRole(viewer, 'member', 3000);
    assert.deepEqual(times(promoted), ['member', 3000, undefined]);
    assert.deepEqual(times(withRole(promoted, 'admin', 4000)), ['admin', 3000, 4000]);
  });

  test('counts for what was made since it began', () => {
    const grants = [999, 1000].map((madeAt) => stillGrants(ADMIN, 'admin', madeAt));
    assert.deepEqual(grants, [false, true]);
    const later = { ...ADMIN, adminSince: 2000 };
    const laterGrants = [1999, 2000].map((madeAt) => stillGrants(later, 'admin', madeAt));
    assert.deepEqual(laterGrants, [false, true]);
    assert.equal(stillGrants(later, 'member', 1000), true);
    assert.equal(stillGrants({ ...ADMIN, role: 'member' }, 'admin', 1000), false);
    assert.equal(stillGrants(undefined, 'viewer', 1000), false);
  });

  test('admits others only while the provider confirms the person', () => {
    const refused = { ...ADMIN, refusedAt: 3000 };
    const admitted = [ADMIN, refused, undefined].map((maker) => stillAdmits(maker, 'admin', 1000));
    assert.deepEqual(admitted, [true, false, false]);
    const invitation = { invitedBy: ADMIN.id, createdAt: 1000 };
    const granted = [ADMIN, refused, undefined].map((maker) => isGranted(invitation, maker));
    assert.deepEqual(granted, [true, false, false]);
    assert.equal(isGranted(invitation, { ...ADMIN, role: 'member' }), false);
    assert.equal(isGranted({ invitedBy: undefined, createdAt: 1000 }, undefined), true);
  });
});

describe('an address', () => {
  for (const text of [
    'a@b',
    'ada.l+x@example.com',
    'jörg@müller.example',
    `${'a'.repeat(64)}@${'b'.repeat(189)}`,
  ])
    test(`is ${text.slice(0, 30)}`, () => assert.ok(isEmail(text)));
  for (const text of [
    ...['', 'a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@b c', 'a,b@c', 'a@b,c', 'Ada <a@b>', '"a"@b', 'a\\b@c'],
    ...['a;b@c', 'a:b@c', '(a)b@c', 'a\u0000@b', 'a@b\u202e', '\uFEFFa@b', 'u\u017Fer@b', ' a@b', 'a@b\n'],
    ...['mi\u212ae@example.com', `${'a'.repeat(65)}@b`, `a@${'b'.repeat(190)}`],
  ])
    test(`is not ${JSON.stringify(text).slice(0, 30)}`, () => assert.ok(!isEmail(text)));

  test('is compared in lower case, without spaces around it', () =>
    assert.equal(normalizeEmail(' Ada@Example.COM '), 'ada@example.com'));
});

describe('an invitation', () => {
  const NOW = Date.UTC(2026, 0, 1);
  const given = { account: 'acme', email: ' Bob@example.com', role: 'viewer', invitedBy: ADMIN.id } as const;

  test('is found with its token, and lasts a week', () => {
    const { token, stored } = generateInvitation(given, NOW);
    const { id, tokenHash, ...rest } = stored;
    assert.match(token, /^mgi_[\w-]{43}\.acme$/);
    assert.deepEqual(readInvitationToken(token), { account: 'acme', id, tokenHash });
    assert.equal(id, `invite_${tokenHash.slice(0, 32)}`);
    assert.deepEqual(rest, {
      account: 'acme',
      email: 'bob@example.com',
      role: 'viewer',
      invitedBy: ADMIN.id,
      createdAt: NOW,
      expiresAt: NOW + 7 * 24 * 60 * 60 * 1000,
    });
    const pending = [stored.expiresAt - 1, stored.expiresAt].map((now) => isPending(stored, now));
    assert.deepEqual(pending, [true, false]);
    for (const other of ['', token.slice(0, -5), `x${token}`, token.replace('mgi_', 'mgk_'), `${token}/x`])
      assert.equal(readInvitationToken(other), undefined);
    assert.throws(() => generateInvitation({ ...given, account: 'a b' }, NOW), /an account has 1 to 100/);
  });

  test('never lowers a role', () => {
    const raises = (role: 'viewer' | 'member' | 'admin') =>
      ([undefined, 'viewer', 'member', 'admin'] as const).map((current) => wouldRaise({ role }, current));
    assert.deepEqual(raises('viewer'), [true, false, false, false]);
    assert.deepEqual(raises('member'), [true, true, false, false]);
    assert.deepEqual(raises('admin'), [true, true, true, false]);
  });
});
