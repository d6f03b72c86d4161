import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { LAST_CHARGE } from '../../identity/domain/administration.ts';
import { isSessionId } from '../../identity/domain/session.ts';
import {
  type Attributes,
  amount,
  amountOrNull,
  boolean,
  encode,
  month,
  oneOf,
  text,
  time,
} from '../../platform/aws/attributes.ts';
import { dueIndex } from '../../platform/aws/due-index.ts';
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
import { accountKey, apiKeyItemKey, committedName, createsName, earlierMonths } from './dynamo-accounts.ts';

/**
 * Reservations in DynamoDB. Each is an item under its task id, so that those of a busy account are spread over
 * partitions. The functions that end in `Writes` return a transaction, or a part of one.
 */

export type ReservationTables = { readonly ACCOUNT_TABLE: string; readonly RESERVATION_TABLE: string };

export const DUE_INDEX = dueIndex(4);

export const reservationKey = ({ taskId }: Pick<Reservation, 'taskId'>): Attributes => encode({ taskId });

/** When the sweeper checks whether it is an orphan. */
export const dueAt = ({ kind, at }: Pick<Reservation, 'kind' | 'at'>): number => at + ORPHAN_AGE[kind];

export const toItem = (reservation: Reservation): Attributes =>
  encode({ ...reservation, due_shard: DUE_INDEX.shardFor(reservation.taskId), due_at: dueAt(reservation) });

/** Throws if the item is corrupt. */
export const readReservation = (item: Attributes): Reservation =>
  ({
    id: text(item, 'id'),
    kind: oneOf(item, 'kind', RESERVATION_KINDS),
    account: text(item, 'account'),
    keyId: text(item, 'keyId'),
    countsForKey: boolean(item, 'countsForKey'),
    month: month(item, 'month'),
    amount: amountOrNull(item, 'amount'),
    taskId: text(item, 'taskId'),
    at: time(item, 'at'),
  }) satisfies { readonly [Property in keyof Required<Reservation>]: Reservation[Property] };

/** A notice is due as soon as it is written. */
const toNoticeItem = ({ id, ...notice }: BudgetNotice): Attributes =>
  encode({ ...notice, taskId: id, due_shard: DUE_INDEX.shardFor(id), due_at: notice.at });

const readNotice = (item: Attributes): BudgetNotice => ({
  kind: 'budget',
  id: text(item, 'taskId'),
  account: text(item, 'account'),
  month: month(item, 'month'),
  threshold: oneOf(item, 'threshold', BUDGET_THRESHOLDS),
  used: amount(item, 'used'),
  limit: amount(item, 'limit'),
  currency: text(item, 'currency'),
  at: time(item, 'at'),
});

/** Throws if the item is corrupt. */
export const readDueItem = (item: Attributes): Reservation | BudgetNotice =>
  item.kind?.S === 'budget' ? readNotice(item) : readReservation(item);

/** DynamoDB numbers are exact decimals of 38 digits, so they can hold and compare money. */
const money = (amount: string) => ({ N: amount });

/** A condition on a counter. A comparison with a missing counter is false, so conditions are negated comparisons. */
type Bound = { readonly condition: string; readonly values: Attributes };

const atMost = (counter: string, name: string, most: string | undefined): Bound[] =>
  most === undefined ? [] : [{ condition: `NOT ${counter} > ${name}`, values: { [name]: money(most) } }];

const sameLimits = (read: OwnLimits | undefined): Bound[] =>
  read === undefined
    ? []
    : toLimitList(read).map(([name, limit]) =>
        limit === undefined
          ? { condition: `attribute_not_exists(${name})`, values: {} }
          : { condition: `${name} = :${name}`, values: encode({ [`:${name}`]: limit }) },
      );

/** Whether so many more fit under the limit of the counter. */
const fits = (counter: string, name: string, limit: number | undefined, count: number): Bound[] =>
  limit === undefined
    ? []
    : [{ condition: `NOT ${counter} > ${name}`, values: encode({ [name]: limit - count }) }];

/**
 * A reservation that reaches a threshold marks it and adds a notice; others require the mark, or stay below the
 * threshold. `before` is the least that must already be committed for this reservation to reach the threshold.
 */
const thresholdBound = (threshold: BudgetThreshold, before: string, isMarked: boolean): Bound => {
  const [mark, least] = [markName(threshold), `:least${threshold}`];
  const exists = isMarked ? `attribute_not_exists(${mark})` : `attribute_exists(${mark})`;
  // A missing counter is 0, with which a comparison would be false.
  if (isZero(before) || isNegative(before)) return { condition: exists, values: {} };
  return {
    condition: isMarked
      ? `${exists} AND #committed >= ${least}`
      : `(${exists} OR NOT #committed >= ${least})`,
    values: { [least]: money(before) },
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

const markName = (threshold: BudgetThreshold): string => `#mark${threshold}`;
const markNames = (limit: string, month: string): Record<string, string> =>
  Object.fromEntries(
    BUDGET_THRESHOLDS.map((threshold) => [markName(threshold), budgetMark({ threshold, month, limit })]),
  );

const setMarks = (notices: readonly BudgetNotice[]): string[] =>
  notices.map(({ threshold }) => `${markName(threshold)} = :used`);

/** All notices of a transaction have the same amount. */
const usedValue = ([notice]: readonly BudgetNotice[]): Attributes =>
  notice === undefined ? {} : { ':used': money(notice.used) };

/** Attributes of account and key items, by the names that the expressions use. */
const counterNames = (month: string) => ({
  '#committed': committedName(month),
  '#videos': 'videos',
});

type CounterUpdate = {
  readonly key: Attributes;
  readonly set?: readonly string[];
  readonly add: readonly string[];
  readonly removed?: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Attributes;
  readonly bounds?: readonly Bound[];
};

const update = (
  table: string,
  { key, set = [], add, removed = [], names, values, bounds = [] }: CounterUpdate,
): TransactWriteItem => {
  const outdated = Object.fromEntries(removed.map((name, position) => [`#outdated${position}`, name]));
  const sections = Object.entries({ SET: set, ADD: add, REMOVE: Object.keys(outdated) });
  const UpdateExpression = sections
    .flatMap(([section, parts]) => (parts.length === 0 ? [] : [`${section} ${parts.join(', ')}`]))
    .join(' ');
  const ConditionExpression = bounds.map(({ condition }) => condition).join(' AND ');
  // DynamoDB rejects names that no expression uses.
  const isUsed = (name: string): boolean =>
    new RegExp(`${name}\\b`).test(`${UpdateExpression} ${ConditionExpression}`);
  return {
    Update: {
      TableName: table,
      Key: key,
      UpdateExpression,
      ...(bounds.length === 0 ? {} : { ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      ExpressionAttributeNames: Object.fromEntries(
        Object.entries({ ...names, ...outdated }).filter(([name]) => isUsed(name)),
      ),
      ExpressionAttributeValues: Object.assign({}, values, ...bounds.map((bound) => bound.values)),
    },
  };
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
  const names = counterNames(month);
  const amountValue = amount === null ? {} : { ':amount': money(amount) };
  const put = (taskId: string): TransactWriteItem => ({
    Put: {
      TableName: RESERVATION_TABLE,
      Item: toItem({ ...first, taskId }),
      ConditionExpression: 'attribute_not_exists(taskId)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  });
  const countForAccount = update(ACCOUNT_TABLE, {
    key: accountKey(account),
    set: setMarks(notices),
    add: [
      '#creates :count',
      ...(isVideo ? ['#videos :count'] : []),
      ...(amount === null ? [] : ['#committed :amount']),
    ],
    removed: outdated,
    names: { ...names, ...markNames(limits.monthlyBudget ?? '', month), '#creates': createsName(at) },
    values: { ...encode({ ':count': count }), ...amountValue, ...usedValue(notices) },
    bounds: [
      ...sameLimits(read),
      ...atMost('#committed', ':most', amountBefore(limits.monthlyBudget, reservation)),
      ...thresholdBounds(ceilings, reservation, notices),
      ...fits('#creates', ':perMinute', limits.createsPerMinute, count),
      ...fits('#videos', ':atOnce', isVideo ? limits.videosAtOnce : undefined, count),
    ],
  });
  const more = [...moreTaskIds.map(put), ...noticeWrites(RESERVATION_TABLE, notices)];
  if (!countsForKey || amount === null) return [put(first.taskId), countForAccount, ...more];
  const countForKey = update(ACCOUNT_TABLE, {
    key: apiKeyItemKey(reservation),
    add: ['#committed :amount'],
    removed: earlierMonths(month),
    names,
    values: amountValue,
    bounds: atMost('#committed', ':most', amountBefore(keyBudget, reservation)),
  });
  return [put(first.taskId), countForAccount, countForKey, ...more];
};

/** Unconditional: the marks decide, and the same threshold always has the same key. */
const noticeWrites = (table: string, notices: readonly BudgetNotice[]): TransactWriteItem[] =>
  notices.map((notice) => ({ Put: { TableName: table, Item: toNoticeItem(notice) } }));

/** Marks thresholds without a reservation, unless the account has used less since the refusal. */
export const refusalWrites = (
  { ACCOUNT_TABLE, RESERVATION_TABLE }: ReservationTables,
  notices: readonly [BudgetNotice, ...BudgetNotice[]],
): TransactWriteItem[] => {
  const [{ account, month, limit }] = notices;
  const mark = update(ACCOUNT_TABLE, {
    key: accountKey(account),
    set: setMarks(notices),
    add: [],
    names: { ...counterNames(month), ...markNames(limit, month) },
    values: usedValue(notices),
    bounds: [
      { condition: '#committed >= :used', values: {} },
      ...notices.map(({ threshold }) => ({
        condition: `attribute_not_exists(${markName(threshold)})`,
        values: {},
      })),
    ],
  });
  return [mark, ...noticeWrites(RESERVATION_TABLE, notices)];
};

const deleteReservation = (
  { RESERVATION_TABLE }: ReservationTables,
  reserved: ReservedMoney,
  madeAt?: number,
): TransactWriteItem => ({
  Delete: {
    TableName: RESERVATION_TABLE,
    Key: reservationKey(reserved),
    ConditionExpression: madeAt === undefined ? '#id = :id' : '#id = :id AND #at = :at',
    ExpressionAttributeNames: { '#id': 'id', ...(madeAt === undefined ? {} : { '#at': 'at' }) },
    ExpressionAttributeValues: encode({ ':id': reserved.id, ':at': madeAt }),
  },
});

/** Returns the money and the video slot of a reservation. */
export const releaseWrites = (
  tables: ReservationTables,
  reserved: ReservedMoney,
  madeAt?: number,
): TransactWriteItem[] => {
  const { account, kind, countsForKey, month, amount } = reserved;
  const isVideo = kind === 'videos';
  const removal = deleteReservation(tables, reserved, madeAt);
  if (!isVideo && amount === null) return [removal];
  const names = counterNames(month);
  const back = amount === null ? {} : { ':back': money(negative(amount)) };
  const releaseForAccount = update(tables.ACCOUNT_TABLE, {
    key: accountKey(account),
    add: [...(isVideo ? ['#videos :less'] : []), ...(amount === null ? [] : ['#committed :back'])],
    names,
    values: { ...(isVideo ? encode({ ':less': -1 }) : {}), ...back },
  });
  if (!countsForKey || amount === null) return [removal, releaseForAccount];
  const releaseForKey = update(tables.ACCOUNT_TABLE, {
    key: apiKeyItemKey(reserved),
    add: ['#committed :back'],
    names,
    values: back,
  });
  return [removal, releaseForAccount, releaseForKey];
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
        update(ACCOUNT_TABLE, {
          key: apiKeyItemKey({ account, keyId }),
          set: ['#lastCharge = :time'],
          add: amount === null ? [] : ['#committed :amount'],
          removed: earlierMonths(month),
          names: { ...counterNames(month), '#lastCharge': LAST_CHARGE },
          values: { ...encode({ ':time': time }), ...(amount === null ? {} : { ':amount': money(amount) }) },
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
  const { account, kind, countsForKey, month } = reserved;
  const removal = deleteReservation(tables, reserved);
  const change = toChange(reserved.amount, amount);
  const forKey = keyWrites(tables, { ...reserved, amount: countsForKey ? change : amount }, time);
  const isVideo = kind === 'videos';
  if (!isVideo && change === null) return [removal, ...forKey];
  const forAccount = update(tables.ACCOUNT_TABLE, {
    key: accountKey(account),
    add: [...(isVideo ? ['#videos :less'] : []), ...(change === null ? [] : ['#committed :change'])],
    names: counterNames(month),
    values: {
      ...(isVideo ? encode({ ':less': -1 }) : {}),
      ...(change === null ? {} : { ':change': money(change) }),
    },
  });
  return [removal, forAccount, ...forKey];
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
  const forAccount = update(tables.ACCOUNT_TABLE, {
    key: accountKey(account),
    add: ['#committed :amount'],
    removed: earlierMonths(month),
    names: counterNames(month),
    values: { ':amount': money(amount) },
  });
  return [forAccount, ...forKey];
};
