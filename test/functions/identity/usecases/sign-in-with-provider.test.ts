import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import type { MemberChange } from '../../../../functions/identity/domain/membership.ts';
import {
  generateInvitation,
  type Invitation,
  type Member,
} from '../../../../functions/identity/domain/person.ts';
import { DEFAULT_TIMES } from '../../../../functions/identity/domain/session.ts';
import {
  memberEntries,
  type SignInDependencies,
  signInWithProvider,
} from '../../../../functions/identity/usecases/sign-in-with-provider.ts';
import { ORIGIN } from '../../../support/audit.ts';
import { aMember } from '../../../support/builders/person.ts';

const NOW = Date.UTC(2026, 0, 15);
const HOUR = 3_600_000;
const { issuer: ISSUER, id: PERSON } = aMember();
const ADMIN = `user_${'1'.repeat(32)}`;
const SESSION = `sess_${'0'.repeat(32)}`;
const CLAIMS = { email: 'Ada@example.com', email_verified: true, name: 'Ada', groups: ['staff'] };
const STAFF = { claim: 'groups', value: 'staff', account: 'acme', role: 'member' } as const;

const provided = (change: Partial<Member> = {}): Member => aMember({ source: 'provider', ...change });

type Options = {
  readonly members?: readonly Member[];
  readonly invitations?: readonly Invitation[];
  readonly token?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly rules?: Partial<SignInDependencies['rules']>;
  readonly lost?: number;
};

const signIn = async (options: Options = {}) => {
  const { members = [], invitations = [], token, claims = CLAIMS, rules, lost = 0 } = options;
  const calls: { name: string; opened?: unknown; changes: readonly MemberChange[]; entries: unknown[] }[] =
    [];
  const write = (name: string, written: Parameters<SignInDependencies['writes']['record']>[0]) => {
    const entries = written.entries.map(({ account, at, type, resourceId, details, actor }) => {
      assert.equal(at, NOW);
      assert.partialDeepStrictEqual(actor, { kind: 'session', id: SESSION, personId: PERSON });
      return [type, account, resourceId, details];
    });
    calls.push({ name, changes: written.changes ?? [], entries });
    return calls.length > lost;
  };
  const admin = provided({ id: ADMIN, role: 'admin', source: 'invitation' });
  const result = await signInWithProvider(
    {
      directory: {
        find: async (account, id) => (account === 'acme' && id === ADMIN ? admin : undefined),
        listByPerson: async (id) => (id === PERSON ? members : []),
        findInvitation: async (account, id) =>
          invitations.find((each) => each.account === account && each.id === id),
        listInvitationsByEmail: async (email) => invitations.filter((each) => each.email === email),
      },
      writes: {
        open: async (opened, written) => {
          const { session, tokens } = opened;
          assert.deepEqual(tokens, { refreshToken: 'refresh', signOutUrl: 'https://id.example.com/out' });
          const isOpened = write('open', written);
          Object.assign(calls.at(-1) ?? {}, { opened: session });
          return isOpened;
        },
        record: async (written) => write('record', written),
      },
      issuer: ISSUER,
      rules: { accounts: [STAFF], emailDomains: [], ...rules },
      times: DEFAULT_TIMES,
      now: () => NOW,
    },
    {
      attempt: {
        startedAt: NOW,
        returnTo: '/console/',
        invitation: token,
        state: 's',
        nonce: 'n',
        verifier: 'v',
        sessionId: SESSION,
      },
      tokens: { subject: 'ada', claims, refreshToken: 'refresh', idToken: undefined },
      signOutUrl: 'https://id.example.com/out',
      from: { ip: '192.0.2.1', userAgent: 'a browser' },
    },
  );
  return { result, calls, call: calls.at(-1) ?? assert.fail() };
};

const succeeded = (account: string) => ['login.succeeded', account, SESSION, { via: 'provider' }];
const added = (account: string, role: string, source: string) => [
  'user.added',
  account,
  PERSON,
  { email: 'ada@example.com', role, source },
];
const invited = (change: Partial<Invitation> = {}) =>
  generateInvitation(
    { account: 'acme', email: 'ada@example.com', role: 'admin', invitedBy: ADMIN, ...change },
    NOW - HOUR,
  );

describe('a person of the provider', () => {
  test('is added by a group, and signed in until the provider is asked again', async () => {
    const { result, call } = await signIn();
    assert.partialDeepStrictEqual(result, { account: 'acme', endsAt: NOW + DEFAULT_TIMES.maxMilliseconds });
    assert.match(String(Object(result).cookie), new RegExp(`^${SESSION}\\.`));
    assert.partialDeepStrictEqual(call.opened, {
      id: SESSION,
      account: 'acme',
      role: 'member',
      personId: PERSON,
      checkUntil: NOW + HOUR,
    });
    const member = provided({ addedAt: NOW, lastSignInAt: NOW });
    assert.deepEqual(call.changes, [{ kind: 'add', member }]);
    assert.deepEqual(call.entries, [added('acme', 'member', 'provider'), succeeded('acme')]);
  });

  test('who is a member has only the time of the sign-in noted', async () => {
    const before = provided();
    const { call } = await signIn({ members: [before] });
    assert.partialDeepStrictEqual(call.changes, [
      { kind: 'update', member: { ...before, lastSignInAt: NOW }, before },
    ]);
    assert.deepEqual(call.entries, [succeeded('acme')]);
  });

  test('loses an account whose group is gone, and is signed in to the other', async () => {
    const gone = provided({ account: 'old' });
    const { call } = await signIn({ members: [gone, provided()] });
    const changes = call.changes.map(({ kind, member }) => `${kind} ${member.account}`);
    assert.deepEqual(changes, ['remove old', 'update acme']);
    const details = { email: 'ada@example.com', role: 'member', source: 'provider' };
    assert.deepEqual(call.entries, [['user.deleted', 'old', PERSON, details], succeeded('acme')]);
  });

  for (const by of ['address', 'link'] as const)
    test(`accepts an invitation by its ${by}, once`, async () => {
      const email = by === 'address' ? 'ada@example.com' : '';
      const { token, stored } = invited({ email });
      const { call } = await signIn({
        invitations: [stored],
        rules: { accounts: [] },
        ...(by === 'link' && { token }),
      });
      assert.deepEqual(call.entries, [
        added('acme', 'admin', 'invitation'),
        ['invite.accepted', 'acme', stored.id, { role: 'admin' }],
        succeeded('acme'),
      ]);
      const [change] = call.changes;
      assert.ok(change?.kind === 'add' && change.invitation === stored);
    });

  test('opens the account of the link, and accepts a link with one’s own address once', async () => {
    const { token, stored } = invited({ account: 'other', invitedBy: undefined });
    const { result, call } = await signIn({ invitations: [stored], token, members: [provided()] });
    assert.equal(Object(result).account, 'other');
    assert.equal(call.entries.filter((entry) => Object(entry)[0] === 'invite.accepted').length, 1);
  });

  const { token, stored } = invited({ email: '' });
  const NO_GROUPS = { claims: { ...CLAIMS, groups: [] } };
  const UNVERIFIED = { claims: { ...CLAIMS, email_verified: false, groups: [] }, invitations: [stored] };
  const REFUSED: readonly (readonly [title: string, options: Options, error: string, identity?: string])[] = [
    ['without a group or invitation', NO_GROUPS, 'not_invited'],
    ['without a verified address', UNVERIFIED, 'email_not_verified', 'Ada'],
    ['of another domain', { rules: { emailDomains: ['example.org'] } }, 'domain_not_allowed'],
    [
      'with a link whose secret is another one',
      { ...NO_GROUPS, invitations: [{ ...stored, tokenHash: 'x' }], token },
      'not_invited',
    ],
    [
      'whose inviter may not invite any more',
      { ...NO_GROUPS, invitations: [{ ...stored, invitedBy: 'user_x' }], token },
      'not_invited',
    ],
  ];
  for (const [title, options, error, identity = 'ada@example.com'] of REFUSED)
    test(`is refused ${title}, which is recorded`, async () => {
      const { result, call } = await signIn(options);
      assert.deepEqual(result, { error, personId: PERSON, identity });
      const entries = [['login.failed', '-', PERSON, { reason: error }]];
      assert.deepEqual(call, { name: 'record', changes: [], entries });
    });

  test('who is refused loses the memberships of the groups', async () => {
    const { call } = await signIn({ members: [provided()], ...NO_GROUPS });
    const details = { email: 'ada@example.com', role: 'member', source: 'provider' };
    assert.deepEqual(call.entries, [
      ['user.deleted', 'acme', PERSON, details],
      ['login.failed', 'acme', PERSON, { reason: 'not_invited' }],
    ]);
  });

  test('is signed in by a second try if the memberships change meanwhile', async () => {
    const [{ calls, result }, refused] = await Promise.all([
      signIn({ lost: 1 }),
      signIn({ lost: 1, ...NO_GROUPS }),
    ]);
    assert.deepEqual([calls.length, Object(result).account], [2, 'acme']);
    assert.deepEqual([refused.calls.length, Object(refused.result).error], [2, 'not_invited']);
  });
});

test('changes of access have entries, a new name alone has none', () => {
  const before = provided();
  const { stored } = invited();
  const details = (changes: readonly MemberChange[]) =>
    memberEntries(ORIGIN, changes, NOW).map((entry: AuditEntry) => [entry.type, entry.details]);
  assert.deepEqual(details([{ kind: 'update', member: { ...before, name: 'A' }, before }]), []);
  const admin = { ...before, role: 'admin' } as const;
  const updated = ['user.updated', { from: 'member', to: 'admin', source: 'provider' }];
  assert.deepEqual(details([{ kind: 'update', member: admin, before }]), [updated]);
  assert.deepEqual(details([{ kind: 'update', member: admin, before, invitation: stored }]), [
    updated,
    ['invite.accepted', { role: 'admin' }],
  ]);
  const source = { ...before, source: 'invitation' } as const;
  assert.deepEqual(details([{ kind: 'update', member: source, before }]), [
    ['user.updated', { from: 'member', to: 'member', source: 'invitation' }],
  ]);
});
