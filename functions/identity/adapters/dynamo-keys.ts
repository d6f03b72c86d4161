import { type DynamoDBClient, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  type Attributes,
  amount,
  encode,
  number,
  oneOf,
  optional,
  text,
  time,
} from '../../platform/aws/attributes.ts';
import { accountItems, allItems, skipUnreadable } from '../../platform/aws/items.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { type ApiKey, KEY_KINDS, type KeyRepository } from '../domain/api-key.ts';
import { ROLES } from '../domain/roles.ts';

/** Reads a stored key; throws if the item is corrupt. */
const readKey = (item: Attributes): ApiKey =>
  ({
    id: text(item, 'id'),
    hash: text(item, 'hash'),
    account: text(item, 'account'),
    name: text(item, 'name'),
    lastFour: text(item, 'lastFour'),
    createdAt: time(item, 'createdAt'),
    revokedAt: optional(item, 'revokedAt', time),
    expiresAt: optional(item, 'expiresAt', time),
    monthlyBudget: optional(item, 'monthlyBudget', amount),
    requestsPerSecond: optional(item, 'requestsPerSecond', number),
    kind: oneOf(item, 'kind', KEY_KINDS),
    ownerId: optional(item, 'ownerId', text),
    role: optional(item, 'role', (each, name) => oneOf(each, name, ROLES)),
  }) satisfies { readonly [Property in keyof Required<ApiKey>]: ApiKey[Property] };

/** A consistent read sees a revocation immediately, at twice the cost. */
export const dynamoKeys = (client: DynamoDBClient, table: string, consistent = false): KeyRepository => ({
  findByHash: async (hash) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: encode({ hash }), ConsistentRead: consistent }),
    );
    return Item === undefined ? undefined : readKey(Item);
  },
});

export const dynamoKeyList = (client: DynamoDBClient, table: string, logger: Pick<Logger, 'error'>) => ({
  listAccount: async (account: string): Promise<ApiKey[]> => {
    const items = accountItems(client, table, account, {
      read: skipUnreadable({ logger, table, key: ['hash'] }, readKey),
    });
    return Array.fromAsync(items);
  },

  /** For the key command only: no function may read the keys of all accounts. */
  list: async (): Promise<ApiKey[]> => {
    const items = allItems(
      (start) => client.send(new ScanCommand({ TableName: table, ExclusiveStartKey: start })),
      skipUnreadable({ logger, table, key: ['hash'] }, readKey),
    );
    return (await Array.fromAsync(items)).toSorted((one, other) => one.createdAt - other.createdAt);
  },
});
