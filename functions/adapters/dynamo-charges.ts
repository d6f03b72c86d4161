import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ChargeRecord, ImageChargeRecord } from '../domain/billing.ts';
import type { ChargeRepository } from '../domain/ports.ts';
import { holds } from './aws-clients.ts';

export const dynamoCharges = (
  client: DynamoDBDocumentClient,
  table: string,
): ChargeRepository<ChargeRecord | ImageChargeRecord> => ({
  record: async (charge) => {
    await holds(
      client.send(
        new PutCommand({ TableName: table, Item: charge, ConditionExpression: 'attribute_not_exists(id)' }),
      ),
    );
  },
});
