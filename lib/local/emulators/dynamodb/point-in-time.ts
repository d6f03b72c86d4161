import * as z from 'zod';
import type { JsonOperation } from '../aws-http/service.ts';
import { dynamoError, findTable, type Item, type LevelWrite, type Store, type Table } from './dynalite.ts';
import { rebuildIndexes, withPrefix, writeInBatches } from './store.ts';
import type { SettingsOfTables } from './table-settings.ts';

/**
 * Point-in-time recovery. Every version of an item is kept beside it, in the same atomic write, so that a table can be
 * restored to any second, as on AWS to a new table.
 */

const DAYS = 35;
const DAY = 24 * 60 * 60 * 1000;
/** On AWS the latest moment that can be restored is about five minutes ago. */
export const RESTORABLE_AFTER_SECONDS = 300;

const ITEM = /^item-([^~]+)~(.*)$/s;
const historyPrefix = (table: string): string => `history~${table}~`;

const TIME_DIGITS = 13;
const COUNT_DIGITS = 6;
let writes = 0;

/** Sorts the versions of an item by time, and those of one millisecond by their order. */
const version = (time: number): string => {
  writes = (writes + 1) % 10 ** COUNT_DIGITS;
  return String(time).padStart(TIME_DIGITS, '0') + String(writes).padStart(COUNT_DIGITS, '0');
};

const splitVersion = (key: string): { readonly item: string; readonly time: number } => {
  const at = key.length - TIME_DIGITS - COUNT_DIGITS;
  // A separator precedes the version.
  return { item: key.slice(0, at - 1), time: Number(key.slice(at, at + TIME_DIGITS)) };
};

/** A version without an item is a deletion. */
const Version = z.object({ item: z.record(z.string(), z.unknown()).optional() });

/** Adds a version to each write of an item whose table has point-in-time recovery. */
export const keepVersions = ({ db }: Store, settings: SettingsOfTables): void => {
  const [put, del, batch] = [db.put.bind(db), db.del.bind(db), db.batch.bind(db)];
  const toVersion = (write: LevelWrite, time: number): LevelWrite[] => {
    const [, table, item] = ITEM.exec(write.key) ?? [];
    if (table === undefined || settings.of(table).recoverableSince === undefined) return [];
    const value = write.type === 'put' ? { item: write.value } : {};
    return [{ type: 'put', key: `${historyPrefix(table)}${item}~${version(time)}`, value }];
  };
  db.put = (key, value, ...callback) => {
    const write = { type: 'put', key, value } as const;
    const versions = toVersion(write, Date.now());
    return versions.length === 0 ? put(key, value, ...callback) : batch([write, ...versions], ...callback);
  };
  db.del = (key, ...callback) => {
    const write = { type: 'del', key } as const;
    const versions = toVersion(write, Date.now());
    return versions.length === 0 ? del(key, ...callback) : batch([write, ...versions], ...callback);
  };
  db.batch = (operations, ...callback) => {
    const now = Date.now();
    return batch([...operations, ...operations.flatMap((write) => toVersion(write, now))], ...callback);
  };
};

/** Yields the item that was current at the time under each key. */
async function* itemsAt({ db }: Store, table: string, time: number): AsyncGenerator<[string, Item]> {
  const prefix = historyPrefix(table);
  let last: { readonly key: string; readonly item: Item | undefined } | undefined;
  for await (const [key, value] of db.iterator(withPrefix(prefix))) {
    const { item: itemKey, time: writtenAt } = splitVersion(key.slice(prefix.length));
    if (last !== undefined && last.key !== itemKey) {
      if (last.item !== undefined) yield [last.key, last.item];
      last = undefined;
    }
    if (writtenAt <= time) last = { key: itemKey, item: Version.parse(value).item };
  }
  if (last?.item !== undefined) yield [last.key, last.item];
}

/** Forgets versions that were replaced before the recovery period. */
export const removeOldVersions = async (store: Store, now: number): Promise<void> => {
  let previous: { readonly key: string; readonly item: string } | undefined;
  const outdated: LevelWrite[] = [];
  for await (const key of store.db.keys(withPrefix('history~'))) {
    const { item, time } = splitVersion(key);
    if (previous?.item === item && time < now - DAYS * DAY) outdated.push({ type: 'del', key: previous.key });
    previous = { key, item };
  }
  await writeInBatches(store.db, outdated);
};

const Backups = z.object({
  TableName: z.string(),
  PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }).optional(),
});

const Restore = z.object({
  SourceTableName: z.string(),
  TargetTableName: z.string(),
  RestoreDateTime: z.number().optional(),
  UseLatestRestorableTime: z.boolean().optional(),
  /** An empty list restores no index. */
  GlobalSecondaryIndexOverride: z.array(z.never()).optional(),
});

type Recovery = {
  readonly store: Store;
  readonly settings: SettingsOfTables;
  readonly create: JsonOperation;
  /** How long ago the latest moment is that can be restored. */
  readonly delaySeconds: number;
};

const seconds = (time: number): number => Math.floor(time / 1000);

const describeBackups = ({ settings, delaySeconds }: Recovery, table: string) => {
  const since = settings.of(table).recoverableSince;
  const now = Date.now();
  return {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription:
        since === undefined
          ? { PointInTimeRecoveryStatus: 'DISABLED' }
          : {
              PointInTimeRecoveryStatus: 'ENABLED',
              RecoveryPeriodInDays: DAYS,
              EarliestRestorableDateTime: seconds(Math.max(since + 999, now - DAYS * DAY)),
              LatestRestorableDateTime: seconds(now) - delaySeconds,
            },
    },
  };
};

const startHistory = async ({ store, settings }: Recovery, table: string): Promise<void> => {
  const now = Date.now();
  await settings.change(table, { recoverableSince: now });
  // Writes each item again, which adds its first version.
  async function* current(): AsyncGenerator<LevelWrite> {
    for await (const [key, value] of store.db.iterator(withPrefix(`item-${table}~`)))
      yield { type: 'put', key, value };
  }
  await writeInBatches(store.db, current());
};

/** Removes the versions of a table that is deleted or has no point-in-time recovery any more. */
export const endHistory = ({ db }: Store, table: string): Promise<void> =>
  db.clear(withPrefix(historyPrefix(table)));

/** Name and settings come from now, as on AWS: only keys, indexes and items are those of the source. */
const newTable = (source: Table, target: string, hasIndexes: boolean) => {
  const { KeySchema, AttributeDefinitions } = source;
  const indexes = hasIndexes ? (source.GlobalSecondaryIndexes ?? []) : [];
  const names = new Set(
    [KeySchema, ...indexes.map((index) => index.KeySchema)].flat().map(({ AttributeName }) => AttributeName),
  );
  const GlobalSecondaryIndexes = indexes.map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  }));
  return {
    TableName: target,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema,
    AttributeDefinitions: AttributeDefinitions.filter(({ AttributeName }) => names.has(AttributeName)),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes }),
  };
};

const restore =
  (recovery: Recovery): JsonOperation =>
  async (input, request) => {
    const { store, create } = recovery;
    const { SourceTableName, TargetTableName, GlobalSecondaryIndexOverride, ...given } = Restore.parse(input);
    const source = await findTable(store, SourceTableName).catch(() => {
      throw dynamoError('TableNotFoundException', `Table not found: ${SourceTableName}`);
    });
    const {
      PointInTimeRecoveryStatus: status,
      EarliestRestorableDateTime: earliest = 0,
      LatestRestorableDateTime: latest = 0,
    } = describeBackups(recovery, SourceTableName).ContinuousBackupsDescription
      .PointInTimeRecoveryDescription;
    if (status !== 'ENABLED')
      throw dynamoError(
        'PointInTimeRecoveryUnavailableException',
        `Point in time recovery is not enabled for table '${SourceTableName}'`,
      );
    const { RestoreDateTime, UseLatestRestorableTime } = given;
    const moment = UseLatestRestorableTime === true ? latest : Math.floor(RestoreDateTime ?? Number.NaN);
    if (!(moment >= earliest && moment <= latest))
      throw dynamoError(
        'InvalidRestoreTimeException',
        'RestoreDateTime must be between EarliestRestorableDateTime and LatestRestorableDateTime',
      );
    if (
      await findTable(store, TargetTableName).then(
        () => true,
        () => false,
      )
    )
      throw dynamoError('TableAlreadyExistsException', `Table already exists: ${TargetTableName}`);
    const table = newTable(source, TargetTableName, GlobalSecondaryIndexOverride === undefined);
    const { TableDescription } = Object(await create(table, request));
    async function* restored(): AsyncGenerator<LevelWrite> {
      for await (const [key, value] of itemsAt(store, SourceTableName, moment * 1000))
        yield { type: 'put', key: `item-${TargetTableName}~${key}`, value };
    }
    await writeInBatches(store.db, restored());
    await rebuildIndexes(store, await findTable(store, TargetTableName));
    return { TableDescription };
  };

export const continuousBackups = (recovery: Recovery): Readonly<Record<string, JsonOperation>> => ({
  DescribeContinuousBackups: async (input) => {
    const { TableName } = Backups.parse(input);
    await findTable(recovery.store, TableName);
    return describeBackups(recovery, TableName);
  },
  UpdateContinuousBackups: async (input) => {
    const { TableName, PointInTimeRecoverySpecification } = Backups.parse(input);
    await findTable(recovery.store, TableName);
    const isOn = recovery.settings.of(TableName).recoverableSince !== undefined;
    const isWanted = PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled === true;
    if (isWanted && !isOn) await startHistory(recovery, TableName);
    if (!isWanted && isOn) {
      await recovery.settings.change(TableName, { recoverableSince: undefined });
      await endHistory(recovery.store, TableName);
    }
    return describeBackups(recovery, TableName);
  },
  RestoreTableToPointInTime: restore(recovery),
});
