import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Creates a table like those of keys and sessions in the stack. */
export const createAccountTable = (client: DynamoDBClient, TableName: string, key: string) =>
  client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: key, AttributeType: 'S' },
        { AttributeName: 'account', AttributeType: 'S' },
        { AttributeName: 'createdAt', AttributeType: 'N' },
      ],
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-account',
          KeySchema: [
            { AttributeName: 'account', KeyType: 'HASH' },
            { AttributeName: 'createdAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
