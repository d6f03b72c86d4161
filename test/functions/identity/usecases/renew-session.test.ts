import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Caller } from '../../../../functions/identity/domain/api-key.ts';
import type { Member } from '../../../../functions/identity/domain/person.ts';
import type { SessionWrites } from '../../../../functions/identity/domain/provider.ts';
import { DEFAULT_TIMES, type Session } from '../../../../functions/identity/domain/session.ts';
import {
  type RenewalDependencies,
  renewSession,
  switchAccount,
} from '../../../../functions/identity/usecases/renew-session.ts';
import { strictLogger } from '../../../support/loggers.ts';

const HOUR = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 0, 15);
const PERSON = `user_${'a'.repeat(32)}`;
const ORIGIN = {
  actor: { kind: 'operator', id: 'ada' },
  ip: '192.0.2.1',
  userAgent: undefined,
} as const;

const MEMBER: Member = {
  issuer: 'https://id.example.com',
  subject: 'ada',
  account: 'other',
  id: PERSON,
  email: 'ada@example.com',
  name: 'Ada',
  role: 'viewer',
  source: 'invitation',
  addedAt: NOW - HOUR,
};

const SESSION: Session = {
  id: `sess_${'0'.repeat(32)}`,
  account: 'acme',
  createdAt: NOW - HOUR,
  expiresAt: NOW + HOUR,
  endsAt: NOW + 24 * HOUR,
  renewAt: NOW + 1,
  secretHash: 'hash',
  role: 'admin',
  personId: PERSON,
  checkUntil: undefined,
  sealedRefreshToken: 'sealed',
  sealedSignOutUrl: undefined,
};

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
    assert.deepEqual(rest, {
      createdAt: NOW,
      expiresAt: NOW + 12 * HOUR,
      endsAt: SESSION.endsAt,
      renewAt: SESSION.renewAt,
      account: 'other',
      role: 'viewer',
      personId: PERSON,
      createdBy: undefined,
      checkUntil: undefined,
      sealedRefreshToken: undefined,
      sealedSignOutUrl: undefined,
    });
    const [[name, opened, changes] = []] = calls;
    assert.equal(name, 'open');
    assert.partialDeepStrictEqual(opened, {
      session: { id, account: 'other' },
      tokens: { refreshToken: 'refresh' },
    });
    const details = { from: 'acme', to: 'other' };
    assert.partialDeepStrictEqual(changes, {
      ends: SESSION,
      changes: [{ kind: 'update', member: { ...MEMBER, lastSignInAt: NOW }, before: MEMBER }],
      entries: [
        {
          account: 'acme',
          at: NOW,
          type: 'session.ended',
          resourceId: SESSION.id,
          details: { reason: 'switched', ...details },
        },
        {
          account: 'other',
          at: NOW,
          type: 'login.succeeded',
          resourceId: id,
          details: { via: 'switch', ...details },
        },
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
      await assert.rejects(switchTo(account).switched, { code: 'not_found', param: 'project_id' });
    await assert.rejects(switchTo('other', { caller: { account: 'acme', keyId: SESSION.id } }).switched, {
      code: 'insufficient_permissions',
    });
    await assert.rejects(switchTo('other', { open: false }).switched, { code: 'invalid_api_key' });
  });
});

describe('a renewal', () => {
  const renew = (session: Session, dependencies: Partial<RenewalDependencies> = {}) => {
    const { calls, writes } = recordWrites();
    const renewed = renewSession(
      {
        provider: undefined,
        directory,
        writes,
        issuer: MEMBER.issuer,
        rules: { accounts: [], emailDomains: [] },
        times: DEFAULT_TIMES,
        logger: strictLogger,
        now: () => NOW,
        ...dependencies,
      },
      { session, secret: 'secret', origin: ORIGIN },
    );
    return { calls, renewed };
  };

  test('changes nothing before its time', async () => {
    const { calls, renewed } = renew(SESSION);
    assert.deepEqual([await renewed, calls], [SESSION, []]);
  });

  test('starts the idle time again, until the session ends', async () => {
    const { calls, renewed } = renew({ ...SESSION, renewAt: NOW });
    assert.equal((await renewed).expiresAt, NOW + 12 * HOUR);
    assert.deepEqual(
      calls.map(([name]) => name),
      ['renew'],
    );
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
