import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitRequests } from '../../../../functions/identity/authentication/endpoint.ts';
import type { Caller } from '../../../../functions/identity/domain/api-key.ts';
import { openAiDialect } from '../../../../functions/platform/api/dialects.ts';

const PLACES = { header: () => undefined, query: () => undefined };

const ONE = { account: 'a', keyId: 'one' };
const TWO = { account: 'a', keyId: 'two' };
const OTHER = { account: 'b', keyId: 'three' };

/** `passed` returns how many of 100 requests of a caller pass at a given time. */
const setUp = (accountLimit: number | undefined) => {
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

test('all requests pass without a limit', async () => {
  assert.equal(await setUp(undefined).passed(ONE, 0), 100);
});

test('the limit of an account is shared by its keys', async () => {
  const { passed } = setUp(5);
  assert.deepEqual([await passed(ONE, 0), await passed(TWO, 0), await passed(OTHER, 0)], [5, 0, 5]);
});

test('the limit of a key applies to that key only', async () => {
  const { passed } = setUp(50);
  assert.equal(await passed({ ...ONE, requestsPerSecond: 3 }, 0), 3);
  assert.equal(await passed(TWO, 0), 47);
});

test('a request that the key limit rejects does not count against the account limit', async () => {
  const { passed } = setUp(10);
  await passed({ ...ONE, requestsPerSecond: 1 }, 0);
  assert.equal(await passed(TWO, 0), 9);
});

test('capacity refills over time, up to one second’s worth', async () => {
  const { passed } = setUp(4);
  await passed(ONE, 0);
  assert.deepEqual([await passed(ONE, 249), await passed(ONE, 500)], [0, 2]);
  assert.equal(await passed(ONE, 3_600_000), 4);
});

test('the error of a key limit names the key, and rounds the wait up to whole seconds', async () => {
  const { ask, state } = setUp(undefined);
  state.caller = { ...ONE, requestsPerSecond: 0.4 };
  await assert.rejects(ask, {
    message: 'Too many requests per second from the API key: limit 0.4. Try again in 2 seconds.',
    retryAfterSeconds: 2,
  });
});

test('the error of an account limit names the limit and the wait', async () => {
  const { ask, passed } = setUp(2);
  await passed(ONE, 0);
  await assert.rejects(ask, {
    code: 'rate_limited',
    message: 'Too many requests per second from the account: limit 2. Try again in 1 second.',
    retryAfterSeconds: 1,
  });
});
