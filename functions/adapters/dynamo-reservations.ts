import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { ReservationList } from '../domain/ports.ts';
import { readReservations } from './account-item.ts';
import { allItems } from './all-items.ts';
import { encode } from './attributes.ts';

/** For the sweeper alone: the functions that reserve need no scan in their bundles. */
export const dynamoReservations = (client: DynamoDBClient, table: string): ReservationList => ({
  reservations: async function* () {
    const items = allItems((start) =>
      client.send(
        new ScanCommand({
          TableName: table,
          ProjectionExpression: 'account, videos, images',
          FilterExpression: 'size(videos) > :none OR size(images) > :none',
          ExpressionAttributeValues: encode({ ':none': 0 }),
          ExclusiveStartKey: start,
        }),
      ),
    );
    for await (const item of items) yield* readReservations(item);
  },
});
