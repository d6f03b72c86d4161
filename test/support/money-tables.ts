import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

const TABLES = {
  CHARGE_TABLE: ['id'],
  USAGE_TABLE: ['account', 'entry'],
  ACCOUNT_TABLE: ['account'],
} as const;

/** The tables that money is in, with names of their own. */
export const createMoneyTables = async (client: DynamoDBClient, prefix: string) => {
  for (const [name, keys] of Object.entries(TABLES))
    await client.send(
      new CreateTableCommand({
        TableName: `${prefix}-${name}`,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: keys.map((AttributeName, position) => ({
          AttributeName,
          KeyType: position === 0 ? 'HASH' : 'RANGE',
        })),
      }),
    );
  return {
    CHARGE_TABLE: `${prefix}-CHARGE_TABLE`,
    USAGE_TABLE: `${prefix}-USAGE_TABLE`,
    ACCOUNT_TABLE: `${prefix}-ACCOUNT_TABLE`,
  };
};
