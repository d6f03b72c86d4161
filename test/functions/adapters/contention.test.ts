import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { retryOnConflict } from '../../../functions/adapters/contention.ts';

const facts = { $metadata: {}, message: 'met another write' };
const CONFLICT = new TransactionConflictException(facts);
const canceled = (...codes: readonly string[]) =>
  new TransactionCanceledException({ ...facts, CancellationReasons: codes.map((Code) => ({ Code })) });

/** Fails as often as there are errors, then succeeds. */
const failing = (...errors: readonly Error[]) => {
  const state = { tries: 0 };
  const write = async (): Promise<string> => {
    const error = errors[state.tries];
    state.tries += 1;
    if (error !== undefined) throw error;
    return 'written';
  };
  return { state, write };
};

describe('a write that meets another of the same item', () => {
  for (const [title, error] of [
    ['alone', CONFLICT],
    ['as part of a transaction', canceled('None', 'TransactionConflict')],
  ] as const)
    test(`is tried again, ${title}`, async () => {
      const { state, write } = failing(error, error);
      assert.deepEqual([await retryOnConflict(write), state.tries], ['written', 3]);
    });

  test('is refused when it has been tried for long enough, with the time to try again', async () => {
    const { state, write } = failing(...Array.from({ length: 1000 }, () => CONFLICT));
    await assert.rejects(retryOnConflict(write, 300), {
      code: 'rate_limited',
      retryAfterSeconds: 1,
      cause: CONFLICT,
    });
    assert.ok(state.tries > 2, `${state.tries} tries`);
  });

  test('is not tried again for anything else', async () => {
    for (const error of [new Error('down'), canceled('ConditionalCheckFailed', 'None')]) {
      const { state, write } = failing(error);
      await assert.rejects(retryOnConflict(write), error);
      assert.equal(state.tries, 1);
    }
  });
});
