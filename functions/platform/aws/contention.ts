import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { conflictDelay } from '../domain/conflicts.ts';
import { DomainError } from '../domain/errors.ts';
import type { Attributes } from './attributes.ts';
import { hasName } from './aws-clients.ts';

/** Creates of one account contend for one item. A create may take 28 seconds. */
const PATIENCE = 10_000;

const isConflict = (error: unknown): boolean =>
  hasName(error, 'TransactionConflictException', 'TransactionInProgressException') ||
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict'));

/** A write of the transaction does not fit the stored item, for example because a map is missing. */
export const isInvalid = (error: unknown): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ValidationError');

/** Retries a write that conflicted with another write of the same item, with jitter. */
export const retryOnConflict = async <T>(write: () => Promise<T>, patience = PATIENCE): Promise<T> => {
  const giveUpAt = performance.now() + patience;
  for (let tries = 1; ; tries += 1)
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (performance.now() > giveUpAt)
        throw new DomainError('rate_limited', 'Too many requests change the same data at once; try again.', {
          retryAfterSeconds: 1,
          cause: error,
        });
      await sleep(conflictDelay(tries, Math.random()));
    }
};

/**
 * Runs a transaction and returns one entry per write: the item that failed its condition (empty if the item does not
 * exist or was not requested), or undefined if the condition held. Returns an empty list if all succeeded.
 */
export const failedConditions = async (
  write: () => Promise<unknown>,
): Promise<readonly (Attributes | undefined)[]> => {
  try {
    await retryOnConflict(write);
    return [];
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    if (reasons.some(({ Code }) => Code !== 'None' && Code !== 'ConditionalCheckFailed')) throw error;
    return reasons.map(({ Code, Item }) => (Code === 'ConditionalCheckFailed' ? (Item ?? {}) : undefined));
  }
};

/**
 * Makes all writes or none, as above. The token is the same for as long as an earlier try may still take effect, so that
 * a transaction whose response was lost does not fail because of itself.
 */
export const writeTogether = (
  client: DynamoDBClient,
  writes: readonly TransactWriteItem[],
): Promise<readonly (Attributes | undefined)[]> => {
  let ClientRequestToken = randomUUID();
  return failedConditions(async () => {
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems: [...writes], ClientRequestToken }));
    } catch (error) {
      // A cancelled transaction cannot take effect any more.
      if (error instanceof TransactionCanceledException) ClientRequestToken = randomUUID();
      throw error;
    }
  });
};

/** Runs a conditional write of one item, again as long as a transaction holds the item; false if its condition failed. */
export const conditionHeld = async (write: () => Promise<unknown>): Promise<boolean> => {
  try {
    await retryOnConflict(write);
    return true;
  } catch (error) {
    if (hasName(error, 'ConditionalCheckFailedException')) return false;
    throw error;
  }
};

/**
 * Runs a conditional write that stores the given id as `write_id` and returns the old item if its condition fails; false
 * means that it failed. When a response is lost, the SDK repeats the write, which then fails because of itself: the
 * stored id shows that it was made.
 */
export const conditionHeldOnce = async (write: (writeId: string) => Promise<unknown>): Promise<boolean> => {
  const writeId = randomUUID();
  try {
    await retryOnConflict(() => write(writeId));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item?.write_id?.S === writeId;
  }
};
