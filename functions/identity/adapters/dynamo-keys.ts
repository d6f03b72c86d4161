import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as stored from '../../platform/aws/attributes.ts';
import { byAccount, dynamoTable, scanItems } from '../../platform/aws/table.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { type ApiKey, KEY_KINDS, type KeyRepository } from '../domain/api-key.ts';
import { ROLES } from '../domain/roles.ts';

/** Reads a stored key; throws if the item is corrupt. */
const readKey = (item: stored.Attributes): ApiKey =>
  ({
    ...stored.all(item, stored.text, 'id', 'hash', 'account', 'name', 'lastFour'),
    createdAt: stored.time(item, 'createdAt'),
    ...stored.allOptional(item, stored.time, 'revokedAt', 'expiresAt'),
    monthlyBudget: stored.optional(item, 'monthlyBudget', stored.amount),
    requestsPerSecond: stored.optional(item, 'requestsPerSecond', stored.number),
    kind: stored.oneOf(item, 'kind', KEY_KINDS),
    ownerId: stored.optional(item, 'ownerId', stored.text),
    role: stored.optional(item, 'role', (each, name) => stored.oneOf(each, name, ROLES)),
  }) satisfies stored.Complete<ApiKey>;

/** A consistent read sees a revocation immediately, at twice the cost. */
export const dynamoKeys = (client: DynamoDBClient, table: string, consistent = false): KeyRepository => ({
  findByHash: (hash) => dynamoTable(client, table).get({ hash }, readKey, consistent),
});

export const dynamoKeyList = (client: DynamoDBClient, table: string, logger: Pick<Logger, 'error'>) => {
  const lists = { logger, key: ['hash'] };
  return {
    listAccount: (account: string): Promise<ApiKey[]> =>
      dynamoTable(client, table, lists).list(byAccount(account), readKey),

    /** For the key command only: no function may read the keys of all accounts. */
    list: async (): Promise<ApiKey[]> => {
      const keys = await scanItems(client, { name: table, ...lists }, readKey);
      return keys.toSorted((one, other) => one.createdAt - other.createdAt);
    },
  };
};
