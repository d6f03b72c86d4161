import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authenticator,
  isSameOrigin,
  isSecure,
  keyOrSession,
  readCookie,
  readSessionCookie,
  sessionCookie,
  sessionCookieName,
  signInCookieName,
} from '../../../../functions/identity/authentication/authenticate.ts';
import { generateApiKey, type KeyTerms } from '../../../../functions/identity/domain/api-key.ts';
import { type Member, withRole } from '../../../../functions/identity/domain/person.ts';
import type { Role } from '../../../../functions/identity/domain/roles.ts';
import { openSession } from '../../../../functions/identity/domain/session.ts';
import { openAiDialect } from '../../../../functions/platform/api/dialects.ts';
import { aMember } from '../../../support/builders/person.ts';

const SESSION_MILLISECONDS = 12 * 60 * 60 * 1000;

const CALLER = { account: 'tester', keyId: 'id of the key' };

/** A key that can be revoked, with a count of look-ups. */
const withKey = (terms: Partial<KeyTerms> = {}, kind: KeyTerms['kind'] = 'plain') => {
  const { key, stored } = generateApiKey('tester', 'test', 0, terms);
  const state: { time: number; revokedAt: number | undefined; lookUps: number; owner: Member | undefined } = {
    owner: undefined,
    time: 0,
    revokedAt: undefined,
    lookUps: 0,
  };
  const keys = {
    findByHash: async (hash: string) => {
      state.lookUps += 1;
      return hash === stored.hash ? { ...stored, id: CALLER.keyId, revokedAt: state.revokedAt } : undefined;
    },
  };
  const members = { find: async () => state.owner };
  const authenticate = authenticator({ keys, members }, () => state.time, kind);
  return {
    state,
    ask: (given = key) =>
      authenticate(openAiDialect, { header: () => `Bearer ${given}`, query: () => undefined }),
  };
};

test('a key is cached for a minute', async () => {
  const { state, ask } = withKey();
  for (const time of [0, 59_999]) {
    state.time = time;
    assert.deepEqual(await ask(), CALLER);
  }
  assert.equal(state.lookUps, 1);
  state.time = 60_000;
  assert.deepEqual(await ask(), CALLER);
  assert.equal(state.lookUps, 2);
});

test('a revoked key is rejected once its cached copy expires', async () => {
  const { state, ask } = withKey();
  await ask();
  state.revokedAt = 1;
  state.time = 60_000;
  await assert.rejects(ask, { code: 'invalid_api_key', message: /unknown or revoked/ });
});

test('unknown keys are not cached, and malformed keys are not looked up', async () => {
  const { state, ask } = withKey();
  const { key: unknown } = generateApiKey('tester', 'another', 0);
  for (let tries = 0; tries < 2; tries += 1) await assert.rejects(() => ask(unknown), /unknown or revoked/);
  assert.equal(state.lookUps, 2);
  await assert.rejects(() => ask(`${unknown.slice(0, -1)}!`), /malformed/);
  assert.equal(state.lookUps, 2);
});

test('the key of a person has the role of its owner, and is rejected within a minute of losing it', async () => {
  const { state, ask } = withKey({ ownerId: 'user_1' });
  const owner = aMember({ account: 'tester', id: 'user_1', role: 'admin', addedAt: 0 });
  for (const [member, role] of [
    [owner, 'admin'],
    [withRole(owner, 'member', 1), 'member'],
    [withRole(owner, 'viewer', 1), undefined],
    [withRole(withRole(owner, 'viewer', 1), 'member', 2), undefined],
    [{ ...owner, addedAt: 1 }, undefined],
    [undefined, undefined],
  ] as const) {
    state.owner = member;
    state.time += 60_000;
    if (role === undefined)
      await assert.rejects(ask, { code: 'invalid_api_key', message: /owner of the API key/ });
    else assert.deepEqual(await ask(), { ...CALLER, personId: 'user_1', role });
  }
});

test('a key that was given to the account keeps the role of its former owner', async () => {
  assert.deepEqual(await withKey({ role: 'member' }).ask(), { ...CALLER, role: 'member' });
});

test('an expired key is rejected at once, cached or not', async () => {
  const { state, ask } = withKey({ expiresAt: 30_000 });
  state.time = 29_999;
  assert.deepEqual(await ask(), CALLER);
  for (const time of [30_000, 90_000]) {
    state.time = time;
    await assert.rejects(ask, { code: 'invalid_api_key', message: /expired at 1970-01-01T00:00:30/ });
  }
});

test('a key of the other kind has insufficient permissions', async () => {
  const refused = { code: 'insufficient_permissions' };
  await assert.rejects(withKey({ kind: 'admin' }, 'plain').ask, refused);
  await assert.rejects(withKey({ kind: 'plain' }, 'admin').ask, refused);
  assert.deepEqual(await withKey({ kind: 'admin' }, 'admin').ask(), CALLER);
});

test('the caller has the budget of its key', async () => {
  assert.deepEqual(await withKey({ monthlyBudget: '20.50' }).ask(), { ...CALLER, monthlyBudget: '20.50' });
});

const ID = `sess_${'a'.repeat(32)}`;

/** A session that can be ended, with a count of look-ups. */
const withSession = (personId?: string, acceptOverdue = false) => {
  const { cookie, session } = openSession(ID, 0);
  const state: {
    time: number;
    ended: boolean;
    lookUps: number;
    role: Role | undefined;
    checkUntil?: number;
  } = { time: 0, ended: false, lookUps: 0, role: undefined };
  const sessions = {
    find: async () => {
      state.lookUps += 1;
      const { ended, checkUntil } = state;
      const stored = { ...session, checkUntil, sealedRefreshToken: undefined, sealedSignOutUrl: undefined };
      return ended ? undefined : { ...stored, account: 'tester', role: 'admin' as const, personId };
    },
  };
  const members = {
    find: async (account: string, id: string) =>
      state.role && aMember({ account, id, role: state.role, addedAt: 0 }),
  };
  const byKey = async () => ({ account: 'of the key', keyId: 'key' });
  const authenticate = keyOrSession(byKey, { sessions, members }, () => state.time, { acceptOverdue });
  const ask = (headers: Record<string, string>) =>
    authenticate(openAiDialect, { header: (name) => headers[name], query: () => undefined });
  return { state, ask, page: { 'sec-fetch-site': 'same-origin', cookie: `__Host-mg-session=${cookie}` } };
};

test('a session is cached for a minute, and rejected within a minute of its end', async () => {
  const { state, ask, page } = withSession();
  for (const time of [0, 59_999]) {
    state.time = time;
    assert.deepEqual(await ask(page), { account: 'tester', keyId: ID, role: 'admin' });
  }
  assert.equal(state.lookUps, 1);
  state.ended = true;
  state.time = 60_000;
  await assert.rejects(ask(page), { code: 'invalid_api_key', message: /sign in again/ });
});

test('a person has the role of the member, and a change takes effect within a minute', async () => {
  const { state, ask, page } = withSession('user_1');
  const caller = { account: 'tester', keyId: ID, personId: 'user_1', email: 'ada@example.com' };
  state.role = 'member';
  assert.deepEqual(await ask(page), { ...caller, role: 'member' });
  state.role = 'viewer';
  state.time = 60_000;
  assert.deepEqual(await ask(page), { ...caller, role: 'viewer' });
  state.role = undefined;
  state.time = 120_000;
  await assert.rejects(ask(page), { code: 'invalid_api_key' });
});

test('an expired session is rejected at once, cached or not', async () => {
  const { state, ask, page } = withSession();
  state.time = SESSION_MILLISECONDS - 1;
  await ask(page);
  state.time = SESSION_MILLISECONDS;
  await assert.rejects(ask(page), { code: 'invalid_api_key' });
});

test('a session whose person the provider has not confirmed in time must be renewed, cached or not', async () => {
  const { state, ask, page } = withSession();
  state.checkUntil = 30_000;
  await ask(page);
  state.time = 30_000;
  await assert.rejects(ask(page), { code: 'session_renewal_required', message: /session\/renew/ });
  const renewing = withSession(undefined, true);
  renewing.state.checkUntil = 30_000;
  renewing.state.time = 30_000;
  assert.equal((await renewing.ask(renewing.page)).account, 'tester');
});

test('a cached session is not valid for another secret', async () => {
  const { state, ask, page } = withSession();
  await ask(page);
  const cookie = page.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  await assert.rejects(ask({ ...page, cookie }), { code: 'invalid_api_key' });
  assert.equal(state.lookUps, 2);
});

test('a key takes precedence over the cookie, and a request with neither is checked as one with a key', async () => {
  const { ask, page, state } = withSession();
  assert.equal((await ask({ ...page, authorization: 'Bearer x' })).account, 'of the key');
  assert.equal((await ask({})).account, 'of the key');
  assert.equal(state.lookUps, 0);
});

test('cookies are ignored over plain HTTP, except on localhost', async () => {
  const { ask, page } = withSession();
  const cookie = page.cookie.replace('__Host-mg-session', 'mg-session-80');
  const plain = { ...page, cookie: `${cookie}; ${page.cookie}`, 'x-forwarded-proto': 'http' };
  assert.equal((await ask({ ...plain, host: 'example.com' })).account, 'of the key');
  assert.equal((await ask({ ...plain, host: '127.0.0.1.example.com' })).account, 'of the key');
  assert.equal((await ask({ ...plain, host: 'localhost' })).account, 'tester');
});

test('a page is of the same origin by its fetch metadata, or else by its origin', () => {
  const CASES: readonly (readonly [Readonly<Record<string, string>>, boolean | undefined])[] = [
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://b.test', host: 'a.test' }, true],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://a.test', host: 'a.test' }, false],
    [{ origin: 'https://a.test', host: 'a.test', 'x-forwarded-proto': 'https' }, true],
    [{ origin: 'https://b.test', host: 'a.test', 'x-forwarded-proto': 'https' }, false],
    [{ origin: 'http://localhost:1', host: 'localhost:1', 'x-forwarded-proto': 'http' }, true],
    [{ origin: 'https://undefined', 'x-forwarded-proto': 'https' }, false],
    [{ host: 'a.test' }, undefined],
  ];
  for (const [headers, expected] of CASES) assert.equal(isSameOrigin(reader(headers)), expected);
});

const reader = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name];

test('a cookie is bound to the host over https, and to the port on this machine', () => {
  assert.equal(sessionCookieName(reader({})), '__Host-mg-session');
  assert.equal(signInCookieName(reader({ 'x-forwarded-proto': 'https' })), '__Host-mg-sign-in');
  for (const [host, name] of [
    ['localhost:8787', 'mg-session-8787'],
    ['localhost', 'mg-session-80'],
    ['127.0.0.1:1', 'mg-session-1'],
    ['[::1]:65535', 'mg-session-65535'],
    ['127.evil.example', undefined],
    ['localhost.example.com', undefined],
    ['xlocalhost', undefined],
    ['localhost:123456', undefined],
  ] as const)
    assert.equal(sessionCookieName(reader({ 'x-forwarded-proto': 'http', host })), name, host);
  assert.equal(sessionCookieName(reader({ 'x-forwarded-proto': 'http' })), undefined);
  assert.deepEqual([isSecure(reader({})), isSecure(reader({ 'x-forwarded-proto': 'http' }))], [true, false]);
});

test('a cookie is secure, and not sent by other sites unless it is part of a sign-in', () => {
  assert.equal(
    sessionCookie('__Host-mg-session', 'a', 60),
    '__Host-mg-session=a; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=60',
  );
  assert.equal(
    sessionCookie('mg-session-80', '', 0, 'Lax'),
    'mg-session-80=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
  );
});

test('a cookie is found by its whole name', () => {
  const header = reader({ cookie: 'xa=1; a=2;  b=3=4 ;__Host-mg-session=s' });
  const cookies = ['a', 'b', 'c', undefined].map((name) => readCookie(header, name));
  assert.deepEqual(cookies, ['2', '3=4', undefined, undefined]);
  assert.equal(readSessionCookie(header), 's');
  assert.equal(readCookie(reader({}), 'a'), undefined);
});
