import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Caller } from '../../../../functions/identity/domain/api-key.ts';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import type { Member } from '../../../../functions/identity/domain/person.ts';
import { ProviderError, type SessionWrites } from '../../../../functions/identity/domain/provider.ts';
import { DEFAULT_TIMES, type Session } from '../../../../functions/identity/domain/session.ts';
import {
  type RenewalDependencies,
  renewSession,
  switchAccount,
} from '../../../../functions/identity/usecases/renew-session.ts';
import { ORIGIN } from '../../../support/audit.ts';
import { aMember, aSession } from '../../../support/builders/person.ts';
import { strictLogger } from '../../../support/loggers.ts';

const HOUR = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 0, 15);
const MEMBER = aMember({ account: 'other', role: 'viewer', addedAt: NOW - HOUR });
const PERSON = MEMBER.id;
const SESSION = aSession(NOW, { personId: PERSON, sealedRefreshToken: 'sealed' });

const CALLER: Caller = { account: 'acme', keyId: SESSION.id, personId: PERSON };

/** Records what is written; each write succeeds unless the test says otherwise. */
const recordWrites = (outcomes: Partial<Record<'open' | 'renew' | 'lease', boolean>> = {}) => {
  const calls: unknown[][] = [];
  const record =
    (name: 'open' | 'renew' | 'lease') =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      return outcomes[name] ?? true;
    };
  const writes: SessionWrites = {
    open: record('open'),
    renew: record('renew'),
    lease: record('lease'),
    end: () => assert.fail('the session is ended'),
    record: () => assert.fail('a membership is changed'),
    tokens: async () => ({ refreshToken: 'refresh', signOutUrl: undefined }),
  };
  return { calls, writes };
};

const directory = {
  find: async (account: string, id: string) => (account === 'other' && id === PERSON ? MEMBER : undefined),
  listByPerson: async () => [MEMBER],
};

describe('a switch to another account', () => {
  const switchTo = (account: string, { session = SESSION, caller = CALLER, open = true } = {}) => {
    const { calls, writes } = recordWrites({ open });
    const switched = switchAccount(
      { directory, writes, times: DEFAULT_TIMES, now: () => NOW },
      { session, secret: 'secret', origin: ORIGIN },
      caller,
      account,
    );
    return { calls, switched };
  };

  test('ends the session and opens one with the role and the account, until the sign-in ends', async () => {
    const { calls, switched } = switchTo('other');
    const { session, cookie } = await switched;
    const { id, secretHash, ...rest } = session;
    assert.match(cookie, new RegExp(`^${id}\\.`));
    assert.notEqual(secretHash, SESSION.secretHash);
    const {
      id: _,
      secretHash: __,
      ...expected
    } = aSession(NOW, {
      account: 'other',
      role: 'viewer',
      personId: PERSON,
      createdBy: undefined,
      checkUntil: undefined,
      createdAt: NOW,
      expiresAt: NOW + 12 * HOUR,
    });
    assert.deepEqual(rest, expected);
    const [[name, opened, changes] = []] = calls;
    assert.equal(name, 'open');
    assert.partialDeepStrictEqual(opened, {
      session: { id, account: 'other' },
      tokens: { refreshToken: 'refresh' },
    });
    const details = { from: 'acme', to: 'other' };
    const [ended, opens] = [
      { reason: 'switched', ...details },
      { via: 'switch', ...details },
    ];
    assert.partialDeepStrictEqual(changes, {
      ends: SESSION,
      changes: [{ kind: 'update', member: { ...MEMBER, lastSignInAt: NOW }, before: MEMBER }],
      entries: [
        { account: 'acme', at: NOW, type: 'session.ended', resourceId: SESSION.id, details: ended },
        { account: 'other', at: NOW, type: 'login.succeeded', resourceId: id, details: opens },
      ],
    });
  });

  test('never lasts longer than the session before', async () => {
    const { session } = await switchTo('other', { session: { ...SESSION, endsAt: NOW + HOUR } }).switched;
    assert.deepEqual([session.endsAt, session.expiresAt], [NOW + HOUR, NOW + HOUR]);
    const late = await switchTo('other', { session: { ...SESSION, renewAt: NOW + 30 * 24 * HOUR } }).switched;
    assert.ok(late.session.renewAt < NOW + 12 * HOUR);
  });

  test('is refused for other accounts, without a person, and after the end of the session', async () => {
    for (const account of ['acme', 'unknown', '', 'x'.repeat(101)])
      await assert.rejects(switchTo(account).switched, { param: 'project_id', message: /^Project / });
    await assert.rejects(switchTo('other', { caller: { account: 'acme', keyId: SESSION.id } }).switched, {
      code: 'insufficient_permissions',
    });
    await assert.rejects(switchTo('other', { open: false }).switched, { code: 'invalid_api_key' });
  });
});

const DEPENDENCIES: RenewalDependencies = {
  provider: undefined,
  directory,
  writes: recordWrites().writes,
  issuer: MEMBER.issuer,
  rules: { accounts: [], emailDomains: [] },
  times: DEFAULT_TIMES,
  logger: strictLogger,
  now: () => NOW,
};

describe('a renewal', () => {
  const renew = (session: Session, dependencies: Partial<RenewalDependencies> = {}) => {
    const { calls, writes } = recordWrites();
    const held = { session, secret: 'secret', origin: ORIGIN };
    return { calls, renewed: renewSession({ ...DEPENDENCIES, writes, ...dependencies }, held) };
  };

  test('changes nothing before its time', async () => {
    const { calls, renewed } = renew(SESSION);
    assert.deepEqual([await renewed, calls], [SESSION, []]);
  });

  test('starts the idle time again, until the session ends', async () => {
    const { calls, renewed } = renew({ ...SESSION, renewAt: NOW });
    assert.equal((await renewed).expiresAt, NOW + 12 * HOUR);
    assert.equal(calls.map(([name]) => name).join(), 'renew');
  });

  test('fails if the session has ended meanwhile', async () => {
    const { writes } = recordWrites({ renew: false });
    await assert.rejects(renew({ ...SESSION, renewAt: NOW }, { writes }).renewed, {
      code: 'invalid_api_key',
    });
  });

  test('leads to the provider if that must confirm the person and cannot be asked', async () => {
    const due = { ...SESSION, renewAt: NOW, checkUntil: NOW - 1 };
    await assert.rejects(renew(due).renewed, { code: 'session_renewal_required' });
  });

  test('is made by one of several requests; the others go on, or wait once it is overdue', async () => {
    const provider = { refresh: () => assert.fail('the provider is asked') };
    const dependencies = { provider, writes: recordWrites({ lease: false }).writes };
    const session = { ...SESSION, account: 'other', renewAt: NOW, checkUntil: NOW + 1 };
    assert.deepEqual(await renew(session, dependencies).renewed, session);
    await assert.rejects(renew({ ...session, checkUntil: NOW - 1 }, dependencies).renewed, {
      code: 'request_in_progress',
      retryAfterSeconds: 1,
    });
  });
});

describe('a provider that is asked', () => {
  const session = { ...SESSION, account: 'other', renewAt: NOW, checkUntil: NOW + 1 };
  const held = { session, secret: 'secret', origin: ORIGIN };
  const claims = { email: 'ada@example.com', email_verified: true };
  type Refresh = NonNullable<RenewalDependencies['provider']>['refresh'];
  type Answer = Awaited<ReturnType<Refresh>>;
  const answer = (change: Partial<Answer> = {}): Answer => ({
    subject: 'ada',
    claims,
    refreshToken: 'next',
    idToken: undefined,
    ...change,
  });

  type AskOptions = {
    readonly lost?: number;
    readonly members?: readonly Member[];
    readonly domains?: readonly string[];
    readonly token?: string | null;
  };

  const ask = async (
    refresh: () => Promise<Answer>,
    { lost = 0, members = [MEMBER], domains = [], token = 'refresh' }: AskOptions = {},
  ) => {
    const calls: unknown[][] = [];
    const logged: unknown[] = [];
    let writes = 0;
    const write =
      (name: string) =>
      async (...given: unknown[]) => {
        calls.push([name, ...given.slice(1)]);
        writes += 1;
        return writes > lost;
      };
    const refreshOnce: Refresh = async (given, subject) => {
      assert.deepEqual([given, subject], ['refresh', 'ada']);
      return refresh();
    };
    const renewed = renewSession(
      {
        ...DEPENDENCIES,
        provider: { refresh: refreshOnce },
        directory: { ...directory, listByPerson: async (id) => (id === MEMBER.id ? members : []) },
        writes: {
          ...DEPENDENCIES.writes,
          renew: write('renew'),
          end: write('end'),
          lease: async (_, at, until) => at === NOW && until > NOW,
          tokens: async () => ({ refreshToken: token ?? undefined, signOutUrl: undefined }),
        },
        rules: { accounts: [], emailDomains: domains },
        logger: { error: (...line) => void logged.push(line[0], line[2]) },
      },
      held,
    );
    const outcome = await renewed.then(
      ({ expiresAt, renewAt, checkUntil }) => ({ expiresAt, renewAt, checkUntil }),
      ({ code, message }) => ({ code, message }),
    );
    return { calls, logged, outcome };
  };
  const CHECKED = { expiresAt: NOW + 12 * HOUR, checkUntil: NOW + HOUR };
  const ENDED = {
    code: 'invalid_api_key',
    message: 'The console session has ended, because the provider no longer confirms it: sign in again.',
  };
  const reasons = (calls: unknown[][]) =>
    calls.map(([name, written]) => [
      name,
      Object(written).entries.map((entry: AuditEntry) => [entry.type, entry.account, entry.details]),
    ]);
  const endedFor = (reason: string) => ['session.ended', 'other', { reason }];

  test('confirms the person, with or without claims; the next refresh token is stored', async () => {
    for (const given of [answer(), answer({ claims: undefined })]) {
      const { calls, outcome } = await ask(async () => given);
      assert.partialDeepStrictEqual(outcome, CHECKED);
      assert.partialDeepStrictEqual(calls, [
        ['renew', { ...CHECKED, refreshToken: 'next', secret: 'secret' }],
      ]);
      assert.equal(calls.length, 1);
    }
  });

  test('is not asked without a refresh token', async () => {
    const { outcome, calls } = await ask(assert.fail, { token: null });
    assert.equal(Object(outcome).code, 'session_renewal_required');
    assert.deepEqual(calls, []);
  });

  test('renames the person; if an admin changes the membership meanwhile, only the session is renewed', async () => {
    const renamed = async () => answer({ claims: { ...claims, name: 'Ada L.' } });
    const { calls } = await ask(renamed);
    const [[, , written] = []] = calls;
    const newNames = Object(written).changes.map(({ member: { name } }: { member: Member }) => name);
    assert.deepEqual(newNames, ['Ada L.']);
    const lost = await ask(renamed, { lost: 1 });
    assert.partialDeepStrictEqual(lost.outcome, CHECKED);
    assert.deepEqual(lost.calls[1]?.[2], { entries: [] });
    const gone = await ask(renamed, { lost: 2 });
    assert.deepEqual(gone.outcome, {
      code: 'invalid_api_key',
      message: 'The console session has ended: sign in again.',
    });
    const unchanged = await ask(async () => answer({ claims: undefined }), { lost: 1 });
    assert.deepEqual([Object(unchanged.outcome).code, unchanged.calls.length], ['invalid_api_key', 1]);
  });

  const other = { ...MEMBER, account: 'third' };
  const granted: Member = { ...MEMBER, source: 'provider' };
  const CASES: readonly (readonly [reason: string, given: Answer, options?: AskOptions])[] = [
    ['another_person', answer({ subject: 'eve' })],
    ['domain_not_allowed', answer(), { domains: ['example.org'] }],
    ['no_longer_a_member', answer(), { members: [granted, other] }],
  ];
  for (const [reason, given, options] of CASES)
    test(`ends the session: ${reason}`, async () => {
      const { outcome, calls } = await ask(async () => given, options);
      assert.deepEqual(outcome, ENDED);
      const [[name, entries] = assert.fail()] = reasons(calls);
      assert.deepEqual([name, Object(entries)[0]], ['end', endedFor(reason)]);
    });

  test('keeps a session whose account the index does not list yet', async () => {
    for (const members of [[], [other]]) {
      const { outcome } = await ask(async () => answer(), { members });
      assert.partialDeepStrictEqual(outcome, CHECKED);
    }
  });

  test('that refuses the person ends the session and marks the memberships', async () => {
    for (const failure of ['refused', 'denied'] as const) {
      const refuse = () => Promise.reject(new ProviderError(failure, undefined));
      const { outcome, calls, logged } = await ask(refuse);
      assert.deepEqual([outcome, logged], [ENDED, []]);
      assert.deepEqual(reasons(calls)[0]?.[0], 'end');
      assert.deepEqual(Object(calls[0]?.[1]).changes, [
        { kind: 'update', member: { ...MEMBER, refusedAt: NOW }, before: MEMBER },
      ]);
      const lost = await ask(refuse, { lost: 1 });
      assert.deepEqual(reasons(lost.calls)[1], ['end', [endedFor('refused_by_provider')]]);
      assert.equal(lost.calls.length, 2);
      assert.equal((await ask(refuse, { lost: 1, members: [] })).calls.length, 1);
    }
  });

  test('that fails is asked again in five minutes; its next refresh token is stored', async () => {
    for (const failure of ['unavailable', 'invalid'] as const) {
      const { outcome, calls, logged } = await ask(() =>
        Promise.reject(new ProviderError(failure, undefined, 'next')),
      );
      const times = { expiresAt: SESSION.expiresAt, renewAt: NOW + HOUR / 12, checkUntil: NOW + HOUR / 6 };
      assert.deepEqual(outcome, times);
      assert.deepEqual(calls, [
        ['renew', { ...times, refreshToken: 'next', secret: 'secret' }, { changes: [], entries: [] }],
      ]);
      assert.deepEqual(logged, ['provider failed', { failure }]);
    }
    const broken = await ask(() => Promise.reject(new Error('a defect')));
    assert.deepEqual([Object(broken.outcome).message, broken.calls], ['a defect', []]);
  });
});
