import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from './errors.ts';

/** One of the changes that are made at the same time succeeds at each attempt. */
const MAX_ATTEMPTS = 20;

/** The pause before a write that conflicted is retried: random, and up to one second after many conflicts. */
export const conflictDelay = (attempts: number, random: number): number =>
  random * Math.min(25 * 2 ** attempts, 1000);

/** Repeats a change that another one has overtaken, which it reports with undefined. */
export const retryOvertaken = async <Changed>(
  what: string,
  change: () => Promise<Changed | undefined>,
): Promise<Changed> => {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    const changed = await change();
    if (changed !== undefined) return changed;
    if (attempts < MAX_ATTEMPTS) await sleep(conflictDelay(attempts, Math.random()));
  }
  throw new DomainError(
    'concurrent_update',
    `Too many requests change ${what} at the same time. This change was not made. Try again.`,
  );
};
