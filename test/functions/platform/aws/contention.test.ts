import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { isInvalid, retryOnConflict, writeTogether } from '../../../../functions/platform/aws/contention.ts';

const facts = { $metadata: {}, message: 'conflict' };
const CONFLICT = new TransactionConflictException(facts);
const canceled = (...codes: readonly string[]) =>
  new TransactionCanceledException({ ...facts, CancellationReasons: codes.map((Code) => ({ Code })) });

/** Returns a write that throws the given errors in turn, then succeeds. */
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

describe('retryOnConflict', () => {
  for (const [title, error] of [
    ['a conflict', CONFLICT],
    [
      'a transaction that is still in progress',
      new TransactionInProgressException({ $metadata: {}, message: 'again' }),
    ],
    ['a conflict within a transaction', canceled('None', 'TransactionConflict')],
  ] as const)
    test(`retries after ${title}`, async () => {
      const { state, write } = failing(error, error);
      assert.deepEqual([await retryOnConflict(write), state.tries], ['written', 3]);
    });

  test('gives up with rate_limited and a Retry-After when its time is over', async () => {
    const { state, write } = failing(...Array.from({ length: 1000 }, () => CONFLICT));
    await assert.rejects(retryOnConflict(write, 300), {
      code: 'rate_limited',
      retryAfterSeconds: 1,
      cause: CONFLICT,
    });
    assert.ok(state.tries > 2, `${state.tries} tries`);
  });

  test('does not retry other errors', async () => {
    const unexplained = new TransactionCanceledException(facts);
    for (const error of [new Error('down'), canceled('ConditionalCheckFailed', 'None'), unexplained]) {
      const { state, write } = failing(error);
      await assert.rejects(retryOnConflict(write), error);
      assert.equal(state.tries, 1);
    }
  });
});

describe('a transaction', () => {
  /** A transaction that fails with the given errors in turn, then succeeds. */
  const write = (...errors: readonly Error[]) => {
    const client = new DynamoDBClient({ region: 'local' });
    client.send = failing(...errors).write;
    return writeTogether(client, []);
  };

  test('returns nothing if it succeeds, else each failed condition, with its item if there is one', async () => {
    assert.deepEqual(await write(CONFLICT), []);
    const item = { id: { S: 'one' } };
    const error = new TransactionCanceledException({
      ...facts,
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Item: item },
        { Code: 'ConditionalCheckFailed' },
      ],
    });
    assert.deepEqual(await write(error), [undefined, item, {}]);
  });

  // A throttled transaction has written nothing: its charge must not count as recorded.
  for (const code of ['ThrottlingError', 'ProvisionedThroughputExceeded', 'ValidationError'])
    test(`throws on ${code}, even if a condition failed too`, async () => {
      for (const error of [canceled('None', code), canceled('ConditionalCheckFailed', code)])
        await assert.rejects(write(error), error);
    });
});

test('a transaction is invalid if one of its writes does not fit its item', () => {
  assert.deepEqual(
    [
      canceled('None', 'ValidationError'),
      canceled('None', 'ConditionalCheckFailed'),
      new TransactionCanceledException(facts),
      CONFLICT,
    ].map(isInvalid),
    [true, false, false, false],
  );
});
