import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import {
  type Attributes,
  amountOrNull,
  boolean,
  dueIndex,
  encode,
  month,
  oneOf,
  text,
  time,
} from '../../platform/aws/dynamo.ts';
import { isNegative, negative } from '../../platform/domain/money.ts';
import {
  budgetMark,
  type Ceilings,
  ORPHAN_AGE,
  RESERVATION_KINDS,
  type Reservation,
  roomBeforeMost,
  roomFor,
} from '../domain/limits.ts';
import type { ReservedMoney, ReserveOptions } from '../domain/ports.ts';
import { accountKey, committedName, createsName, earlierMonths, keyOfApiKey } from './dynamo-accounts.ts';

/**
 * A reservation as DynamoDB holds it, under the task that it is for: each is a partition of its own, so that those of
 * a busy account are spread. The keys of the index that the sweeper reads are beside it.
 */

export const DUE_INDEX = dueIndex(4);

export const reservationKey = ({ taskId }: Pick<Reservation, 'taskId'>): Attributes => encode({ taskId });

/** When the sweeper looks whether anybody still needs it. */
export const dueAt = ({ kind, at }: Pick<Reservation, 'kind' | 'at'>): number => at + ORPHAN_AGE[kind];

export const toItem = (reservation: Reservation): Attributes =>
  encode({ ...reservation, due_shard: DUE_INDEX.shardFor(reservation.taskId), due_at: dueAt(reservation) });

/** A corrupt item throws: it is not the same as no item. */
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

/** The writes that make and end reservations. Each list is one transaction, or a part of one. */

export type ReservationTables = { readonly ACCOUNT_TABLE: string; readonly RESERVATION_TABLE: string };

/** DynamoDB's numbers are exact decimals of 38 digits: money is added and compared as it is. */
const money = (amount: string) => ({ N: amount });

/** A condition on a counter. A comparison with one that is missing is false, so that its negation holds. */
type Bound = { readonly condition: string; readonly values: Attributes };

const atMost = (counter: string, name: string, room: string | undefined): Bound[] =>
  room === undefined ? [] : [{ condition: `NOT ${counter} > ${name}`, values: { [name]: money(room) } }];

const fewerThan = (counter: string, name: string, limit: number | undefined): Bound[] =>
  limit === undefined ? [] : [{ condition: `NOT ${counter} >= ${name}`, values: encode({ [name]: limit }) }];

/** Past most of its budget an account is marked, by one reservation: the others wait until it is. */
const markBound = (mark: string | undefined, mostRoom: string | undefined, marks: boolean): Bound[] => {
  if (mark === undefined || mostRoom === undefined) return [];
  const values = encode({ ':mark': mark });
  if (marks) return [{ condition: 'NOT #mark = :mark', values }];
  if (isNegative(mostRoom)) return [{ condition: '#mark = :mark', values }];
  return [
    {
      condition: '(#mark = :mark OR NOT #committed > :mostRoom)',
      values: { ...values, ':mostRoom': money(mostRoom) },
    },
  ];
};

const conditionOn = (bounds: readonly Bound[]) =>
  bounds.length === 0
    ? {}
    : {
        ConditionExpression: bounds.map(({ condition }) => condition).join(' AND '),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      };

const valuesOf = (bounds: readonly Bound[]): Attributes =>
  Object.assign({}, ...bounds.map(({ values }) => values));

const placeholders = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, position) => [`#outdated${position}`, name]));

/** DynamoDB refuses a name that the expression does not use. */
const namesIn = (expressions: string, names: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).filter(([placeholder]) => new RegExp(`${placeholder}\\b`).test(expressions)),
  );

type Change = {
  readonly key: Attributes;
  readonly set?: string[];
  readonly add: string[];
  readonly removed?: readonly string[];
  readonly names: Record<string, string>;
  readonly values: Attributes;
  readonly bounds?: readonly Bound[];
};

const update = (
  table: string,
  { key, set = [], add, removed = [], names, values, bounds = [] }: Change,
): TransactWriteItem => {
  const outdated = placeholders(removed);
  const sections = [
    ['SET', set],
    ['ADD', add],
    ['REMOVE', Object.keys(outdated)],
  ] as const;
  const UpdateExpression = sections
    .flatMap(([section, parts]) => (parts.length === 0 ? [] : [`${section} ${parts.join(', ')}`]))
    .join(' ');
  const condition = conditionOn(bounds);
  return {
    Update: {
      TableName: table,
      Key: key,
      UpdateExpression,
      ...condition,
      ExpressionAttributeNames: namesIn(`${UpdateExpression} ${condition.ConditionExpression ?? ''}`, {
        ...names,
        ...outdated,
      }),
      ExpressionAttributeValues: { ...values, ...valuesOf(bounds) },
    },
  };
};

/** The reservation, the account's counters, and those of a key that has a budget: in this order. */
export const reserveWrites = (
  { ACCOUNT_TABLE, RESERVATION_TABLE }: ReservationTables,
  reservation: Reservation,
  ceilings: Ceilings,
  { outdated, marksBudget }: ReserveOptions,
): TransactWriteItem[] => {
  const { amount, at, kind, month, countsForKey, account } = reservation;
  const { limits, keyBudget } = ceilings;
  const mark = budgetMark(ceilings, reservation);
  const isVideo = kind === 'videos';
  const spent = amount === null ? {} : { ':amount': money(amount) };
  const put: TransactWriteItem = {
    Put: {
      TableName: RESERVATION_TABLE,
      Item: toItem(reservation),
      ConditionExpression: 'attribute_not_exists(taskId)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
  const ofAccount = update(ACCOUNT_TABLE, {
    key: accountKey(account),
    set: marksBudget && mark !== undefined ? ['#mark = :mark'] : [],
    add: [
      '#creates :one',
      ...(isVideo ? ['#videos :one'] : []),
      ...(amount === null ? [] : ['#committed :amount']),
    ],
    removed: outdated,
    names: {
      '#creates': createsName(at),
      '#videos': 'videos',
      '#committed': committedName(month),
      '#mark': 'budgetMark',
    },
    values: { ...encode({ ':one': 1 }), ...spent },
    bounds: [
      ...atMost('#committed', ':room', roomFor(limits.monthlyBudget, reservation)),
      ...markBound(mark, roomBeforeMost(ceilings, reservation), marksBudget),
      ...fewerThan('#creates', ':perMinute', limits.createsPerMinute),
      ...fewerThan('#videos', ':atOnce', isVideo ? limits.videosAtOnce : undefined),
    ],
  });
  if (!countsForKey || amount === null) return [put, ofAccount];
  const ofKey = update(ACCOUNT_TABLE, {
    key: keyOfApiKey(reservation),
    add: ['#committed :amount'],
    removed: earlierMonths(month),
    names: { '#committed': committedName(month) },
    values: spent,
    bounds: atMost('#committed', ':room', roomFor(keyBudget, reservation)),
  });
  return [put, ofAccount, ofKey];
};

const removal = (
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

/** The money alone, of an account and of a key that has a budget: nothing was reserved, or it is gone already. */
export const spendingWrites = (
  { ACCOUNT_TABLE }: ReservationTables,
  { account, keyId, countsForKey, month, amount }: Omit<ReservedMoney, 'id' | 'kind' | 'taskId'>,
): TransactWriteItem[] =>
  amount === null
    ? []
    : [accountKey(account), ...(countsForKey ? [keyOfApiKey({ account, keyId })] : [])].map((key) =>
        update(ACCOUNT_TABLE, {
          key,
          add: ['#committed :amount'],
          removed: earlierMonths(month),
          names: { '#committed': committedName(month) },
          values: { ':amount': money(amount) },
        }),
      );

/** Takes the reservation back: its place, and its money from the sums that it is in. */
export const releaseWrites = (
  tables: ReservationTables,
  reserved: ReservedMoney,
  madeAt?: number,
): TransactWriteItem[] => {
  const { account, kind, countsForKey, month, amount } = reserved;
  const isVideo = kind === 'videos';
  const back = amount === null ? undefined : negative(amount);
  const removed = removal(tables, reserved, madeAt);
  if (!isVideo && back === undefined) return [removed];
  const ofAccount = update(tables.ACCOUNT_TABLE, {
    key: accountKey(account),
    add: [...(isVideo ? ['#videos :less'] : []), ...(back === undefined ? [] : ['#committed :back'])],
    names: { '#videos': 'videos', '#committed': committedName(month) },
    values: {
      ...(isVideo ? encode({ ':less': -1 }) : {}),
      ...(back === undefined ? {} : { ':back': money(back) }),
    },
  });
  if (!countsForKey || back === undefined) return [removed, ofAccount];
  const ofKey = update(tables.ACCOUNT_TABLE, {
    key: keyOfApiKey(reserved),
    add: ['#committed :back'],
    names: { '#committed': committedName(month) },
    values: { ':back': money(back) },
  });
  return [removed, ofAccount, ofKey];
};

/** The money is charged now: it stays in the sums, and the reservation and its place go. */
export const chargedWrites = (tables: ReservationTables, reserved: ReservedMoney): TransactWriteItem[] => [
  removal(tables, reserved),
  ...(reserved.kind === 'videos'
    ? [
        update(tables.ACCOUNT_TABLE, {
          key: accountKey(reserved.account),
          add: ['#videos :less'],
          names: { '#videos': 'videos' },
          values: encode({ ':less': -1 }),
        }),
      ]
    : []),
];
