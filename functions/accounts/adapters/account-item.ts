import {
  type Attributes,
  amountOrNull,
  encode,
  number,
  optional,
  sum,
} from '../../platform/aws/attributes.ts';
import type { AccountUse, Limits, Reservation } from '../domain/limits.ts';
import { minuteOf, monthAfter, monthOf } from '../domain/periods.ts';

/**
 * An account as DynamoDB holds it: its limits and its counters by period, in one item of a few hundred bytes. A key
 * with a budget has an item of its own beside it, which holds its counters alone.
 */

export const committedName = (month: string): string => `committed#${month}`;
export const createsName = (time: number): string => `creates#${minuteOf(time)}`;

/** No name of an account has a `#`. */
const SEPARATOR = '#';

export const accountKey = (account: string): Attributes => encode({ account });
export const keyOfApiKey = ({ account, keyId }: Pick<Reservation, 'account' | 'keyId'>): Attributes =>
  encode({ account: `${account}${SEPARATOR}${keyId}` });

/** A condition that holds for the items of accounts and not for those of keys. */
export const IS_ACCOUNT = {
  FilterExpression: 'NOT contains(account, :separator)',
  ExpressionAttributeValues: encode({ ':separator': SEPARATOR }),
};

/** Null says that a default of the stack does not hold for this account. */
export type StoredLimits = { readonly [Name in keyof Limits]: Limits[Name] | null };

const numberOrNull = (from: Attributes, name: string): number | null =>
  from[name]?.NULL === true ? null : number(from, name);

export const readLimits = (item: Attributes): StoredLimits => ({
  monthlyBudget: optional(item, 'monthlyBudget', amountOrNull),
  videosAtOnce: optional(item, 'videosAtOnce', numberOrNull),
  createsPerMinute: optional(item, 'createsPerMinute', numberOrNull),
});

export const readCommitted = (item: Attributes, month: string): string =>
  optional(item, committedName(month), sum) ?? '0';

export const readCreates = (item: Attributes, time: number): number =>
  optional(item, createsName(time), number) ?? 0;

export const readVideos = (item: Attributes): number => optional(item, 'videos', number) ?? 0;

/** The use that the items record; an item whose condition held is empty. */
export const readUse = (account: Attributes, key: Attributes, { month, at }: Reservation): AccountUse => ({
  committed: readCommitted(account, month),
  committedByKey: readCommitted(key, month),
  videos: readVideos(account),
  creates: readCreates(account, at),
});

/** How many counters one write removes: an expression is bounded. */
const MOST_REMOVED = 50;

/** Counters of minutes and months that no task can still change. */
export const outdatedNames = (item: Attributes, now: number): string[] => {
  const [minute, month] = [minuteOf(now), monthAfter(monthOf(now), -1)];
  const isOutdated = (name: string): boolean => {
    const [counter, period = ''] = name.split(SEPARATOR);
    if (counter === 'creates') return Number(period) < minute - 1;
    return counter === 'committed' && period < month;
  };
  return Object.keys(item).filter(isOutdated).slice(0, MOST_REMOVED);
};

/** The year before the month that may still change, for writes that have not read the item. */
export const earlierMonths = (month: string): string[] =>
  Array.from({ length: 12 }, (_, position) => committedName(monthAfter(month, -2 - position)));
