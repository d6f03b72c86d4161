import { type DynamoDBClient, GetItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, number, optional } from '../../platform/aws/attributes.ts';
import type { KeptStorage, KeptStorages, StorageChange } from '../domain/kept-storage.ts';
import { accountKey, KEPT_BYTES, readLimits } from './dynamo-accounts.ts';

/** The bytes of kept items are counted in the item that has the account's limits, so that both are compared in one write. */

export const readKeptStorage = (item: Attributes): KeptStorage => ({
  usedBytes: optional(item, KEPT_BYTES, number) ?? 0,
  ownMegabytes: readLimits(item).keptMegabytes,
});

export const dynamoKeptStorage = (client: DynamoDBClient, table: string): KeptStorages => ({
  find: async (account) => {
    const { Item = {} } = await client.send(
      new GetItemCommand({ TableName: table, Key: accountKey(account), ConsistentRead: true }),
    );
    return readKeptStorage(Item);
  },
});

/** Fails if the limit has changed since it was read, or if the storage has no room left. */
export const storageWrites =
  (table: string) =>
  ({ account, bytes, read: { ownMegabytes }, limitBytes }: StorageChange): TransactWriteItem => {
    const isSameLimit =
      ownMegabytes === undefined ? 'attribute_not_exists(keptMegabytes)' : 'keptMegabytes = :limit';
    // A comparison with a missing counter is false.
    const bound = limitBytes === undefined ? [] : [`NOT ${KEPT_BYTES} > :most`];
    return {
      Update: {
        TableName: table,
        Key: accountKey(account),
        UpdateExpression: `ADD ${KEPT_BYTES} :bytes`,
        ConditionExpression: [isSameLimit, ...bound].join(' AND '),
        ExpressionAttributeValues: encode({
          ':bytes': bytes,
          ...(ownMegabytes !== undefined && { ':limit': ownMegabytes }),
          ...(limitBytes !== undefined && { ':most': limitBytes - bytes }),
        }),
      },
    };
  };

/** Returns the bytes of an item that is no longer kept. */
export const storageReturns =
  (table: string) =>
  (account: string, bytes: number): TransactWriteItem => ({
    Update: {
      TableName: table,
      Key: accountKey(account),
      UpdateExpression: `ADD ${KEPT_BYTES} :bytes`,
      ExpressionAttributeValues: encode({ ':bytes': -bytes }),
    },
  });
