import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { hasName } from './aws-clients.ts';

/** Some seconds in all: every image that a key makes in one size on one day is added to the same item. */
const MAX_TRIES = 12;
const LONGEST_PAUSE = 1000;

const isConflict = (error: unknown): boolean =>
  hasName(error, 'TransactionConflictException', 'TransactionInProgressException') ||
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict'));

/** Repeats a write that met another of the same item; the pauses differ, so that the two do not meet again. */
export const despiteConflicts = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error) || tries === MAX_TRIES) throw error;
      await sleep(Math.random() * Math.min(LONGEST_PAUSE, 25 * 2 ** tries));
    }
};
