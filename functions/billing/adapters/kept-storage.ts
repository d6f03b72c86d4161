import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Attributes, number, optional } from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { updateWrite } from '../../platform/aws/table-writes.ts';
import type { KeptStorage, KeptStorages, StorageChange } from '../domain/kept-storage.ts';
import { KEPT_BYTES, readLimits } from './dynamo-accounts.ts';

/** The bytes of kept items are counted in the item that has the account's limits, so that both are compared in one write. */

export const readKeptStorage = (item: Attributes): KeptStorage => ({
  usedBytes: optional(item, KEPT_BYTES, number) ?? 0,
  ownMegabytes: readLimits(item).keptMegabytes,
});

export const dynamoKeptStorage = (client: DynamoDBClient, table: string): KeptStorages => ({
  find: async (account) =>
    (await dynamoTable(client, table).get({ account }, readKeptStorage)) ?? readKeptStorage({}),
});

/** Fails if the limit has changed since it was read, or if the storage has no room left. */
export const storageWrites =
  (table: string) =>
  ({ account, bytes, read: { ownMegabytes }, limitBytes }: StorageChange): TransactWriteItem => {
    const isSameLimit =
      ownMegabytes === undefined ? 'attribute_not_exists(keptMegabytes)' : 'keptMegabytes = :limit';
    // A comparison with a missing counter is false.
    const bound = limitBytes === undefined ? [] : [`NOT ${KEPT_BYTES} > :most`];
    return updateWrite(
      table,
      { account },
      {
        add: { [KEPT_BYTES]: bytes },
        when: [isSameLimit, ...bound].join(' AND '),
        values: { limit: ownMegabytes, most: limitBytes === undefined ? undefined : limitBytes - bytes },
      },
    );
  };

/** Returns the bytes of an item that is no longer kept. */
export const storageReturns =
  (table: string) =>
  (account: string, bytes: number): TransactWriteItem =>
    updateWrite(table, { account }, { add: { [KEPT_BYTES]: -bytes } });
