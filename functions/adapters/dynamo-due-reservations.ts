import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { DueReservations, Logger } from '../domain/ports.ts';
import { allItems, skipUnreadable } from './all-items.ts';
import { encode } from './attributes.ts';
import { conditionHeld } from './aws-clients.ts';
import { retryOnConflict } from './contention.ts';
import { DUE_SHARDS, readReservation, reservationKey } from './reservation-item.ts';

/** For the sweeper alone: no other function reads the reservations of all accounts. */
export const dynamoDueReservations = (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
): DueReservations => {
  const read = skipUnreadable({ logger, table, key: ['taskId'] }, readReservation);

  const query = (shard: string, before: number) =>
    allItems(
      (start) =>
        client.send(
          new QueryCommand({
            TableName: table,
            IndexName: 'due',
            KeyConditionExpression: 'due_shard = :shard AND due_at <= :before',
            ExpressionAttributeValues: encode({ ':shard': shard, ':before': before }),
            ExclusiveStartKey: start,
          }),
        ),
      read,
    );

  return {
    due: async function* (before) {
      for (const shard of DUE_SHARDS) yield* query(shard, before);
    },

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
