import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { despiteConflicts } from '../../../functions/adapters/contention.ts';

// The local DynamoDB writes one item at a time, so that nothing there meets another write.
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
      assert.deepEqual([await despiteConflicts(write), state.tries], ['written', 3]);
    });

  test('is given up after twelve tries', async () => {
    const { state, write } = failing(...Array.from({ length: 15 }, () => CONFLICT));
    await assert.rejects(despiteConflicts(write), CONFLICT);
    assert.equal(state.tries, 12);
  });

  test('is not tried again for anything else', async () => {
    for (const error of [new Error('down'), canceled('ConditionalCheckFailed', 'None')]) {
      const { state, write } = failing(error);
      await assert.rejects(despiteConflicts(write), error);
      assert.equal(state.tries, 1);
    }
  });
});
