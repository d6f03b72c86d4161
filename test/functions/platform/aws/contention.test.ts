import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { failedConditions, retryOnConflict } from '../../../../functions/platform/aws/contention.ts';

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
    [
      'while the same transaction is running',
      new TransactionInProgressException({ $metadata: {}, message: 'again' }),
    ],
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

describe('a transaction', () => {
  test('that is written has no failed conditions', async () => {
    assert.deepEqual(await failedConditions(async () => 'written'), []);
  });

  test('tells each condition that failed, with its item if there is one', async () => {
    const item = { id: { S: 'one' } };
    const error = new TransactionCanceledException({
      ...facts,
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Item: item },
        { Code: 'ConditionalCheckFailed' },
      ],
    });
    assert.deepEqual(await failedConditions(failing(error).write), [undefined, item, {}]);
  });

  // A transaction that DynamoDB throttled has written nothing: it must not pass for a charge that is recorded.
  for (const code of [
    'ThrottlingError',
    'ProvisionedThroughputExceeded',
    'ItemCollectionSizeLimitExceeded',
    'ValidationError',
  ])
    test(`that is canceled with ${code} fails, also where a condition failed beside it`, async () => {
      for (const error of [canceled('None', code), canceled('ConditionalCheckFailed', code)])
        await assert.rejects(failedConditions(failing(error).write), error);
    });

  test('that fails for another reason fails', async () => {
    const error = new Error('down');
    await assert.rejects(failedConditions(failing(error).write), error);
  });
});
