import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { keyAdministration } from '../../functions/platform/authentication/dynamo-keys.ts';
import { type ApiKey, generateApiKey, type KeyTerms } from '../../functions/platform/domain/api-key.ts';
import { type KeyStore, terminalLogger } from './key-store.ts';

const administration = ({ clientConfig, tableName }: KeyStore) =>
  keyAdministration(new DynamoDBClient(clientConfig), tableName, terminalLogger);

/** A new key, which is shown now and never again. */
export const issueApiKey = async (
  store: KeyStore,
  { account, name, ...terms }: { readonly account: string; readonly name: string } & Partial<KeyTerms>,
): Promise<string> => {
  const { key, stored } = generateApiKey(account, name, Date.now(), terms);
  await administration(store).add(stored);
  return key;
};

export const listApiKeys = (store: KeyStore): Promise<ApiKey[]> => administration(store).list();

/** The revoked key, or undefined when none has this id. */
export const revokeApiKey = async (store: KeyStore, id: string): Promise<ApiKey | undefined> => {
  const keys = administration(store);
  const found = (await keys.list()).find((key) => key.id === id);
  if (found !== undefined) await keys.revoke(found.hash, Date.now());
  return found;
};
