import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { KEY_TABLE, type KeyStore, KeyStoreError } from './api-keys.ts';

/** The key table of a deployed stack, which CloudFormation named after stack and construct. */
export const deployedKeys = async (stackName: string): Promise<KeyStore> => {
  const prefix = `${stackName}-${KEY_TABLE}`;
  const found: string[] = [];
  for await (const { TableNames } of paginateListTables({ client: new DynamoDBClient({}) }, {}))
    found.push(...(TableNames ?? []).filter((name) => name.startsWith(prefix)));
  const [tableName, another] = found;
  if (tableName === undefined || another !== undefined)
    throw new KeyStoreError(
      `${found.length} tables begin with ${prefix} in this account and region; one was expected.`,
    );
  return { clientConfig: {}, tableName };
};
