import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  paginateScan,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  type WriteRequest,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../functions/platform/aws/attributes.ts';
import { OperatorError } from './operated-stack.ts';

/** A table of the stack, and its copy from an earlier moment. */
export type CopiedTable = { readonly live: string; readonly copy: string; readonly keys: readonly string[] };

/** An item that differs: now, and at the moment. */
export type Change = {
  readonly key: Attributes;
  readonly live: Attributes | undefined;
  readonly earlier: Attributes | undefined;
};

/** The last second to which all tables can be restored, and the first. */
export const readRestorable = async (client: DynamoDBClient, tables: readonly string[]) => {
  let [earliest, latest] = [0, Number.POSITIVE_INFINITY];
  for (const TableName of tables) {
    const { ContinuousBackupsDescription: backups } = await client.send(
      new DescribeContinuousBackupsCommand({ TableName }),
    );
    const { EarliestRestorableDateTime: first, LatestRestorableDateTime: last } =
      backups?.PointInTimeRecoveryDescription ?? {};
    if (first === undefined || last === undefined)
      throw new OperatorError(
        `The table ${TableName} has no point-in-time recovery: enable it with aws dynamodb update-continuous-backups.`,
      );
    earliest = Math.max(earliest, first.getTime());
    latest = Math.min(latest, last.getTime());
  }
  return { earliest, latest };
};

const keyNames = async (client: DynamoDBClient, TableName: string): Promise<string[]> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return (Table?.KeySchema ?? []).flatMap(({ AttributeName }) => AttributeName ?? []);
};

/** Table names have at most 255 characters; those of CloudFormation are shorter than half of that. */
const copyName = (table: string, moment: number): string =>
  `${table}-at-${new Date(moment).toISOString().replace(/\D/g, '').slice(0, 14)}`;

/** A large table takes hours. */
const LONGEST_RESTORE_SECONDS = 24 * 60 * 60;
const LONGEST_DELETION_SECONDS = 10 * 60;

/**
 * Restores each table to a copy, since DynamoDB never restores in place. A copy that an interrupted run left is used
 * again. The copies have no indexes, which makes them ready sooner.
 */
export const makeCopies = async (
  client: DynamoDBClient,
  tables: readonly string[],
  moment: number,
): Promise<CopiedTable[]> => {
  const copies: CopiedTable[] = [];
  for (const live of tables) {
    const copy = copyName(live, moment);
    const restore = new RestoreTableToPointInTimeCommand({
      SourceTableName: live,
      TargetTableName: copy,
      RestoreDateTime: new Date(moment),
      GlobalSecondaryIndexOverride: [],
    });
    await client.send(restore).catch((error: unknown) => {
      if (!(error instanceof TableAlreadyExistsException)) throw error;
    });
    copies.push({ live, copy, keys: await keyNames(client, live) });
  }
  for (const { copy } of copies)
    await waitUntilTableExists(
      { client, maxWaitTime: LONGEST_RESTORE_SECONDS, minDelay: 1, maxDelay: 20 },
      { TableName: copy },
    );
  return copies;
};

export const dropCopies = async (client: DynamoDBClient, copies: readonly CopiedTable[]): Promise<void> => {
  for (const { copy } of copies) await client.send(new DeleteTableCommand({ TableName: copy }));
  // A second run for the same moment needs the names.
  for (const { copy } of copies)
    await waitUntilTableNotExists(
      { client, maxWaitTime: LONGEST_DELETION_SECONDS, minDelay: 1, maxDelay: 20 },
      { TableName: copy },
    );
};

/** The pages of a table. */
export async function* scanPages(client: DynamoDBClient, TableName: string): AsyncGenerator<Attributes[]> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    yield Items;
}

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );

const pickKey = (item: Attributes, keys: readonly string[]): Attributes =>
  Object.fromEntries(
    keys.flatMap((name) => {
      const value = item[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const keyText = (item: Attributes, keys: readonly string[]): string => JSON.stringify(pickKey(item, keys));

/** The items of a table with the same keys as the given ones. */
const findAll = async (
  client: DynamoDBClient,
  table: string,
  items: readonly Attributes[],
  keys: readonly string[],
): Promise<Map<string, Attributes>> => {
  const found = new Map<string, Attributes>();
  for (const group of chunks(items, 100)) {
    let wanted: Attributes[] = group.map((item) => pickKey(item, keys));
    while (wanted.length > 0) {
      const request = { [table]: { Keys: wanted, ConsistentRead: true } };
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({ RequestItems: request }),
      );
      for (const item of Responses?.[table] ?? []) found.set(keyText(item, keys), item);
      wanted = UnprocessedKeys?.[table]?.Keys ?? [];
    }
  }
  return found;
};

/** DynamoDB keeps neither the order of sets nor the zeros at the end of numbers. */
const comparable = ({ SS, NS, L, M, N, ...value }: AttributeValue): unknown => {
  if (SS !== undefined) return { SS: SS.toSorted() };
  if (NS !== undefined) return { NS: NS.toSorted() };
  if (L !== undefined) return { L: L.map(comparable) };
  if (M !== undefined) return { M: comparableItem(M) };
  return N === undefined ? value : { N: N.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') };
};

const comparableItem = (item: Attributes): unknown =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, comparable(value)]));

const isSame = (one: Attributes | undefined, other: Attributes | undefined): boolean => {
  const [first, second] = [one, other].map((item) => (item === undefined ? undefined : comparableItem(item)));
  return isDeepStrictEqual(first, second);
};

/** Reads both tables page by page, since they may be larger than the memory. */
export async function* listChanges(
  client: DynamoDBClient,
  { live, copy, keys }: CopiedTable,
): AsyncGenerator<Change> {
  for await (const page of scanPages(client, copy)) {
    const current = await findAll(client, live, page, keys);
    for (const earlier of page) {
      const found = current.get(keyText(earlier, keys));
      if (!isSame(found, earlier)) yield { key: pickKey(earlier, keys), live: found, earlier };
    }
  }
  for await (const page of scanPages(client, live)) {
    const copied = await findAll(client, copy, page, keys);
    for (const item of page)
      if (!copied.has(keyText(item, keys)))
        yield { key: pickKey(item, keys), live: item, earlier: undefined };
  }
}

/** An item as it should be; undefined if it should not exist. */
export type Wanted = {
  readonly key: Attributes;
  readonly live: Attributes | undefined;
  readonly item: Attributes | undefined;
};

const MAX_WRITES = 25;
const RETRY_MILLISECONDS = 200;

const writeAll = async (
  client: DynamoDBClient,
  table: string,
  writes: readonly WriteRequest[],
): Promise<void> => {
  let open: WriteRequest[] = [...writes];
  while (open.length > 0) {
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: open } }),
    );
    open = UnprocessedItems?.[table] ?? [];
    if (open.length > 0) await sleep(RETRY_MILLISECONDS);
  }
};

/** Writes the items that differ from the wanted ones and returns how many. */
export const applyWanted = async (
  client: DynamoDBClient,
  table: string,
  wanted: AsyncIterable<Wanted>,
  { isRehearsal }: { readonly isRehearsal: boolean },
): Promise<number> => {
  let [count, writes]: [number, WriteRequest[]] = [0, []];
  const flush = async () => {
    if (!isRehearsal) await writeAll(client, table, writes);
    writes = [];
  };
  for await (const { key, live, item } of wanted) {
    if (isSame(live, item)) continue;
    count += 1;
    writes.push(item === undefined ? { DeleteRequest: { Key: key } } : { PutRequest: { Item: item } });
    if (writes.length === MAX_WRITES) await flush();
  }
  await flush();
  return count;
};
