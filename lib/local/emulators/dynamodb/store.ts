import { setTimeout as sleep } from 'node:timers/promises';
import { endIfStorageFailed, hasCode } from '../../errors.ts';
import type { Home } from '../messages.ts';
import {
  database,
  type Item,
  type Level,
  type LevelWrite,
  type Store,
  type Table,
  WRITES,
} from './dynalite.ts';

const LOCK_TIMEOUT_MS = 5000;
const BATCH = 500;

export const writeInBatches = async (
  db: Level,
  writes: AsyncIterable<LevelWrite> | Iterable<LevelWrite>,
): Promise<void> => {
  let batch: LevelWrite[] = [];
  for await (const write of writes) {
    batch.push(write);
    if (batch.length < BATCH) continue;
    await db.batch(batch);
    batch = [];
  }
  await db.batch(batch);
};

export const withPrefix = (prefix: string) => ({ gte: prefix, lt: `${prefix}\xff` });

// Streams close their iterator with `return`, which value iterators lack, so that each Query would leak one.
const closeIteratorsAtEnd = (level: Level): void => {
  const values = level.values.bind(level);
  level.values = (options) => {
    const iterator = values(options);
    iterator.return = () => iterator.close();
    return iterator;
  };
};

/** Handing a read to a thread and back takes several times as long as the read itself. */
const readInThisThread = (level: Level): void => {
  level._get = async (key, options) => level._getSync(key, options);
};

/** Exits at once, before a later write can be acknowledged. */
const exitOnFailedWrite = (level: Level): void => {
  for (const name of WRITES) {
    const write = level[name].bind(level);
    level[name] = (...parameters) =>
      write(...parameters).catch((error: unknown) => {
        endIfStorageFailed(error);
        throw error;
      });
  }
};

const isLocked = (error: unknown): boolean =>
  error instanceof Error && [error, error.cause].some((each) => hasCode(each, 'LEVEL_LOCKED'));

/** A previous process whose parent was killed may still hold the lock while it flushes. */
const openWhenUnlocked = async (create: () => Store): Promise<Store> => {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const store = create();
    try {
      await store.db.open();
      return store;
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (Date.now() > deadline) {
        throw new Error('The data folder is in use by another process.', { cause: error });
      }
      await sleep(50);
    }
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isTable = (value: unknown): value is Table => isObject(value) && typeof value.TableName === 'string';

const isItem = (value: unknown): value is Item => isObject(value);

/** Items and index entries are written separately, so that a crash can leave wrong index entries. */
export const rebuildIndexes = async ({ db }: Store, table: Table): Promise<void> => {
  const { TableName, GlobalSecondaryIndexes: indexes = [] } = table;
  const indexPrefix = (index: string) => `index-global~${TableName}~${index}~`;
  for (const { IndexName } of indexes) await db.clear(withPrefix(indexPrefix(IndexName)));
  if (indexes.length === 0) return;
  async function* entries(): AsyncGenerator<LevelWrite> {
    for await (const [, item] of db.iterator(withPrefix(`item-${TableName}~`))) {
      if (!isItem(item)) continue;
      const { puts } = database.getIndexActions(indexes, undefined, item, table);
      for (const { index, key, item: value } of puts)
        yield { type: 'put', key: indexPrefix(index) + key, value };
    }
  }
  await writeInBatches(db, entries());
};

// A timer activates a table, and a crash loses the timer.
const activate = (store: Store, table: Table): Promise<void> => {
  table.TableStatus = 'ACTIVE';
  for (const index of table.GlobalSecondaryIndexes ?? []) index.IndexStatus = 'ACTIVE';
  return new Promise((resolve, reject) => {
    store.tableDb.put(table.TableName, table, (error) => (error ? reject(error) : resolve()));
  });
};

const repair = async (store: Store): Promise<void> => {
  const tables: Table[] = [];
  for await (const [, table] of store.db.iterator(withPrefix('table~')))
    if (isTable(table)) tables.push(table);
  for (const table of tables) {
    if (table.TableStatus !== 'ACTIVE') await activate(store, table);
    await rebuildIndexes(store, table);
  }
};

export const openStore = async (path: string, { region, accountId }: Home): Promise<Store> => {
  const immediate = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 };
  const store = await openWhenUnlocked(() => database.create({ path, ...immediate }));
  store.tableDb.awsAccountId = accountId;
  store.tableDb.awsRegion = region;
  closeIteratorsAtEnd(store.db);
  readInThisThread(store.db);
  exitOnFailedWrite(store.db);
  await repair(store);
  return store;
};
