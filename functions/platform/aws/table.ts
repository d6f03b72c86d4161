import { randomUUID } from 'node:crypto';
import {
  BatchGetItemCommand,
  type ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  type KeysAndAttributes,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  type TransactWriteItem,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Logger } from '../domain/log-events.ts';
import { type Attributes, encode, type Values } from './attributes.ts';
import { hasName } from './aws-clients.ts';
import { retryOnConflict } from './contention.ts';
import {
  type Change,
  type Condition,
  type Placeholders,
  placeholders,
  putWrite,
  removeWrite,
  updateWrite,
} from './table-writes.ts';

/** One DynamoDB table: plain keys and values in, items read by their own function out. */

export type Query = Placeholders & {
  readonly index?: string;
  readonly where: string;
  readonly newestFirst?: boolean;
  readonly consistent?: boolean;
  readonly limit?: number | undefined;
  /** The key of the item before the first one. */
  readonly after?: Attributes | undefined;
};

/** The items of an account in the index of tables that have one, newest first. */
export const byAccount = (account: string) =>
  ({ index: 'by-account', where: 'account = :account', values: { account }, newestFirst: true }) as const;

type Single = Pick<TransactWriteItem, 'Put' | 'Delete'> & { readonly Update?: UpdateItemCommandInput };

/** Undefined for a skipped item. */
export type ReadItem<T> = (item: Attributes) => T | undefined;

type Lists = {
  /** Gets the key (never the content) of an item that cannot be read, which a list skips. */
  readonly logger: Pick<Logger, 'error'>;
  /** The table's key attributes, logged so that an operator can find the item. */
  readonly key: readonly string[];
};

const isConditionFailure = (error: unknown): error is ConditionalCheckFailedException =>
  hasName(error, 'ConditionalCheckFailedException');

/** Skips an item that cannot be read, for lists that are not read by a query. */
export const skipUnreadable =
  <T>(table: string, lists: Lists | undefined, read: ReadItem<T>): ReadItem<T> =>
  (item) => {
    try {
      return read(item);
    } catch (error) {
      if (lists === undefined) throw error;
      const key = lists.key.map((attribute) => item[attribute]?.S ?? '').join('/');
      lists.logger.error('item not readable', error, { table, key });
      return undefined;
    }
  };

const readItems = <T>(items: readonly Attributes[] = [], read: ReadItem<T>): T[] =>
  items.map(read).filter((found) => found !== undefined);

/** Functions that list items give `lists`; without it, an item that cannot be read makes a list fail. */
export const dynamoTable = (client: DynamoDBClient, name: string, lists?: Lists) => {
  const page = async <T>(query: Query, read: ReadItem<T>) => {
    const { index, where, newestFirst = false, consistent, limit, after, ...given } = query;
    const { Items, LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: name,
        IndexName: index,
        KeyConditionExpression: where,
        ...placeholders(where, given),
        ScanIndexForward: !newestFirst,
        ConsistentRead: consistent,
        Limit: limit,
        ExclusiveStartKey: after,
      }),
    );
    return { items: readItems(Items, skipUnreadable(name, lists, read)), next: LastEvaluatedKey };
  };

  /** Each page is read when it is needed. */
  const items = async function* <T>(query: Query, read: ReadItem<T>): AsyncGenerator<T> {
    let after = query.after;
    do {
      const found = await page({ ...query, after }, read);
      yield* found.items;
      after = found.next;
    } while (after !== undefined);
  };

  /** Undefined if the item was written; otherwise the stored item, empty unless the condition returns it. */
  const attempt = async ({ Put, Update, Delete }: Single): Promise<Attributes | undefined> => {
    try {
      await retryOnConflict(async () => {
        if (Put !== undefined) await client.send(new PutItemCommand(Put));
        if (Update !== undefined) await client.send(new UpdateItemCommand(Update));
        if (Delete !== undefined) await client.send(new DeleteItemCommand(Delete));
      });
      return undefined;
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      return error.Item ?? {};
    }
  };

  return {
    name,

    /** A consistent read, unless the caller accepts an older item at half the price. */
    get: async <T>(key: Values, read: (item: Attributes) => T, consistent = true): Promise<T | undefined> => {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: name, Key: encode(key), ConsistentRead: consistent }),
      );
      return Item === undefined ? undefined : read(Item);
    },

    page,
    items,
    list: <T>(query: Query, read: ReadItem<T>): Promise<T[]> => Array.fromAsync(items(query, read)),

    /** The following writes are repeated while a transaction holds the item. They return false if the condition failed. */
    put: async (item: Attributes, condition?: Condition): Promise<boolean> =>
      (await attempt(putWrite(name, item, condition))) === undefined,
    update: async (key: Values, change: Change): Promise<boolean> =>
      (await attempt(updateWrite(name, key, change))) === undefined,
    remove: async (key: Values, condition?: Condition): Promise<boolean> =>
      (await attempt(removeWrite(name, key, condition))) === undefined,
    attempt,

    /** Returns the changed item; undefined if the condition failed. */
    change: async (key: Values, change: Change): Promise<Attributes | undefined> => {
      const command = new UpdateItemCommand({
        ...updateWrite(name, key, change).Update,
        ReturnValues: 'ALL_NEW',
      });
      try {
        return (await retryOnConflict(() => client.send(command))).Attributes ?? {};
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
        return undefined;
      }
    },

    /**
     * Makes a write with a condition that stores the given id as `write_id` and returns the item if it fails. When a
     * response is lost, the SDK repeats the write, which then fails because of itself: the stored id shows that it was made.
     */
    writeOnce: async (toWrite: (writeId: string) => Single): Promise<boolean> => {
      const writeId = randomUUID();
      const stored = await attempt(toWrite(writeId));
      return stored === undefined || stored.write_id?.S === writeId;
    },
  };
};

export type Table = ReturnType<typeof dynamoTable>;

/** All items of a table, only for operator commands: no function may read the items of all accounts. */
export const scanItems = async <T>(
  client: DynamoDBClient,
  {
    name,
    filter,
    ...lists
  }: Lists & { readonly name: string; readonly filter?: Placeholders & { where: string } },
  read: ReadItem<T>,
): Promise<T[]> => {
  const found: T[] = [];
  let ExclusiveStartKey: Attributes | undefined;
  do {
    const { Items, LastEvaluatedKey } = await client.send(
      new ScanCommand({
        TableName: name,
        ...(filter && { FilterExpression: filter.where, ...placeholders(filter.where, filter) }),
        ExclusiveStartKey,
      }),
    );
    found.push(...readItems(Items, skipUnreadable(name, lists, read)));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return found;
};

/** DynamoDB returns at most 16 MB at once, and may leave out items while it is busy. */
const MAX_READS = 10;

/** Up to 100 items, without those that do not exist, in any order. */
export const getMany = async (
  client: DynamoDBClient,
  table: string,
  keys: readonly Values[],
  request: Omit<KeysAndAttributes, 'Keys'> = {},
): Promise<Attributes[]> => {
  const found: Attributes[] = [];
  let Keys: Attributes[] = keys.map(encode);
  for (let reads = 0; Keys.length > 0; reads += 1) {
    if (reads === MAX_READS) throw new Error(`not all items of ${table} could be read`);
    const RequestItems = { [table]: { ...request, Keys } };
    const { Responses, UnprocessedKeys } = await client.send(new BatchGetItemCommand({ RequestItems }));
    found.push(...(Responses?.[table] ?? []));
    Keys = UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return found;
};
