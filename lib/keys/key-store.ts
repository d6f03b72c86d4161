import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** Where the keys are: a deployed stack's table, or the local cloud's. */
export type KeyStore = { readonly clientConfig: DynamoDBClientConfig; readonly tableName: string };

/** What a person can mend, told in one sentence. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}
