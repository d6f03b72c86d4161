import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { LAST_CHARGE } from '../../identity/domain/administration.ts';
import { isSessionId } from '../../identity/domain/session.ts';
import * as stored from '../../platform/aws/attributes.ts';
import { dueIndex } from '../../platform/aws/due-index.ts';
import { type Condition, putWrite, removeWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import { isNegative, isZero, minus, negative } from '../../platform/domain/money.ts';
import {
  BUDGET_THRESHOLDS,
  type BudgetNotice,
  type BudgetThreshold,
  budgetMark,
  spendableBudget,
  thresholdAmount,
} from '../domain/budget.ts';
import {
  allTogether,
  amountBefore,
  type Ceilings,
  ORPHAN_AGE,
  type OwnLimits,
  RESERVATION_KINDS,
  type Reservation,
  toLimitList,
} from '../domain/limits.ts';
import type { ReservedMoney, ReserveOptions } from '../domain/ports.ts';
import { apiKeyItemKey, committedName, createsName, earlierMonths } from './dynamo-accounts.ts';

/**
 * Reservations in DynamoDB. Each is an item under its task id, so that those of a busy account are spread over
 * partitions. The functions that end in `Writes` return a transaction, or a part of one.
 */

export type ReservationTables = { readonly ACCOUNT_TABLE: string; readonly RESERVATION_TABLE: string };

export const DUE_INDEX = dueIndex(4);

/** When the sweeper checks whether it is an orphan. */
export const dueAt = ({ kind, at }: Pick<Reservation, 'kind' | 'at'>): number => at + ORPHAN_AGE[kind];

export const toItem = (reservation: Reservation): stored.Attributes =>
  stored.encode({
    ...reservation,
    due_shard: DUE_INDEX.shardFor(reservation.taskId),
    due_at: dueAt(reservation),
  });

export const readReservation = (item: stored.Attributes): Reservation =>
  ({
    ...stored.all(item, stored.text, 'id', 'account', 'keyId', 'taskId'),
    kind: stored.oneOf(item, 'kind', RESERVATION_KINDS),
    countsForKey: stored.boolean(item, 'countsForKey'),
    month: stored.month(item, 'month'),
    amount: stored.amountOrNull(item, 'amount'),
    at: stored.time(item, 'at'),
  }) satisfies stored.Complete<Reservation>;

/** A notice is due as soon as it is written. */
const toNoticeItem = ({ id, ...notice }: BudgetNotice): stored.Attributes =>
  stored.encode({ ...notice, taskId: id, due_shard: DUE_INDEX.shardFor(id), due_at: notice.at });

const readNotice = (item: stored.Attributes): BudgetNotice => ({
  kind: 'budget',
  id: stored.text(item, 'taskId'),
  ...stored.all(item, stored.text, 'account', 'currency'),
  month: stored.month(item, 'month'),
  threshold: stored.oneOf(item, 'threshold', BUDGET_THRESHOLDS),
  ...stored.all(item, stored.amount, 'used', 'limit'),
  at: stored.time(item, 'at'),
});

export const readDueItem = (item: stored.Attributes): Reservation | BudgetNotice =>
  item.kind?.S === 'budget' ? readNotice(item) : readReservation(item);

/** A condition on a counter. */
type Bound = { readonly when: string; readonly values?: stored.Values };

/** A missing counter is 0, but each comparison with it is false. */
const isAtMost = (counter: string, name: string, isBelowZero: boolean): string =>
  isBelowZero ? `${counter} <= :${name}` : `NOT ${counter} > :${name}`;

const atMost = (counter: string, name: string, most: string | undefined): Bound[] =>
  most === undefined
    ? []
    : [{ when: isAtMost(counter, name, isNegative(most)), values: { [name]: stored.decimal(most) } }];

const sameLimits = (read: OwnLimits | undefined): Bound[] =>
  read === undefined
    ? []
    : toLimitList(read).map(([name, limit]) =>
        limit === undefined
          ? { when: `attribute_not_exists(${name})` }
          : { when: `${name} = :${name}`, values: { [name]: limit } },
      );

/** Whether so many more fit under the limit of the counter. */
const fits = (counter: string, name: string, limit: number | undefined, count: number): Bound[] =>
  limit === undefined
    ? []
    : [{ when: isAtMost(counter, name, limit < count), values: { [name]: limit - count } }];

/**
 * A reservation that reaches a threshold marks it and adds a notice; others require the mark, or stay below the
 * threshold. `before` is the least that must already be committed for this reservation to reach the threshold.
 */
const thresholdBound = (threshold: BudgetThreshold, before: string, isMarked: boolean): Bound => {
  const least = `least${threshold}`;
  const exists = `${isMarked ? 'attribute_not_exists' : 'attribute_exists'}(#${markName(threshold)})`;
  // A missing counter is 0, with which a comparison would be false.
  if (isZero(before) || isNegative(before)) return { when: exists };
  return {
    when: isMarked ? `${exists} AND #committed >= :${least}` : `(${exists} OR NOT #committed >= :${least})`,
    values: { [least]: stored.decimal(before) },
  };
};

const thresholdBounds = (
  ceilings: Ceilings,
  reservation: Reservation,
  notices: readonly BudgetNotice[],
): Bound[] => {
  const limit = spendableBudget(ceilings, reservation);
  if (limit === undefined) return [];
  return BUDGET_THRESHOLDS.flatMap((threshold) => {
    const before = amountBefore(thresholdAmount(limit, threshold), reservation);
    const isMarked = notices.some((notice) => notice.threshold === threshold);
    return before === undefined ? [] : [thresholdBound(threshold, before, isMarked)];
  });
};

const markName = (threshold: BudgetThreshold): string => `mark${threshold}`;
const markNames = (limit: string, month: string): Record<string, string> =>
  Object.fromEntries(
    BUDGET_THRESHOLDS.map((threshold) => [markName(threshold), budgetMark({ threshold, month, limit })]),
  );

/** The marks of notices, in the account's item. */
const toMarks = (notices: readonly BudgetNotice[]): stored.Values =>
  Object.fromEntries(notices.map((notice) => [budgetMark(notice), stored.decimal(notice.used)]));

/** What an item's counters change by; amounts that are null do not count. */
const counted = (month: string, amount: string | null, counters: stored.Values = {}): stored.Values => ({
  ...counters,
  ...(amount !== null && { [committedName(month)]: stored.decimal(amount) }),
});

const together = (bounds: readonly Bound[]): Condition =>
  bounds.length === 0
    ? {}
    : {
        when: bounds.map(({ when }) => when).join(' AND '),
        values: Object.assign({}, ...bounds.map(({ values }) => values)),
        returnsItem: true,
      };

/** The reservation, the account's counters and, if the key has a budget, the key's counters, in this order; then further reservations, then notices. */
export const reserveWrites = (
  { ACCOUNT_TABLE, RESERVATION_TABLE }: ReservationTables,
  first: Reservation,
  ceilings: Ceilings,
  { read, outdated, notices = [], moreTaskIds = [] }: ReserveOptions,
): TransactWriteItem[] => {
  const count = 1 + moreTaskIds.length;
  const reservation = allTogether(first, count);
  const { amount, at, kind, month, countsForKey, account } = reservation;
  const { limits, keyBudget } = ceilings;
  const isVideo = kind === 'videos';
  const put = (taskId: string): TransactWriteItem =>
    putWrite(RESERVATION_TABLE, toItem({ ...first, taskId }), {
      when: 'attribute_not_exists(taskId)',
      returnsItem: true,
    });
  const [committed, creates] = [committedName(month), createsName(at)];
  const countForAccount = updateWrite(
    ACCOUNT_TABLE,
    { account },
    {
      set: toMarks(notices),
      add: counted(month, amount, { [creates]: count, ...(isVideo && { videos: count }) }),
      remove: outdated,
      names: { committed, creates, ...markNames(limits.monthlyBudget ?? '', month) },
      ...together([
        ...sameLimits(read),
        ...atMost('#committed', 'most', amountBefore(limits.monthlyBudget, reservation)),
        ...thresholdBounds(ceilings, reservation, notices),
        ...fits('#creates', 'perMinute', limits.createsPerMinute, count),
        ...fits('videos', 'atOnce', isVideo ? limits.videosAtOnce : undefined, count),
      ]),
    },
  );
  const more = [...moreTaskIds.map(put), ...noticeWrites(RESERVATION_TABLE, notices)];
  if (!countsForKey || amount === null) return [put(first.taskId), countForAccount, ...more];
  const countForKey = updateWrite(ACCOUNT_TABLE, apiKeyItemKey(reservation), {
    add: counted(month, amount),
    remove: earlierMonths(month),
    names: { committed },
    ...together(atMost('#committed', 'most', amountBefore(keyBudget, reservation))),
  });
  return [put(first.taskId), countForAccount, countForKey, ...more];
};

/** Unconditional: the marks decide, and the same threshold always has the same key. */
const noticeWrites = (table: string, notices: readonly BudgetNotice[]): TransactWriteItem[] =>
  notices.map((notice) => putWrite(table, toNoticeItem(notice)));

/** Marks thresholds without a reservation, unless the account has used less since the refusal. */
export const refusalWrites = (
  { ACCOUNT_TABLE, RESERVATION_TABLE }: ReservationTables,
  notices: readonly [BudgetNotice, ...BudgetNotice[]],
): TransactWriteItem[] => {
  const [{ account, month, limit, used }] = notices;
  const mark = updateWrite(
    ACCOUNT_TABLE,
    { account },
    {
      set: toMarks(notices),
      names: { committed: committedName(month), ...markNames(limit, month) },
      ...together([
        { when: '#committed >= :used', values: { used: stored.decimal(used) } },
        ...notices.map(({ threshold }) => ({ when: `attribute_not_exists(#${markName(threshold)})` })),
      ]),
    },
  );
  return [mark, ...noticeWrites(RESERVATION_TABLE, notices)];
};

const deleteReservation = (
  { RESERVATION_TABLE }: ReservationTables,
  { taskId, id }: ReservedMoney,
  madeAt?: number,
): TransactWriteItem =>
  removeWrite(
    RESERVATION_TABLE,
    { taskId },
    { when: madeAt === undefined ? '#id = :id' : '#id = :id AND #at = :at', values: { id, at: madeAt } },
  );

/** Frees the video slot of a reservation and adds an amount to its account, if there is either. */
const accountWrites = (
  { ACCOUNT_TABLE }: ReservationTables,
  { account, kind, month }: ReservedMoney,
  amount: string | null,
): TransactWriteItem[] => {
  const slot = kind === 'videos' ? { videos: -1 } : {};
  const add = counted(month, amount, slot);
  return Object.keys(add).length === 0 ? [] : [updateWrite(ACCOUNT_TABLE, { account }, { add })];
};

/** Returns the money and the video slot of a reservation. */
export const releaseWrites = (
  tables: ReservationTables,
  reserved: ReservedMoney,
  madeAt?: number,
): TransactWriteItem[] => {
  const { countsForKey, month, amount } = reserved;
  const back = amount === null ? null : negative(amount);
  const removal = deleteReservation(tables, reserved, madeAt);
  const forAccount = accountWrites(tables, reserved, back);
  if (!countsForKey || back === null) return [removal, ...forAccount];
  const forKey = updateWrite(tables.ACCOUNT_TABLE, apiKeyItemKey(reserved), { add: counted(month, back) });
  return [removal, ...forAccount, forKey];
};

type KeySpending = Pick<ReservedMoney, 'account' | 'keyId' | 'month' | 'amount'>;

/**
 * Counts a charge for its API key, with or without a budget, so that a budget that is set later includes the spending
 * of the month. The item also tells when the key was last used. Console sessions have no budget and no such item.
 */
const keyWrites = (
  { ACCOUNT_TABLE }: ReservationTables,
  { account, keyId, month, amount }: KeySpending,
  time: number,
): TransactWriteItem[] =>
  isSessionId(keyId)
    ? []
    : [
        updateWrite(ACCOUNT_TABLE, apiKeyItemKey({ account, keyId }), {
          set: { [LAST_CHARGE]: time },
          add: counted(month, amount),
          remove: earlierMonths(month),
        }),
      ];

/** By how much a charge differs from the reserved amount, which is already committed; null if it does not. */
const toChange = (reserved: string | null, charged: string | null): string | null => {
  const change = minus(charged ?? '0', reserved ?? '0');
  return isZero(change) ? null : change;
};

/**
 * Deletes the reservation and frees its video slot. Its money stays committed because it is now charged, except what the
 * charge does not need: a video can be shorter than requested.
 */
export const chargedWrites = (
  tables: ReservationTables,
  reserved: ReservedMoney,
  { amount, time }: { readonly amount: string | null; readonly time: number },
): TransactWriteItem[] => {
  const change = toChange(reserved.amount, amount);
  return [
    deleteReservation(tables, reserved),
    ...accountWrites(tables, reserved, change),
    ...keyWrites(tables, { ...reserved, amount: reserved.countsForKey ? change : amount }, time),
  ];
};

/** Adds money that was not reserved, or whose reservation is gone, to the sums of the account and its key. */
export const spendingWrites = (
  tables: ReservationTables,
  spending: KeySpending,
  time: number,
): TransactWriteItem[] => {
  const { account, month, amount } = spending;
  const forKey = keyWrites(tables, spending, time);
  if (amount === null) return forKey;
  const forAccount = updateWrite(
    tables.ACCOUNT_TABLE,
    { account },
    { add: counted(month, amount), remove: earlierMonths(month) },
  );
  return [forAccount, ...forKey];
};
