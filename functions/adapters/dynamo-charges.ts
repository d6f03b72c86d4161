import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { ChargeRecord, ImageChargeRecord } from '../domain/billing.ts';
import type { ChargeRepository } from '../domain/ports.ts';
import { encode } from './attributes.ts';
import { conditionHeld } from './aws-clients.ts';

export const dynamoCharges = (
  client: DynamoDBClient,
  table: string,
): ChargeRepository<ChargeRecord | ImageChargeRecord> => ({
  record: async (charge) => {
    await conditionHeld(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: encode(charge),
          ConditionExpression: 'attribute_not_exists(id)',
        }),
      ),
    );
  },
});
