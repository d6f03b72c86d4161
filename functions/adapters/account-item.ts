import { type AccountUse, type Limits, RESERVATION_KINDS, type Reservation } from '../domain/limits.ts';
import { minuteOf, monthAfter, monthOf } from '../domain/periods.ts';
import { type Attributes, boolean, encode, map, number, optional, text, textOrNull } from './attributes.ts';

/** An account as DynamoDB holds it: its limits, its counters by period, and its reservations in two maps. */

export const committedName = (month: string): string => `committed#${month}`;
export const keyName = (keyId: string, month: string): string => `key#${keyId}#${month}`;
export const createsName = (time: number): string => `creates#${minuteOf(time)}`;

/** Null says that a default of the stack does not hold for this account. */
export type StoredLimits = { readonly [Name in keyof Limits]: Limits[Name] | null };

const numberOrNull = (from: Attributes, name: string): number | null =>
  from[name]?.NULL === true ? null : number(from, name);

export const readLimits = (item: Attributes): StoredLimits => ({
  monthlyBudget: optional(item, 'monthlyBudget', textOrNull),
  videosAtOnce: optional(item, 'videosAtOnce', numberOrNull),
  createsPerMinute: optional(item, 'createsPerMinute', numberOrNull),
});

const size = (item: Attributes, name: string): number => Object.keys(item[name]?.M ?? {}).length;

export const isOpen = (item: Attributes): boolean =>
  RESERVATION_KINDS.every((kind) => item[kind]?.M !== undefined);

export const readCommitted = (item: Attributes, month: string): string =>
  item[committedName(month)]?.N ?? '0';

export const readUse = (item: Attributes, { keyId, month, at }: Reservation): AccountUse => ({
  committed: readCommitted(item, month),
  committedByKey: item[keyName(keyId, month)]?.N ?? '0',
  videos: size(item, 'videos'),
  creates: Number(item[createsName(at)]?.N ?? '0'),
});

/** How many counters one write removes: an expression is bounded. */
const MOST_REMOVED = 50;

/** Counters of minutes and months that no task can still change. */
export const outdatedNames = (item: Attributes, now: number): string[] => {
  const [minute, month] = [minuteOf(now), monthAfter(monthOf(now), -1)];
  const isOutdated = (name: string): boolean => {
    const parts = name.split('#');
    const period = parts.at(-1) ?? '';
    if (parts[0] === 'creates') return Number(period) < minute - 1;
    return parts.length > 1 && period < month;
  };
  return Object.keys(item).filter(isOutdated).slice(0, MOST_REMOVED);
};

/** What is in the map under the reservation's id. */
export const reservationValue = ({
  keyId,
  countsForKey,
  month,
  amount,
  taskId,
  at,
}: Reservation): Attributes => encode({ ':reservation': { keyId, countsForKey, month, amount, taskId, at } });

export const readReservations = (item: Attributes): Reservation[] =>
  RESERVATION_KINDS.flatMap((kind) =>
    Object.keys(item[kind]?.M ?? {}).map((id) => {
      const entry = map(map(item, kind), id);
      return {
        id,
        kind,
        account: text(item, 'account'),
        keyId: text(entry, 'keyId'),
        // Earlier versions counted for every key.
        countsForKey: optional(entry, 'countsForKey', boolean) ?? true,
        month: text(entry, 'month'),
        amount: textOrNull(entry, 'amount'),
        taskId: text(entry, 'taskId'),
        at: number(entry, 'at'),
      };
    }),
  );
