import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { conditionHeld } from '../aws/aws-clients.ts';
import {
  type Attributes,
  allItems,
  amount,
  encode,
  number,
  oneOf,
  optional,
  skipUnreadable,
  text,
  time,
} from '../aws/dynamo.ts';
import { type ApiKey, KEY_KINDS, type KeyChange, type KeyRepository } from '../domain/api-key.ts';
import type { Logger } from '../domain/log-events.ts';

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

/** Used by the key endpoints and by the key command. */
export const keyAdministration = (client: DynamoDBClient, table: string, logger: Pick<Logger, 'error'>) => ({
  add: async (key: ApiKey): Promise<void> => {
    await client.send(
      new PutItemCommand({
        TableName: table,
        Item: encode(key),
        ConditionExpression: 'attribute_not_exists(#hash)',
        ExpressionAttributeNames: { '#hash': 'hash' },
      }),
    );
  },

  listAccount: async (account: string): Promise<ApiKey[]> => {
    const items = allItems(
      (start) =>
        client.send(
          new QueryCommand({
            TableName: table,
            IndexName: 'by-account',
            KeyConditionExpression: 'account = :account',
            ExpressionAttributeValues: encode({ ':account': account }),
            ScanIndexForward: false,
            ExclusiveStartKey: start,
          }),
        ),
      skipUnreadable({ logger, table, key: ['hash'] }, readKey),
    );
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

  /** False when the key is not found. */
  revoke: (hash: string, now: number): Promise<boolean> =>
    conditionHeld(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: encode({ hash }),
          UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
          ConditionExpression: 'attribute_exists(#hash)',
          ExpressionAttributeNames: { '#hash': 'hash' },
          ExpressionAttributeValues: encode({ ':now': now }),
        }),
      ),
    ),

  change: (hash: string, change: KeyChange): Promise<boolean> => {
    const names = Object.keys(change);
    const values = encode(
      Object.fromEntries(Object.entries(change).map(([name, value]) => [`:${name}`, value])),
    );
    const kept = names.filter((name) => values[`:${name}`] !== undefined);
    const removed = names.filter((name) => !kept.includes(name));
    const sections = [
      ...(kept.length === 0 ? [] : [`SET ${kept.map((name) => `#${name} = :${name}`).join(', ')}`]),
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`]),
    ];
    return conditionHeld(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: encode({ hash }),
          UpdateExpression: sections.join(' '),
          ConditionExpression: 'attribute_exists(#hash) AND attribute_not_exists(revokedAt)',
          ExpressionAttributeNames: {
            '#hash': 'hash',
            ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
          },
          ...(kept.length === 0 ? {} : { ExpressionAttributeValues: values }),
        }),
      ),
    );
  },
});
