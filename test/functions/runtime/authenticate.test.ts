import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiDialect } from '../../../functions/api/errors.ts';
import { generateApiKey } from '../../../functions/domain/api-key.ts';
import { authenticator } from '../../../functions/runtime/authenticate.ts';

const CALLER = { account: 'tester', keyId: 'id of the key' };

/** A key that can be revoked, and what the table was asked. */
const world = () => {
  const { key, stored } = generateApiKey('tester', 'test', 0);
  const state: { time: number; revokedAt: number | undefined; lookUps: number } = {
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
  const authenticate = authenticator(keys, () => state.time);
  return { state, ask: (given = key) => authenticate(openAiDialect, () => `Bearer ${given}`) };
};

test('a key is looked up once a minute', async () => {
  const { state, ask } = world();
  for (const time of [0, 59_999]) {
    state.time = time;
    assert.deepEqual(await ask(), CALLER);
  }
  assert.equal(state.lookUps, 1);
  state.time = 60_000;
  assert.deepEqual(await ask(), CALLER);
  assert.equal(state.lookUps, 2);
});

test('a revoked key is refused when its minute is over', async () => {
  const { state, ask } = world();
  await ask();
  state.revokedAt = 1;
  state.time = 60_000;
  await assert.rejects(ask, { code: 'invalid_api_key', message: /unknown or revoked/ });
});

test('a key that is unknown is asked for each time, and one that cannot be a key never', async () => {
  const { state, ask } = world();
  const { key: unknown } = generateApiKey('tester', 'another', 0);
  for (let tries = 0; tries < 2; tries += 1) await assert.rejects(() => ask(unknown), /unknown or revoked/);
  assert.equal(state.lookUps, 2);
  await assert.rejects(() => ask(`${unknown.slice(0, -1)}!`), /malformed/);
  assert.equal(state.lookUps, 2);
});
