import {
  CreateTableCommand,
  type DynamoDBClient,
  type Projection,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

type Keys = readonly [partition: string, sort?: string];

type TableOptions = {
  readonly indexes?: Readonly<Record<string, { readonly keys: Keys; readonly projection?: Projection }>>;
  /** Key attributes that are numbers; all others are strings. */
  readonly numbers?: readonly string[];
  readonly isProtected?: boolean;
};

const keySchema = ([partition, sort]: Keys) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' as const }]),
];

/** Creates a table and waits until it is active; until then, calls fail as on AWS. */
export const createTable = async (
  client: DynamoDBClient,
  TableName: string,
  keys: Keys,
  { indexes = {}, numbers = [], isProtected = false }: TableOptions = {},
): Promise<void> => {
  const attributes = new Set([keys, ...Object.values(indexes).map((index) => index.keys)].flat());
  const GlobalSecondaryIndexes = Object.entries(indexes).map(([IndexName, index]) => ({
    IndexName,
    KeySchema: keySchema(index.keys),
    Projection: index.projection ?? { ProjectionType: 'ALL' },
  }));
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...attributes].map((AttributeName) => ({
        AttributeName,
        AttributeType: AttributeName !== undefined && numbers.includes(AttributeName) ? 'N' : 'S',
      })),
      KeySchema: keySchema(keys),
      DeletionProtectionEnabled: isProtected,
      ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.01, maxDelay: 0.1 }, { TableName });
};
