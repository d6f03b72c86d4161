import {
  DeleteItemCommand,
  type DynamoDBClient,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Attributes, encode } from '../../platform/aws/attributes.ts';
import { conditionHeld, failedConditions, retryOnConflict } from '../../platform/aws/contention.ts';
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
  reservationKey,
  reserveWrites,
} from './reservation-writes.ts';

const readHeld = (item: Attributes, { taskId }: Reservation): Reservation => {
  try {
    return readReservation(item);
  } catch (error) {
    throw new Error(`the reservation of ${taskId} cannot be read`, { cause: error });
  }
};

/** A reservation and its counters change in one transaction. */
export const dynamoReservations = (
  client: DynamoDBClient,
  tables: ReservationTables,
): Pick<AccountRepository, 'reserve' | 'markRefusal' | 'renew' | 'release'> => ({
  reserve: async (reservation, ceilings, options) => {
    const command = new TransactWriteItemsCommand({
      TransactItems: reserveWrites(tables, reservation, ceilings, options),
    });
    const failed = await failedConditions(() => client.send(command));
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
    const command = new TransactWriteItemsCommand({
      TransactItems: refusalWrites(tables, [first, ...others]),
    });
    const [refused] = await failedConditions(() => client.send(command));
    return refused === undefined;
  },

  renew: (held, at) =>
    conditionHeld(() =>
      client.send(
        new UpdateItemCommand({
          TableName: tables.RESERVATION_TABLE,
          Key: reservationKey(held),
          UpdateExpression: 'SET #at = :at, due_at = :due',
          ConditionExpression: '#id = :id AND #at = :before',
          ExpressionAttributeNames: { '#id': 'id', '#at': 'at' },
          ExpressionAttributeValues: encode({
            ':id': held.id,
            ':before': held.at,
            ':at': at,
            ':due': dueAt({ kind: held.kind, at }),
          }),
        }),
      ),
    ),

  release: async (reserved, madeAt) => {
    const command = new TransactWriteItemsCommand({ TransactItems: releaseWrites(tables, reserved, madeAt) });
    const [gone] = await failedConditions(() => client.send(command));
    return gone === undefined;
  },
});

/** For the sweeper, the only function that reads the reservations of all accounts. */
export const dynamoDueReservations = (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
): DueReservations => {
  return {
    due: (until) =>
      dueItems(dynamoTable(client, table, { logger, key: ['taskId'] }), DUE_INDEX, until, readDueItem),

    postpone: (reservation, dueAt) =>
      conditionHeld(() =>
        client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: reservationKey(reservation),
            UpdateExpression: 'SET due_at = :due',
            ConditionExpression: '#id = :id AND #at = :at',
            ExpressionAttributeNames: { '#id': 'id', '#at': 'at' },
            ExpressionAttributeValues: encode({
              ':id': reservation.id,
              ':at': reservation.at,
              ':due': dueAt,
            }),
          }),
        ),
      ),

    removeNotice: async ({ id }) => {
      const removal = new DeleteItemCommand({ TableName: table, Key: reservationKey({ taskId: id }) });
      await retryOnConflict(() => client.send(removal));
    },
  };
};
