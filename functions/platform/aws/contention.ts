import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { conflictDelay } from '../../videos/domain/schedule.ts';
import { DomainError } from '../domain/errors.ts';
import type { Attributes } from './attributes.ts';
import { hasName } from './aws-clients.ts';

/** All creates of an account, and all that a key makes in a day, are counted in one item. A create has 28 seconds. */
const PATIENCE = 10_000;

const isConflict = (error: unknown): boolean =>
  hasName(error, 'TransactionConflictException', 'TransactionInProgressException') ||
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict'));

/** Repeats a write that met another of the same item; the pauses differ, so that the two do not meet again. */
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
 * Runs a transaction. For each of its writes whose condition failed, the item that failed it, empty where that was
 * not asked for or there is none; undefined for all others. Anything else that went wrong is thrown.
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
