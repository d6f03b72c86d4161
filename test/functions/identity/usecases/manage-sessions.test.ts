import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoredLink } from '../../../../functions/identity/domain/administration.ts';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import {
  generateInvitation,
  LINK_ISSUER,
  type Member,
} from '../../../../functions/identity/domain/person.ts';
import type { Session } from '../../../../functions/identity/domain/session.ts';
import { DEFAULT_TIMES } from '../../../../functions/identity/domain/session.ts';
import {
  createLink,
  endSession,
  isVisible,
  signInWithToken,
} from '../../../../functions/identity/usecases/manage-sessions.ts';
import { aCallerAction } from '../../../support/audit.ts';
import { aMember, aSession } from '../../../support/builders/person.ts';

const NOW = 1_800_000_000_000;
const TOKEN = `mgl_${'a'.repeat(43)}.acme`;
const ID = 'sess_2b2b39037c395a6dd9be477923dbd9ed';
const ADMIN_ID = `user_${'a'.repeat(32)}`;
const OTHER = `sess_${'1'.repeat(32)}`;
const FROM = { ip: '192.0.2.1', userAgent: 'a browser' };
const LINK: StoredLink = {
  id: ID,
  account: 'acme',
  role: 'admin',
  personId: undefined,
  createdBy: undefined,
  createdAt: NOW - 1,
  linkUntil: NOW + 1,
};

const withoutIds = (entries: readonly AuditEntry[]) => entries.map(({ id: _, ...entry }) => entry);
const signedIn = (id: string, personId?: string) => {
  const actor = { kind: 'session', id, personId, email: undefined };
  return { ...FROM, account: 'acme', at: NOW, actor };
};
const TIMES = {
  createdAt: NOW,
  expiresAt: NOW + 43_200_000,
  renewAt: NOW + 3_300_000,
  endsAt: NOW + 2_592_000_000,
};

/** Ports that know one link, and the entries that they were given. */
const withLink = (
  link: StoredLink | undefined,
  invitation = generateInvitation(
    { account: 'acme', email: 'Ada@Example.com', role: 'member', invitedBy: undefined },
    NOW,
  ),
) => {
  const entries: AuditEntry[] = [];
  const opened: object[] = [];
  const dependencies = {
    sessions: {
      findLink: async () => link,
      redeem: async (redeemed: StoredLink, session: object, entry: AuditEntry) => {
        opened.push(redeemed, session);
        return entries.push(entry) > 0;
      },
    },
    record: async (entry: AuditEntry) => void entries.push(entry),
    directory: {
      find: async (account: string, id: string) =>
        id === ADMIN_ID ? aMember({ account, id, role: 'admin', addedAt: NOW - 1 }) : undefined,
      findInvitation: async (_: string, id: string) =>
        id === invitation.stored.id ? invitation.stored : undefined,
    },
    writes: {
      open: async (session: object, written: { readonly entries: readonly AuditEntry[] }) => {
        opened.push(session, written);
        return entries.push(...written.entries) > 0;
      },
    },
    times: DEFAULT_TIMES,
    now: () => NOW,
  };
  return { dependencies, entries, opened, invitation: invitation.stored, token: invitation.token };
};

describe('signInWithToken', () => {
  test('exchanges the token of a link for a session, and records the sign-in', async () => {
    const link = { ...LINK, personId: ADMIN_ID, createdBy: ADMIN_ID };
    const { dependencies, entries, opened } = withLink(link);
    const { session, cookie } = await signInWithToken(dependencies, TOKEN, FROM);
    const { secretHash } = session;
    const place = { account: 'acme', role: 'admin', personId: ADMIN_ID, createdBy: ADMIN_ID };
    assert.deepEqual(session, { id: ID, secretHash, ...TIMES, ...place });
    assert.deepEqual(opened, [link, { id: ID, secretHash, ...TIMES }]);
    assert.match(secretHash, /^[0-9a-f]{64}$/);
    assert.ok(cookie.startsWith(`${ID}.`), cookie);
    const written = { type: 'login.succeeded', resourceId: ID, details: { via: 'link' } };
    assert.deepEqual(withoutIds(entries), [{ ...signedIn(ID, ADMIN_ID), ...written }]);
  });

  const FOREIGN = { ...LINK, createdBy: OTHER };
  const USED = { ...LINK, linkUntil: undefined };
  for (const [name, token, link, words, recorded] of [
    [
      'a malformed token',
      'mgl_short.acme',
      LINK,
      /^token is not from a sign-in link\. Get a new link with npm/,
      0,
    ],
    [
      'an unknown token without a trace',
      TOKEN,
      undefined,
      /^token is unknown, was already used, is older/,
      0,
    ],
    ['the link of an admin who is gone', TOKEN, FOREIGN, /is not an admin any more/, 1],
    ['a used token, with an entry of its account', TOKEN, USED, /already used/, 1],
  ] as const)
    test(`refuses ${name}`, async () => {
      const { dependencies, entries } = withLink(link);
      await assert.rejects(signInWithToken(dependencies, token, FROM), {
        code: 'invalid_request',
        param: 'token',
        message: words,
      });
      const failed = { type: 'login.failed', resourceId: ID, details: { reason: 'link_not_valid' } };
      assert.deepEqual(withoutIds(entries), Array(recorded).fill({ ...signedIn(ID), ...failed }));
    });

  test('accepts an invitation as a new person without a provider', async () => {
    const { dependencies, entries, opened, invitation, token } = withLink(undefined);
    const { session } = await signInWithToken(dependencies, token, FROM);
    const { id, secretHash, personId = '' } = session;
    assert.deepEqual(session, { id, secretHash, ...TIMES, account: 'acme', role: 'member', personId });
    assert.match(personId, /^user_[0-9a-f]{32}$/);
    const given = { email: 'ada@example.com', role: 'member', source: 'invitation' };
    const times = { addedAt: NOW, lastSignInAt: NOW };
    const person = { id: personId, issuer: LINK_ISSUER, name: given.email };
    const member = { account: 'acme', ...person, ...given, ...times };
    const changes = [{ kind: 'add', member, invitation }];
    assert.partialDeepStrictEqual(opened, [{ session, tokens: {} }, { changes }]);
    assert.deepEqual(
      withoutIds(entries),
      [
        { type: 'user.added', resourceId: personId, details: given },
        { type: 'invite.accepted', resourceId: invitation.id, details: { role: 'member' } },
        { type: 'login.succeeded', resourceId: id, details: { via: 'invitation' } },
      ].map((entry) => ({ ...signedIn(id, personId), ...entry })),
    );
  });

  test('refuses an invitation that is used, unknown or expired, or whose inviter may not invite any more', async () => {
    const { dependencies, token } = withLink(undefined);
    const terms = { account: 'acme', email: '', role: 'member', invitedBy: 'user_1' } as const;
    const orphan = withLink(undefined, generateInvitation(terms, NOW));
    const refusal = { param: 'token', message: /pending invitation/ };
    for (const [given, tried] of [
      [{ ...dependencies, writes: { open: async () => false } }, token],
      [orphan.dependencies, orphan.token],
      [{ ...dependencies, now: () => NOW + 7 * 86_400_000 }, token],
      [dependencies, `mgi_${'x'.repeat(43)}.acme`],
      [dependencies, 'mgi_x'],
    ] as const)
      await assert.rejects(signInWithToken(given, tried, FROM), refusal);
    assert.deepEqual(orphan.opened, []);
  });
});

describe('createLink', () => {
  const person = aMember({ issuer: LINK_ISSUER, role: 'viewer' });
  const create = async (personId: string | undefined, member: Member | undefined) => {
    const entries: (AuditEntry | undefined)[] = [];
    const sessions = { addLink: async (_: unknown, entry: AuditEntry) => void entries.push(entry) };
    const made = await createLink(
      { sessions, members: { find: async () => member } },
      aCallerAction({ account: 'acme', keyId: 'key_1', createdBy: ADMIN_ID }, NOW),
      personId,
    );
    return { ...made, entries };
  };

  test('records a link for whoever opens it', async () => {
    const { stored, entries } = await create(undefined, undefined);
    // The link of a link belongs to the same admin.
    assert.deepEqual([stored.role, stored.personId, stored.createdBy], ['admin', undefined, ADMIN_ID]);
    assert.deepEqual([entries[0]?.type, entries[0]?.details], ['link.created', { role: 'admin' }]);
  });

  test('signs in a person with their own role', async () => {
    const { stored, entries } = await create(person.id, person);
    assert.deepEqual([stored.role, stored.personId, stored.createdBy], ['viewer', person.id, ADMIN_ID]);
    const details = { role: 'viewer', user_id: person.id };
    assert.deepEqual([entries[0]?.resourceId, entries[0]?.details], [stored.id, details]);
  });

  test('refuses a person of a provider, and one who is not a member', async () => {
    await assert.rejects(create(person.id, { ...person, issuer: 'https://login.example.com' }), {
      param: 'user_id',
    });
    await assert.rejects(create(person.id, undefined), {
      code: 'not_found',
      message: `User ${person.id} was not found.`,
      param: 'user_id',
    });
  });
});

describe('endSession', () => {
  const CALLER = { account: 'acme', keyId: ID };
  const end = async (which: string, existing: readonly string[], caller = {}, listed: Session[] = []) => {
    const done: string[] = [];
    const sessions = {
      list: async () => listed,
      end: async (account: string, id: string, entry: AuditEntry) => {
        done.push(`end ${account} ${id} ${entry.type}`);
        return existing.includes(id);
      },
      endAll: async (account: string, toEntry: (id: string) => AuditEntry) => {
        done.push(`endAll ${account} ${toEntry(ID).type} ${toEntry(OTHER).type}`);
      },
    };
    const ended = endSession(sessions, aCallerAction({ ...CALLER, ...caller }, NOW), which);
    return { done, ended };
  };

  for (const [name, which, ended, did] of [
    ['the session of the caller', 'current', ID, `end acme ${ID} logout.succeeded`],
    ['another session of the account', OTHER, OTHER, `end acme ${OTHER} session.ended`],
    ['all sessions', 'all', 'all', 'endAll acme logout.succeeded session.ended'],
  ] as const)
    test(`ends ${name}`, async () => {
      const result = await end(which, [ID, OTHER]);
      assert.equal(await result.ended, ended);
      assert.deepEqual(result.done, [did]);
    });

  for (const [name, which, asked] of [
    ['an unknown session', OTHER, 1],
    ['an id of something else', 'key_1', 0],
  ] as const)
    test(`does not find ${name}`, async () => {
      const { ended, done } = await end(which, []);
      const message = `Session ${which} was not found.`;
      await assert.rejects(ended, { code: 'not_found', param: 'session_id', message });
      assert.equal(done.length, asked);
    });

  test('lets members end another session of their own, but not those of others', async () => {
    const person = { role: 'member', personId: 'user_1' };
    const listed = (id: string, personId: string) => [aSession(NOW, { id, personId, role: 'member' })];
    const own = await end(OTHER, [OTHER], person, listed(OTHER, 'user_1'));
    assert.equal(await own.ended, OTHER);
    for (const others of [listed(OTHER, 'user_2'), listed(ID, 'user_1')])
      await assert.rejects((await end(OTHER, [OTHER], person, others)).ended, { code: 'not_found' });
  });

  test('lets only admins end all sessions', async () => {
    await assert.rejects((await end('all', [ID], { role: 'member' })).ended, {
      code: 'insufficient_permissions',
    });
  });

  test('shows people their own sessions, and admins all', () => {
    for (const [caller, session, isSeen] of [
      [{ role: 'admin' }, { id: OTHER }, true],
      [{ role: 'member' }, { id: OTHER }, false],
      [{ role: 'member' }, { id: ID }, true],
      [{ role: 'member' }, { id: OTHER, personId: 'p' }, true],
      [{}, { id: OTHER, personId: 'q' }, true],
    ] as const)
      assert.equal(
        isVisible({ ...CALLER, personId: 'p', ...caller }, { personId: undefined, ...session }),
        isSeen,
      );
  });
});
