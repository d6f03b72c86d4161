import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endSession, signIn } from '../../../../functions/accounts/usecases/manage-sessions.ts';
import type { SessionAdministration } from '../../../../functions/platform/domain/session.ts';

const NOW = 1_800_000_000_000;
const TOKEN = `mgl_${'a'.repeat(43)}.acme`;
const ID = 'sess_2b2b39037c395a6dd9be477923dbd9ed';
const OTHER = `sess_${'1'.repeat(32)}`;

/** Sessions of which only the given ones exist, and a record of the calls. */
const sessionsWith = (existing: readonly string[]) => {
  const done: string[] = [];
  const sessions: SessionAdministration = {
    addLink: async () => {},
    redeem: async (session) => (existing.includes(session.id) ? { ...session, account: 'acme' } : undefined),
    list: async () => [],
    end: async (account, id) => {
      done.push(`end ${account} ${id}`);
      return existing.includes(id);
    },
    endAll: async (account) => void done.push(`endAll ${account}`),
  };
  return { sessions, done };
};

describe('signIn', () => {
  test('exchanges the token of a link for a session of 12 hours', async () => {
    const { sessions } = sessionsWith([ID]);
    const { session, cookie } = await signIn({ sessions, now: () => NOW }, TOKEN);
    const { secretHash, ...rest } = session;
    assert.deepEqual(rest, { id: ID, account: 'acme', createdAt: NOW, expiresAt: NOW + 43_200_000 });
    assert.match(secretHash, /^[0-9a-f]{64}$/);
    assert.ok(cookie.startsWith(`${ID}.`), cookie);
  });

  for (const [name, token, words] of [
    [
      'a malformed token',
      'mgl_short.acme',
      /^token is not from a sign-in link\. Get a new link with npm run console/,
    ],
    [
      'an unknown or used token',
      TOKEN,
      /^token is unknown, was already used or is older than 15 minutes\. Get a new link/,
    ],
  ] as const)
    test(`refuses ${name}`, async () => {
      const { sessions } = sessionsWith([]);
      await assert.rejects(signIn({ sessions, now: () => NOW }, token), {
        code: 'invalid_request',
        param: 'token',
        message: words,
      });
    });
});

describe('endSession', () => {
  const CALLER = { account: 'acme', keyId: ID };

  for (const [name, which, ended, did] of [
    ['the session of the caller', 'current', ID, `end acme ${ID}`],
    ['another session of the account', OTHER, OTHER, `end acme ${OTHER}`],
    ['all sessions', 'all', 'all', 'endAll acme'],
  ] as const)
    test(`ends ${name}`, async () => {
      const { sessions, done } = sessionsWith([ID, OTHER]);
      assert.equal(await endSession(sessions, CALLER, which), ended);
      assert.deepEqual(done, [did]);
    });

  for (const [name, which, asked] of [
    ['an unknown session', OTHER, 1],
    ['an id of something else', 'key_1', 0],
  ] as const)
    test(`does not find ${name}`, async () => {
      const { sessions, done } = sessionsWith([]);
      await assert.rejects(endSession(sessions, CALLER, which), { code: 'not_found', param: 'session_id' });
      assert.equal(done.length, asked);
    });
});
