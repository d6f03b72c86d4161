import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  findBackers,
  generateLink,
  isAlive,
  isOpen,
  isOverdue,
  isSessionId,
  openSession,
  readCookieValue,
  sessionTimes,
  toSessionId,
} from '../../../../functions/identity/domain/session.ts';
import { aSession } from '../../../support/builders/person.ts';

const NOW = 1_800_000_000_000;
const SECRET = 'b'.repeat(43);
const ID = `sess_${'0'.repeat(32)}`;

describe('a sign-in link', () => {
  test('has a token with its account, and is valid for 15 minutes', () => {
    const { token, stored } = generateLink('acme', NOW);
    assert.match(token, /^mgl_[A-Za-z0-9_-]{43}\.acme$/);
    const times = { createdAt: NOW, linkUntil: NOW + 900_000 };
    assert.deepEqual(stored, { id: toSessionId(token), account: 'acme', ...times, role: 'admin' });
  });

  test('has a session id that is the hash of its token', () => {
    assert.equal(toSessionId(`mgl_${'a'.repeat(43)}.acme`), 'sess_2b2b39037c395a6dd9be477923dbd9ed');
  });

  test('needs the name of an account', () => {
    assert.throws(() => generateLink('a b', NOW), /^Error: an account has 1 to 100 letters/);
  });

  const random = 'a'.repeat(43);
  for (const token of [
    ...[`mgl_${'a'.repeat(42)}.acme`, `mgl_a${random}.acme`, `mgx_${random}.acme`, ` mgl_${random}.acme`],
    ...[`mgl_${random}.acme `, `mgl_${random}`],
  ])
    test(`rejects the token '${token}'`, () => assert.equal(toSessionId(token), undefined));
});

describe('a session', () => {
  test('lasts 12 hours without renewal and 30 days at most, and has a new secret in its cookie', () => {
    const { cookie, secret, session } = openSession(ID, NOW);
    const { secretHash, ...read } = readCookieValue(cookie) ?? assert.fail();
    assert.deepEqual(read, { id: ID, secret });
    const times = { createdAt: NOW, expiresAt: NOW + 43_200_000, renewAt: NOW + 3_300_000 };
    assert.deepEqual(session, { id: ID, secretHash, ...times, endsAt: NOW + 2_592_000_000 });
    assert.match(cookie, /^sess_0{32}\.[A-Za-z0-9_-]{43}$/);
    assert.notEqual(openSession(ID, NOW).cookie, cookie);
  });

  test('is open until it expires', () => {
    const { session } = openSession(ID, NOW);
    const open = [0, 43_199_999, 43_200_000].map((later) => isOpen(session, NOW + later));
    assert.deepEqual(open, [true, true, false]);
  });

  test('is renewed halfway through a short idle time, and never beyond its end', () => {
    const times = { idleMilliseconds: 60_000, maxMilliseconds: 90_000 };
    const { expiresAt, renewAt, endsAt } = openSession(ID, NOW, times).session;
    assert.deepEqual([expiresAt, renewAt, endsAt], [NOW + 60_000, NOW + 30_000, NOW + 90_000]);
    assert.deepEqual(sessionTimes(NOW + 80_000, endsAt, times), { expiresAt: endsAt, renewAt: endsAt });
  });

  test('of a provider is overdue when the provider has not confirmed the person in time', () => {
    const checks = [undefined, NOW + 1, NOW].map((checkUntil) => isOverdue({ checkUntil }, NOW));
    assert.deepEqual(checks, [false, false, true]);
  });

  test('that is overdue can continue only with a refresh token', () => {
    const alive = (checkUntil: number | undefined, sealedRefreshToken: string | undefined, now = NOW) =>
      isAlive(aSession(NOW, { checkUntil, sealedRefreshToken }), now);
    const [none, early, late] = [
      alive(undefined, undefined),
      alive(NOW + 1, undefined),
      alive(NOW, undefined),
    ];
    assert.deepEqual([none, early, late, alive(NOW, 'sealed')], [true, true, false, true]);
    assert.equal(alive(NOW, 'sealed', NOW + 3_600_000), false);
  });

  test("stores the hash of the cookie's secret", () => {
    const secretHash = 'f01b57226261ae3756b93936e1c4e6b849f9a5b0933fa3b91843bf4195b9d964';
    assert.deepEqual(readCookieValue(`${ID}.${SECRET}`), { id: ID, secret: SECRET, secretHash });
  });

  for (const value of [`${ID}${SECRET}`, ` ${ID}.${SECRET}`, `${ID}.${SECRET}b`, `${ID}0.${SECRET}`, ''])
    test(`rejects the cookie '${value}'`, () => {
      assert.equal(readCookieValue(value), undefined);
    });

  test('has an id of its form', () => {
    const ids = [ID, `${ID}0`, ` ${ID}`, 'sess_', ID.replace('0', 'g')];
    assert.deepEqual(ids.map(isSessionId), [true, false, false, false, false]);
  });
});

test('a link depends on its person and on the admin who created it, as far as they are known', async () => {
  const asked: string[] = [];
  const members = { find: async (_account: string, id: string) => void asked.push(id) };
  const link = { account: 'acme', createdAt: NOW, personId: undefined, createdBy: undefined };
  assert.deepEqual(await findBackers(members, link), []);
  await findBackers(members, { ...link, personId: 'user_1', createdBy: 'user_2' });
  assert.deepEqual(asked, ['user_1', 'user_2']);
});
