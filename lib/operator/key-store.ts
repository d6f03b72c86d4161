import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Logger } from '../../functions/platform/domain/log-events.ts';

/** Where the keys are: a deployed stack's table, or the local cloud's. */
export type KeyStore = { readonly clientConfig: DynamoDBClientConfig; readonly tableName: string };

/** Tells the operator of an item that a list leaves out, beside the list itself. */
export const terminalLogger: Pick<Logger, 'error'> = {
  error: (event, error, fields) =>
    console.error(
      [`${event}:`, ...Object.values(fields), error instanceof Error ? `(${error.message})` : ''].join(' '),
    ),
};

/** What a person can mend, told in one sentence. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}
