import { type DynamoDBClient, TransactWriteItemsCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode } from '../../platform/aws/attributes.ts';
import { conditionHeld } from '../../platform/aws/aws-clients.ts';
import { failedConditions, retryOnConflict } from '../../platform/aws/contention.ts';
import type { AccountRepository } from '../../platform/domain/ports.ts';
import type { Reservation } from '../domain/limits.ts';
import { readUse } from './account-item.ts';
import { dueAt, readReservation, reservationKey } from './reservation-item.ts';
import { type ReservationTables, releaseWrites, reserveWrites } from './reservation-writes.ts';

const readHeld = (item: Attributes, { taskId }: Reservation): Reservation => {
  try {
    return readReservation(item);
  } catch (error) {
    throw new Error(`the reservation of ${taskId} cannot be read`, { cause: error });
  }
};

/** A reservation and the counters that it is in are written together: there are all of them or none. */
export const dynamoReservations = (
  client: DynamoDBClient,
  tables: ReservationTables,
): Pick<AccountRepository, 'reserve' | 'renew' | 'release'> => ({
  reserve: async (reservation, ceilings, options) => {
    const command = new TransactWriteItemsCommand({
      TransactItems: reserveWrites(tables, reservation, ceilings, options),
    });
    const [held, account, key] = await failedConditions(() => client.send(command));
    if (held !== undefined) return { outcome: 'taken', held: readHeld(held, reservation) };
    if (account === undefined && key === undefined) return { outcome: 'reserved' };
    return { outcome: 'refused', use: readUse(account ?? {}, key ?? {}, reservation) };
  },

  renew: (held, at) =>
    retryOnConflict(() =>
      conditionHeld(
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
    ),

  release: async (reserved, madeAt) => {
    const command = new TransactWriteItemsCommand({ TransactItems: releaseWrites(tables, reserved, madeAt) });
    const [gone] = await failedConditions(() => client.send(command));
    return gone === undefined;
  },
});
