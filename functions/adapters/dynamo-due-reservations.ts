import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { DueReservations, Logger } from '../domain/ports.ts';
import { skipUnreadable } from './all-items.ts';
import { encode } from './attributes.ts';
import { conditionHeld } from './aws-clients.ts';
import { retryOnConflict } from './contention.ts';
import { dueItems } from './due-index.ts';
import { DUE_INDEX, readReservation, reservationKey } from './reservation-item.ts';

/** For the sweeper alone: no other function reads the reservations of all accounts. */
export const dynamoDueReservations = (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
): DueReservations => {
  const read = skipUnreadable({ logger, table, key: ['taskId'] }, readReservation);

  return {
    due: (until) => dueItems(client, { table, index: DUE_INDEX, until, read }),

    postpone: (reservation, dueAt) =>
      retryOnConflict(() =>
        conditionHeld(
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
      ),
  };
};
