import type { StoredLimits } from '../../functions/accounts/adapters/dynamo-accounts.ts';
import { readBudget, TermsError } from './key-terms.ts';

export const LIMIT_OPTIONS = {
  'monthly-budget': { type: 'string' },
  'videos-at-once': { type: 'string' },
  'creates-per-minute': { type: 'string' },
} as const;
export type LimitOptions = { readonly [Name in keyof typeof LIMIT_OPTIONS]?: string | undefined };

/** A new limit, null for none, undefined for the stack's default; what is not named stays as it is. */
export type LimitChanges = { readonly [Name in keyof StoredLimits]?: StoredLimits[Name] };

const count =
  (option: string, most: number) =>
  (given: string): number => {
    const number = /^\d{1,6}$/.test(given) ? Number(given) : 0;
    if (number < 1 || number > most)
      throw new TermsError(`--${option} takes a whole number from 1 to ${most}, none, or default.`);
    return number;
  };

const budget = (given: string): string =>
  readBudget(given, 'an amount such as 20 or 19.95 with up to 6 decimals, none, or default');

const change = <T>(given: string | undefined, name: string, read: (text: string) => T) => {
  if (given === undefined) return {};
  if (given === 'none') return { [name]: null };
  return { [name]: given === 'default' ? undefined : read(given) };
};

export const readLimitChanges = (options: LimitOptions): LimitChanges => {
  const changes = {
    ...change(options['monthly-budget'], 'monthlyBudget', budget),
    ...change(options['videos-at-once'], 'videosAtOnce', count('videos-at-once', 100_000)),
    ...change(options['creates-per-minute'], 'createsPerMinute', count('creates-per-minute', 100_000)),
  };
  if (Object.keys(changes).length === 0)
    throw new TermsError(`set takes at least one of --${Object.keys(LIMIT_OPTIONS).join(', --')}.`);
  return changes;
};
