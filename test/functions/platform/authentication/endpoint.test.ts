import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiDialect } from '../../../../functions/platform/api/errors.ts';
import { limitRequests } from '../../../../functions/platform/authentication/endpoint.ts';
import type { Caller } from '../../../../functions/platform/domain/api-key.ts';

const PLACES = { header: () => undefined, query: () => undefined };

const ONE = { account: 'a', keyId: 'one' };
const TWO = { account: 'a', keyId: 'two' };
const OTHER = { account: 'b', keyId: 'three' };

/** Tells how many of a hundred requests of a caller pass at a time. */
const world = (accountLimit: number | undefined) => {
  const state: { time: number; caller: Caller } = { time: 0, caller: ONE };
  const ask = limitRequests(
    async () => state.caller,
    accountLimit,
    () => state.time,
  );
  const passed = async (caller: Caller, time: number): Promise<number> => {
    Object.assign(state, { time, caller });
    const answers = await Promise.allSettled(Array.from({ length: 100 }, () => ask(openAiDialect, PLACES)));
    return answers.filter(({ status }) => status === 'fulfilled').length;
  };
  return { state, ask: () => ask(openAiDialect, PLACES), passed };
};

test('without a limit every request passes', async () => {
  assert.equal(await world(undefined).passed(ONE, 0), 100);
});

test('a limit of an account holds for its keys together, and for no other account', async () => {
  const { passed } = world(5);
  assert.deepEqual([await passed(ONE, 0), await passed(TWO, 0), await passed(OTHER, 0)], [5, 0, 5]);
});

test('a limit of a key holds for that key alone', async () => {
  const { passed } = world(50);
  assert.equal(await passed({ ...ONE, requestsPerSecond: 3 }, 0), 3);
  assert.equal(await passed(TWO, 0), 47);
});

test('what is refused by one limit is not taken from the other', async () => {
  const { passed } = world(10);
  await passed({ ...ONE, requestsPerSecond: 1 }, 0);
  assert.equal(await passed(TWO, 0), 9);
});

test('room comes back with time, and never more than a second’s worth', async () => {
  const { passed } = world(4);
  await passed(ONE, 0);
  assert.deepEqual([await passed(ONE, 249), await passed(ONE, 500)], [0, 2]);
  assert.equal(await passed(ONE, 3_600_000), 4);
});

test('a refusal is rounded up to whole seconds, and names the key where its limit is meant', async () => {
  const { ask, state } = world(undefined);
  state.caller = { ...ONE, requestsPerSecond: 0.4 };
  await assert.rejects(ask, {
    message: 'Too many requests a second from the API key: limit 0.4. Try again in 2 seconds.',
    retryAfterSeconds: 2,
  });
});

test('a refusal names the limit and says when to come again', async () => {
  const { ask, passed } = world(2);
  await passed(ONE, 0);
  await assert.rejects(ask, {
    code: 'rate_limited',
    message: 'Too many requests a second from the account: limit 2. Try again in 1 second.',
    retryAfterSeconds: 1,
  });
});
