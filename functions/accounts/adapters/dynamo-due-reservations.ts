import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { skipUnreadable } from '../../platform/aws/all-items.ts';
import { encode } from '../../platform/aws/attributes.ts';
import { conditionHeld } from '../../platform/aws/aws-clients.ts';
import { retryOnConflict } from '../../platform/aws/contention.ts';
import { dueItems } from '../../platform/aws/due-index.ts';
import type { DueReservations, Logger } from '../../platform/domain/ports.ts';
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
