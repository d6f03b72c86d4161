import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../platform/aws/attributes.ts';
import { writeTogether } from '../../platform/aws/contention.ts';
import { dueItems } from '../../platform/aws/due-index.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { Reservation } from '../domain/limits.ts';
import type { AccountRepository, DueReservations } from '../domain/ports.ts';
import { readAccountUsage, readLimits, readMarks } from './dynamo-accounts.ts';
import {
  DUE_INDEX,
  dueAt,
  type ReservationTables,
  readDueItem,
  readReservation,
  refusalWrites,
  releaseWrites,
  reserveWrites,
} from './reservation-writes.ts';

const readHeld = (item: Attributes, { taskId }: Reservation): Reservation => {
  try {
    return readReservation(item);
  } catch (error) {
    throw new Error(`the reservation of ${taskId} cannot be read`, { cause: error });
  }
};

const isUnchanged = ({ id, at }: Pick<Reservation, 'id' | 'at'>) => ({
  when: '#id = :id AND #at = :was',
  values: { id, was: at },
});

/** A reservation and its counters change in one transaction. */
export const dynamoReservations = (
  client: DynamoDBClient,
  tables: ReservationTables,
): Pick<AccountRepository, 'reserve' | 'markRefusal' | 'renew' | 'release'> => ({
  reserve: async (reservation, ceilings, options) => {
    const failed = await writeTogether(client, reserveWrites(tables, reservation, ceilings, options));
    const first = failed.length - (options.moreTaskIds?.length ?? 0) - (options.notices?.length ?? 0);
    if (failed.slice(first).some((other) => other !== undefined))
      throw new Error(`a reservation of ${reservation.taskId} exists already`);
    const [held, account, key] = failed.slice(0, first);
    if (held !== undefined) return { outcome: 'taken', held: readHeld(held, reservation) };
    if (account === undefined && key === undefined) return { outcome: 'reserved' };
    const usage = readAccountUsage(account ?? {}, key ?? {}, reservation);
    const limits = account && readLimits(account);
    return { outcome: 'refused', usage, marks: readMarks(account ?? {}), limits };
  },

  markRefusal: async ([first, ...others]) => {
    if (first === undefined) return false;
    const [refused] = await writeTogether(client, refusalWrites(tables, [first, ...others]));
    return refused === undefined;
  },

  renew: (held, at) =>
    dynamoTable(client, tables.RESERVATION_TABLE).update(
      { taskId: held.taskId },
      { set: { at, due_at: dueAt({ kind: held.kind, at }) }, ...isUnchanged(held) },
    ),

  release: async (reserved, madeAt) => {
    const [gone] = await writeTogether(client, releaseWrites(tables, reserved, madeAt));
    return gone === undefined;
  },
});

/** For the sweeper, the only function that reads the reservations of all accounts. */
export const dynamoDueReservations = (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
): DueReservations => {
  const items = dynamoTable(client, table, { logger, key: ['taskId'] });
  return {
    due: (until) => dueItems(items, DUE_INDEX, until, readDueItem),

    postpone: (reservation, dueAt) =>
      items.update({ taskId: reservation.taskId }, { set: { due_at: dueAt }, ...isUnchanged(reservation) }),

    removeNotice: async ({ id }) => {
      await items.remove({ taskId: id });
    },
  };
};
