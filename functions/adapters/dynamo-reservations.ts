import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { ReservationList } from '../domain/ports.ts';
import { readReservations } from './account-item.ts';
import { type Attributes, encode } from './attributes.ts';

/** For the sweeper alone: the functions that reserve need no scan in their bundles. */
export const dynamoReservations = (client: DynamoDBClient, table: string): ReservationList => ({
  reservations: async function* () {
    let start: Attributes | undefined;
    do {
      const page = await client.send(
        new ScanCommand({
          TableName: table,
          ProjectionExpression: 'account, videos, images',
          FilterExpression: 'size(videos) > :none OR size(images) > :none',
          ExpressionAttributeValues: encode({ ':none': 0 }),
          ExclusiveStartKey: start,
        }),
      );
      for (const item of page.Items ?? []) yield* readReservations(item);
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
  },
});
