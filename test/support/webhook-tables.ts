import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Keys = readonly [partition: string, sort: string];
const keySchema = ([partition, sort]: Keys) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];

/** The tables of webhooks, with names of their own. */
export const createWebhookTables = async (client: DynamoDBClient, prefix: string) => {
  const [endpoints, deliveries] = [`${prefix}-endpoints`, `${prefix}-deliveries`];
  await client.send(
    new CreateTableCommand({
      TableName: endpoints,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['account', 'id'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keySchema(['account', 'id']),
    }),
  );
  await client.send(
    new CreateTableCommand({
      TableName: deliveries,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        ...['endpointId', 'id', 'due_shard'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S' as const,
        })),
        { AttributeName: 'due_at', AttributeType: 'N' },
      ],
      KeySchema: keySchema(['endpointId', 'id']),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'due',
          KeySchema: keySchema(['due_shard', 'due_at']),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['attempts', 'account'] },
        },
      ],
    }),
  );
  return { endpoints, deliveries };
};
