import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type KeyStore, KeyStoreError } from './api-keys.ts';

/** Another table of the local cloud that the key table is in, by its logical id. */
export const siblingTable = async ({ clientConfig }: KeyStore, logicalId: string): Promise<KeyStore> => {
  const { TableNames = [] } = await new DynamoDBClient(clientConfig).send(new ListTablesCommand({}));
  const tableName = TableNames.find((name) => name.includes(logicalId));
  if (tableName === undefined)
    throw new KeyStoreError(`The data are of an earlier version, without ${logicalId}: run npm start once.`);
  return { clientConfig, tableName };
};
