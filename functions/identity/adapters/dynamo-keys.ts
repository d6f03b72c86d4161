import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type Attributes,
  amount,
  number,
  oneOf,
  optional,
  text,
  time,
} from '../../platform/aws/attributes.ts';
import { byAccount, dynamoTable, scanItems } from '../../platform/aws/table.ts';
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
