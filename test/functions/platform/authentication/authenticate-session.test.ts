import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiDialect } from '../../../../functions/platform/api/errors.ts';
import { keyOrSession } from '../../../../functions/platform/authentication/authenticate-session.ts';
import { openSession, SESSION_MILLISECONDS } from '../../../../functions/platform/domain/session.ts';

const ID = `sess_${'a'.repeat(32)}`;

/** A session that can be ended, and what the table was asked. */
const world = () => {
  const { cookie, session } = openSession(ID, 0);
  const state = { time: 0, ended: false, lookUps: 0 };
  const sessions = {
    find: async () => {
      state.lookUps += 1;
      return state.ended ? undefined : { ...session, account: 'tester' };
    },
  };
  const byKey = async () => ({ account: 'of the key', keyId: 'key' });
  const authenticate = keyOrSession(byKey, sessions, () => state.time);
  const ask = (headers: Record<string, string>) =>
    authenticate(openAiDialect, { header: (name) => headers[name], query: () => undefined });
  return { state, ask, page: { 'sec-fetch-site': 'same-origin', cookie: `__Host-mg-session=${cookie}` } };
};

test('a session is looked up once a minute, and refused within a minute of its end', async () => {
  const { state, ask, page } = world();
  for (const time of [0, 59_999]) {
    state.time = time;
    assert.deepEqual(await ask(page), { account: 'tester', keyId: ID });
  }
  assert.equal(state.lookUps, 1);
  state.ended = true;
  state.time = 60_000;
  await assert.rejects(ask(page), { code: 'invalid_api_key', message: /sign in again/ });
});

test('a session that has expired is refused at once, however fresh the look-up', async () => {
  const { state, ask, page } = world();
  state.time = SESSION_MILLISECONDS - 1;
  await ask(page);
  state.time = SESSION_MILLISECONDS;
  await assert.rejects(ask(page), { code: 'invalid_api_key' });
});

test('a kept session is not kept for another secret', async () => {
  const { state, ask, page } = world();
  await ask(page);
  const cookie = page.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  await assert.rejects(ask({ ...page, cookie }), { code: 'invalid_api_key' });
  assert.equal(state.lookUps, 2);
});

test('a key goes before the cookie, and a request with neither is the key’s matter', async () => {
  const { ask, page, state } = world();
  assert.equal((await ask({ ...page, authorization: 'Bearer x' })).account, 'of the key');
  assert.equal((await ask({})).account, 'of the key');
  assert.equal(state.lookUps, 0);
});

test('over plain http away from this machine no cookie counts', async () => {
  const { ask, page } = world();
  const cookie = page.cookie.replace('__Host-mg-session', 'mg-session-80');
  const plain = { ...page, cookie: `${cookie}; ${page.cookie}`, 'x-forwarded-proto': 'http' };
  assert.equal((await ask({ ...plain, host: 'example.com' })).account, 'of the key');
  assert.equal((await ask({ ...plain, host: '127.0.0.1.example.com' })).account, 'of the key');
  assert.equal((await ask({ ...plain, host: 'localhost' })).account, 'tester');
});
