import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Logger } from '../domain/log-events.ts';
import { isAmount } from '../domain/money.ts';

/** An item, or a map within one, in DynamoDB's format. */
export type Attributes = Record<string, AttributeValue>;

type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [name: string]: Value };

const encodeValue = (value: Exclude<Value, undefined>): AttributeValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (isList(value)) return { L: value.filter((element) => element !== undefined).map(encodeValue) };
  return { M: encode(value) };
};

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Omits undefined values, which DynamoDB does not have. */
export const encode = (values: { readonly [name: string]: Value }): Attributes => {
  const attributes: Attributes = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) attributes[name] = encodeValue(value);
  }
  return attributes;
};

/** Reads one attribute; a missing attribute or one of another type makes the item corrupt. */
type Read<T> = (from: Attributes, name: string) => T;

export const corrupt = (name: string): Error => new Error(`the stored item is corrupt: ${name}`);

export const text: Read<string> = (from, name) => {
  const value = from[name]?.S;
  if (value === undefined) throw corrupt(name);
  return value;
};

export const number: Read<number> = (from, name) => {
  const value = Number(from[name]?.N);
  // DynamoDB stores up to 38 digits, which a JavaScript number cannot hold.
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) throw corrupt(name);
  return value;
};

/** The latest time that a Date can hold. */
const LAST_MOMENT = 8.64e15;

/** Milliseconds since the epoch, possibly with a fraction. */
export const time: Read<number> = (from, name) => {
  const value = number(from, name);
  if (value < 0 || value > LAST_MOMENT) throw corrupt(name);
  return value;
};

export const boolean: Read<boolean> = (from, name) => {
  const value = from[name]?.BOOL;
  if (value === undefined) throw corrupt(name);
  return value;
};

export const map: Read<Attributes> = (from, name) => {
  const value = from[name]?.M;
  if (value === undefined) throw corrupt(name);
  return value;
};

export const maps: Read<readonly Attributes[]> = (from, name) => {
  const list = from[name]?.L;
  if (list === undefined) throw corrupt(name);
  return list.map(({ M }) => {
    if (M === undefined) throw corrupt(name);
    return M;
  });
};

export const textOrNull: Read<string | null> = (from, name) =>
  from[name]?.NULL === true ? null : text(from, name);

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** A UTC month, such as `2026-11`. */
export const month: Read<string> = (from, name) => {
  const value = text(from, name);
  if (!MONTH.test(value)) throw corrupt(name);
  return value;
};

/** A decimal amount stored as text. */
export const amount: Read<string> = (from, name) => {
  const value = text(from, name);
  if (!isAmount(value)) throw corrupt(name);
  return value;
};

export const amountOrNull: Read<string | null> = (from, name) =>
  from[name]?.NULL === true ? null : amount(from, name);

/** A decimal amount stored as a number, because DynamoDB adds to it. */
export const sum: Read<string> = (from, name) => {
  const value = from[name]?.N;
  if (value === undefined || !isAmount(value)) throw corrupt(name);
  return value;
};

/** One of the given values; any other stored value is corrupt. */
export const oneOf = <T extends string | number>(from: Attributes, name: string, values: readonly T[]): T => {
  const { S, N } = from[name] ?? {};
  const found = values.find((value) => (typeof value === 'string' ? value === S : String(value) === N));
  if (found === undefined) throw corrupt(name);
  return found;
};

export const texts = <T extends string>(
  from: Attributes,
  name: string,
  values: readonly T[],
): readonly T[] => {
  const list = from[name]?.L;
  if (list === undefined) throw corrupt(name);
  return list.map((value) => oneOf({ [name]: value }, name, values));
};

export const optional = <T>(from: Attributes, name: string, read: Read<T>): T | undefined =>
  from[name] === undefined ? undefined : read(from, name);

/** Reads many items: an unreadable item must not affect the others. */

type Page = { readonly Items?: Attributes[] | undefined; readonly LastEvaluatedKey?: Attributes | undefined };

/** Undefined for a skipped item. */
export type ReadItem<T> = (item: Attributes) => T | undefined;

type Source = {
  readonly logger: Pick<Logger, 'error'>;
  readonly table: string;
  /** The table's key attributes, logged so that an operator can find the item. */
  readonly key: readonly string[];
};

/** Logs the key (never the content) of an unreadable item, counts it and skips it. */
export const skipUnreadable =
  <T>({ logger, table, key }: Source, read: ReadItem<T>): ReadItem<T> =>
  (item) => {
    try {
      return read(item);
    } catch (error) {
      logger.error('item not readable', error, {
        table,
        key: key.map((name) => item[name]?.S ?? '').join('/'),
      });
      return undefined;
    }
  };

/** The readable items of a page. */
export const readItems = <T>({ Items = [] }: Page, read: ReadItem<T>): T[] =>
  Items.map(read).filter((found) => found !== undefined);

/** All items of a query or scan; each page is read when it is needed. */
export const allItems = async function* <T>(
  readPage: (start: Attributes | undefined) => Promise<Page>,
  read: ReadItem<T>,
  first?: Attributes,
): AsyncGenerator<T> {
  let start = first;
  do {
    const page = await readPage(start);
    yield* readItems(page, read);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
};

/** The sparse index `due` of a table: items with pending work, ordered by its time. */

type DueIndex = { readonly shards: readonly string[]; readonly shardFor: (id: string) => string };

/** Shards spread the writes: DynamoDB allows 1,000 write units per second and key. */
export const dueIndex = (shardCount: number): DueIndex => ({
  shards: Array.from({ length: shardCount }, (_, shard) => `due-${shard}`),
  // The end of an identifier is random.
  shardFor: (id) => {
    let sum = 0;
    for (const letter of id.slice(-4)) sum = sum * 31 + letter.charCodeAt(0);
    return `due-${sum % shardCount}`;
  },
});

type Due<T> = {
  readonly table: string;
  readonly index: DueIndex;
  /** Reads work that is due by this time. */
  readonly until: number;
  readonly read: ReadItem<T>;
};

/** Reads the shards in turn, so that the writes that follow are spread as well. */
export async function* dueItems<T>(
  client: DynamoDBClient,
  { table, index, until, read }: Due<T>,
): AsyncGenerator<T> {
  let open = index.shards.map((shard) =>
    allItems(
      (start) =>
        client.send(
          new QueryCommand({
            TableName: table,
            IndexName: 'due',
            KeyConditionExpression: 'due_shard = :shard AND due_at <= :until',
            ExpressionAttributeValues: encode({ ':shard': shard, ':until': until }),
            ExclusiveStartKey: start,
          }),
        ),
      read,
    ),
  );
  while (open.length > 0) {
    const round = await Promise.all(open.map(async (source) => ({ source, next: await source.next() })));
    for (const { next } of round) if (next.done !== true) yield next.value;
    open = round.filter(({ next }) => next.done !== true).map(({ source }) => source);
  }
}
