import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiDialect } from '../../../../functions/platform/api/errors.ts';
import { authenticator } from '../../../../functions/platform/authentication/authenticate.ts';
import { generateApiKey, type KeyTerms } from '../../../../functions/platform/domain/api-key.ts';

const CALLER = { account: 'tester', keyId: 'id of the key' };

/** A key that can be revoked, and what the table was asked. */
const world = (terms: Partial<KeyTerms> = {}, kind: KeyTerms['kind'] = 'plain') => {
  const { key, stored } = generateApiKey('tester', 'test', 0, terms);
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
  const authenticate = authenticator(keys, () => state.time, kind);
  return {
    state,
    ask: (given = key) =>
      authenticate(openAiDialect, { header: () => `Bearer ${given}`, query: () => undefined }),
  };
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

test('an expired key is refused from that very moment, kept or not, with the reason', async () => {
  const { state, ask } = world({ expiresAt: 30_000 });
  state.time = 29_999;
  assert.deepEqual(await ask(), CALLER);
  for (const time of [30_000, 90_000]) {
    state.time = time;
    await assert.rejects(ask, { code: 'invalid_api_key', message: /expired at 1970-01-01T00:00:30/ });
  }
});

test('a key of the other kind is known, but may not do this', async () => {
  for (const [has, needs] of [
    ['admin', 'plain'],
    ['plain', 'admin'],
  ] as const)
    await assert.rejects(world({ kind: has }, needs).ask, { code: 'insufficient_permissions' });
  assert.deepEqual(await world({ kind: 'admin' }, 'admin').ask(), CALLER);
});

test('a caller carries the budget of its key', async () => {
  assert.deepEqual(await world({ monthlyBudget: '20.50' }).ask(), { ...CALLER, monthlyBudget: '20.50' });
});
