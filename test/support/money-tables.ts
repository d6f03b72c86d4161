import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

const TABLES = {
  CHARGE_TABLE: ['id'],
  USAGE_TABLE: ['account', 'entry'],
  ACCOUNT_TABLE: ['account'],
  RESERVATION_TABLE: ['taskId'],
} as const;

/** As the stack makes it. */
const DUE = {
  IndexName: 'due',
  KeySchema: [
    { AttributeName: 'due_shard', KeyType: 'HASH' },
    { AttributeName: 'due_at', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
} as const;
const DUE_ATTRIBUTES = [
  { AttributeName: 'due_shard', AttributeType: 'S' },
  { AttributeName: 'due_at', AttributeType: 'N' },
] as const;

/** The tables that money is in, with names of their own. */
export const createMoneyTables = async (client: DynamoDBClient, prefix: string) => {
  for (const [name, keys] of Object.entries(TABLES)) {
    const isSwept = name === 'RESERVATION_TABLE';
    await client.send(
      new CreateTableCommand({
        TableName: `${prefix}-${name}`,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          ...keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
          ...(isSwept ? DUE_ATTRIBUTES : []),
        ],
        KeySchema: keys.map((AttributeName, position) => ({
          AttributeName,
          KeyType: position === 0 ? 'HASH' : 'RANGE',
        })),
        ...(isSwept ? { GlobalSecondaryIndexes: [{ ...DUE, KeySchema: [...DUE.KeySchema] }] } : {}),
      }),
    );
  }
  return {
    CHARGE_TABLE: `${prefix}-CHARGE_TABLE`,
    USAGE_TABLE: `${prefix}-USAGE_TABLE`,
    ACCOUNT_TABLE: `${prefix}-ACCOUNT_TABLE`,
    RESERVATION_TABLE: `${prefix}-RESERVATION_TABLE`,
  };
};
