import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ApiKey } from '../domain/api-key.ts';
import type { KeyRepository } from '../domain/ports.ts';
import { holds } from './aws-clients.ts';
import { maybe } from './maybe.ts';

const keySchema = z.object({
  id: z.string(),
  hash: z.string(),
  account: z.string(),
  name: z.string(),
  lastFour: z.string(),
  createdAt: z.number(),
  revokedAt: maybe(z.number()),
});

export const dynamoKeys = (client: DynamoDBDocumentClient, table: string): KeyRepository => ({
  findByHash: async (hash) => {
    const { Item } = await client.send(new GetCommand({ TableName: table, Key: { hash } }));
    return Item === undefined ? undefined : keySchema.parse(Item);
  },
});

/** What the key command does besides; no function may. */
export const keyAdministration = (client: DynamoDBDocumentClient, table: string) => ({
  add: async (key: ApiKey): Promise<void> => {
    await client.send(
      new PutCommand({
        TableName: table,
        Item: key,
        ConditionExpression: 'attribute_not_exists(#hash)',
        ExpressionAttributeNames: { '#hash': 'hash' },
      }),
    );
  },

  list: async (): Promise<ApiKey[]> => {
    const keys: ApiKey[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await client.send(new ScanCommand({ TableName: table, ExclusiveStartKey: start }));
      keys.push(...(page.Items ?? []).map((item) => keySchema.parse(item)));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return keys.toSorted((one, other) => one.createdAt - other.createdAt);
  },

  /** False when the key is not there. */
  revoke: (hash: string, now: number): Promise<boolean> =>
    holds(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: { hash },
          UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
          ConditionExpression: 'attribute_exists(#hash)',
          ExpressionAttributeNames: { '#hash': 'hash' },
          ExpressionAttributeValues: { ':now': now },
        }),
      ),
    ),
});
