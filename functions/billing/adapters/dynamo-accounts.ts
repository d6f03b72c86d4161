import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { keyItemName } from '../../identity/domain/administration.ts';
import { type Attributes, amountOrNull, number, optional, sum } from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import type { BudgetMarks } from '../domain/budget.ts';
import type { AccountUsage, OwnLimits, Reservation } from '../domain/limits.ts';
import { monthAfter, toMinute, toUtcMonth } from '../domain/periods.ts';
import type { AccountRepository } from '../domain/ports.ts';

/**
 * Accounts in DynamoDB. One item of a few hundred bytes has an account's limits and its counters by period. An API
 * key has an item of its own, with its spending by month and the time of its last charge.
 */

export const committedName = (month: string): string => `committed#${month}`;
export const createsName = (time: number): string => `creates#${toMinute(time)}`;

/** Account names contain no `#`. */
export const SEPARATOR = '#';

export const apiKeyItemKey = ({ account, keyId }: Pick<Reservation, 'account' | 'keyId'>) => ({
  account: keyItemName(account, keyId),
});

export type StoredLimits = OwnLimits & {
  /** Storage for kept items, which is not part of the limits of new videos and images. */
  readonly keptMegabytes: number | null | undefined;
};

/** The attribute of an account with the size of its kept items. */
export const KEPT_BYTES = 'keptBytes';

const numberOrNull = (from: Attributes, name: string): number | null =>
  from[name]?.NULL === true ? null : number(from, name);

export const readLimits = (item: Attributes): StoredLimits => ({
  monthlyBudget: optional(item, 'monthlyBudget', amountOrNull),
  videosAtOnce: optional(item, 'videosAtOnce', numberOrNull),
  createsPerMinute: optional(item, 'createsPerMinute', numberOrNull),
  keptMegabytes: optional(item, 'keptMegabytes', numberOrNull),
});

export const readCommitted = (item: Attributes, month: string): string =>
  optional(item, committedName(month), sum) ?? '0';

export const readCreates = (item: Attributes, time: number): number =>
  optional(item, createsName(time), number) ?? 0;

export const readVideos = (item: Attributes): number => optional(item, 'videos', number) ?? 0;

const isMark = (name: string): boolean => name.startsWith('reached');

export const readMarks = (item: Attributes): BudgetMarks =>
  Object.fromEntries(
    Object.keys(item)
      .filter(isMark)
      .map((name) => [name, sum(item, name)]),
  );

/** An item is empty if its condition held. */
export const readAccountUsage = (
  account: Attributes,
  key: Attributes,
  { month, at }: Pick<Reservation, 'month' | 'at'>,
): AccountUsage => ({
  committed: readCommitted(account, month),
  committedByKey: readCommitted(key, month),
  videos: readVideos(account),
  creates: readCreates(account, at),
});

/** Counters that one write removes: the length of an expression is limited. */
const MAX_REMOVED = 50;

/** Counters and marks of minutes and months that no task can change any more. */
export const outdatedNames = (item: Attributes, now: number): string[] => {
  const [minute, month] = [toMinute(now), monthAfter(toUtcMonth(now), -1)];
  const isOutdated = (name: string): boolean => {
    const [counter, period = ''] = name.split(SEPARATOR);
    if (counter === 'creates') return Number(period) < minute - 1;
    return (counter === 'committed' || isMark(name)) && period < month;
  };
  return Object.keys(item).filter(isOutdated).slice(0, MAX_REMOVED);
};

/** Counters of the year before the previous month, for writes that have not read the item. */
export const earlierMonths = (month: string): string[] =>
  Array.from({ length: 12 }, (_, position) => committedName(monthAfter(month, -2 - position)));

export const dynamoAccounts = (client: DynamoDBClient, table: string): Pick<AccountRepository, 'find'> => ({
  find: (account, now) =>
    dynamoTable(client, table).get({ account }, (item) => ({
      limits: readLimits(item),
      committed: readCommitted(item, toUtcMonth(now)),
      marks: readMarks(item),
      creates: readCreates(item, now),
      outdated: outdatedNames(item, now),
    })),
});

/** The current counters of an account and of one of its API keys. */
export const dynamoUsage =
  (client: DynamoDBClient, table: string) =>
  async (reservation: Pick<Reservation, 'account' | 'keyId' | 'month' | 'at'>): Promise<AccountUsage> => {
    const [account = {}, key = {}] = await Promise.all(
      [{ account: reservation.account }, apiKeyItemKey(reservation)].map((each) =>
        dynamoTable(client, table).get(each, (item) => item, false),
      ),
    );
    return readAccountUsage(account, key, reservation);
  };
