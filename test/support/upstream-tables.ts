import { CreateTableCommand, type DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';

const keySchema = (partition: string, ...sort: readonly string[]) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  ...sort.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' as const })),
];

/** The table of the upstreams and that of the tasks with its due index, with names of their own. */
export const createUpstreamTables = async (client: DynamoDBClient, prefix: string) => {
  const [UPSTREAM_TABLE, TASK_TABLE] = [`${prefix}-upstreams`, `${prefix}-tasks`];
  await client.send(
    new CreateTableCommand({
      TableName: UPSTREAM_TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: keySchema('id'),
    }),
  );
  await client.send(
    new CreateTableCommand({
      TableName: TASK_TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'due_shard', AttributeType: 'S' },
        { AttributeName: 'due_at', AttributeType: 'N' },
      ],
      KeySchema: keySchema('id'),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'due',
          KeySchema: keySchema('due_shard', 'due_at'),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['step', 'sweeps', 'deadline'] },
        },
      ],
    }),
  );
  for (const TableName of [UPSTREAM_TABLE, TASK_TABLE])
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.02, maxDelay: 0.1 }, { TableName });
  return { UPSTREAM_TABLE, TASK_TABLE };
};
