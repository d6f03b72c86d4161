import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
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
 * Makes all writes or none, and returns one entry per write: the item that failed its condition (empty if the item does
 * not exist or was not requested), or undefined if the condition held. Returns an empty list if all succeeded. The token
 * is the same for as long as an earlier try may still take effect, so that a transaction whose response was lost does
 * not fail because of itself.
 */
export const writeTogether = async (
  client: DynamoDBClient,
  writes: readonly TransactWriteItem[],
): Promise<readonly (Attributes | undefined)[]> => {
  let ClientRequestToken = randomUUID();
  const write = async (): Promise<void> => {
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems: [...writes], ClientRequestToken }));
    } catch (error) {
      // A cancelled transaction cannot take effect any more.
      if (error instanceof TransactionCanceledException) ClientRequestToken = randomUUID();
      throw error;
    }
  };
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
