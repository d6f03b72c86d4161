import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { type Ceilings, type Reservation, roomFor, videosAtOnce } from '../domain/limits.ts';
import { negative } from '../domain/money.ts';
import { committedName, createsName, keyName, reservationValue } from './account-item.ts';
import { type Attributes, encode } from './attributes.ts';

/** The updates of an account's item; each is one write that decides by its own condition. */

type Expressions = Required<
  Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames'>
> & { readonly ExpressionAttributeValues?: Attributes };

export type Released = Pick<Reservation, 'id' | 'kind' | 'keyId' | 'countsForKey' | 'month' | 'amount'>;

const places = ({ kind, id }: Released): Record<string, string> => ({ '#kind': kind, '#id': id });
/** A key without a budget is not counted: an account may have any number of those. */
const counters = ({ keyId, countsForKey, month }: Released): Record<string, string> => ({
  '#committed': committedName(month),
  ...(countsForKey ? { '#key': keyName(keyId, month) } : {}),
});
const additions = (released: Released, value: string): string =>
  Object.keys(counters(released))
    .map((counter) => `${counter} ${value}`)
    .join(', ');

/** DynamoDB's numbers are exact decimals of 38 digits: money is added and compared as it is. */
const money = (amount: string) => ({ N: amount });
const bound = (room: string | undefined) => (room === undefined ? undefined : money(room));

type Bound = readonly [condition: string, name: string, value: Attributes[string] | undefined];

export const reserveExpressions = (
  reservation: Reservation,
  ceilings: Ceilings,
  outdated: readonly string[],
): Expressions => {
  const { amount, at, kind } = reservation;
  const { limits, keyBudget } = ceilings;
  const [room, keyRoom] = [roomFor(limits.monthlyBudget, reservation), roomFor(keyBudget, reservation)];
  const perMinute = limits.createsPerMinute;
  const BOUNDS: readonly Bound[] = [
    ['(attribute_not_exists(#committed) OR #committed <= :room)', ':room', bound(room)],
    ['(attribute_not_exists(#key) OR #key <= :keyRoom)', ':keyRoom', bound(keyRoom)],
    [
      '(attribute_not_exists(#creates) OR #creates < :perMinute)',
      ':perMinute',
      perMinute === undefined ? undefined : { N: String(perMinute) },
    ],
    [
      'size(#kind) < :atOnce',
      ':atOnce',
      kind === 'videos' ? { N: String(videosAtOnce(ceilings)) } : undefined,
    ],
  ];
  const held = BOUNDS.flatMap(([condition, name, value]) =>
    value === undefined ? [] : [{ condition, name, value }],
  );
  const removed = outdated.map((name, position) => [`#outdated${position}`, name] as const);
  const hasMoney = amount !== null;
  return {
    UpdateExpression: [
      'SET #kind.#id = :reservation',
      `ADD #creates :one${hasMoney ? `, ${additions(reservation, ':amount')}` : ''}`,
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.map(([placeholder]) => placeholder).join(', ')}`]),
    ].join(' '),
    ConditionExpression: ['attribute_not_exists(#kind.#id)', ...held.map(({ condition }) => condition)].join(
      ' AND ',
    ),
    ExpressionAttributeNames: {
      ...places(reservation),
      '#creates': createsName(at),
      ...(hasMoney ? counters(reservation) : {}),
      ...Object.fromEntries(removed),
    },
    ExpressionAttributeValues: {
      ...reservationValue(reservation),
      ...encode({ ':one': 1 }),
      ...(hasMoney ? { ':amount': money(amount) } : {}),
      ...Object.fromEntries(held.map(({ name, value }) => [name, value])),
    },
  };
};

const IS_HELD = 'attribute_exists(#kind.#id)';

/** Takes the reservation back: its place, and its money from the sums that it is in. */
export const releaseExpressions = (released: Released): Expressions => {
  const { amount } = released;
  const base = { UpdateExpression: 'REMOVE #kind.#id', ConditionExpression: IS_HELD };
  if (amount === null) return { ...base, ExpressionAttributeNames: places(released) };
  return {
    ...base,
    UpdateExpression: `${base.UpdateExpression} ADD ${additions(released, ':back')}`,
    ExpressionAttributeNames: { ...places(released), ...counters(released) },
    ExpressionAttributeValues: { ':back': money(negative(amount)) },
  };
};

/** The money is charged now: it stays in the sums, and only the reservation goes. */
export const chargedExpressions = (released: Released): Expressions => ({
  UpdateExpression: 'REMOVE #kind.#id',
  ConditionExpression: IS_HELD,
  ExpressionAttributeNames: places(released),
});

/** The money alone, where the reservation is gone already. */
export const lateChargeExpressions = (released: Released): Expressions => ({
  UpdateExpression: `ADD ${additions(released, ':amount')}`,
  ConditionExpression: 'attribute_not_exists(#kind.#id)',
  ExpressionAttributeNames: { ...places(released), ...counters(released) },
  ExpressionAttributeValues: { ':amount': money(released.amount ?? '0') },
});
