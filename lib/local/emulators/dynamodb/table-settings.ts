import * as z from 'zod';
import type { JsonOperation } from '../aws-http/service.ts';
import { findTable, type Store, validationError } from './dynalite.ts';

/** Settings that dynalite does not know. */
const TableSettings = z.object({
  deletionProtection: z.boolean().default(false),
  /** The attribute with the time to live. Expired items stay, which DynamoDB allows for a while. */
  expiry: z.string().optional(),
  /** Since when every version of an item is kept, in milliseconds; undefined without point-in-time recovery. */
  recoverableSince: z.number().optional(),
});
export type TableSettings = z.infer<typeof TableSettings>;

const NONE = TableSettings.parse({});
const PREFIX = 'settings~';

/** Read from the store once; each change is written. */
export class SettingsOfTables {
  readonly #store: Store;
  readonly #settings: Map<string, TableSettings>;

  private constructor(store: Store, settings: Map<string, TableSettings>) {
    this.#store = store;
    this.#settings = settings;
  }

  static async read(store: Store): Promise<SettingsOfTables> {
    const settings = new Map<string, TableSettings>();
    for await (const [key, value] of store.db.iterator({ gte: PREFIX, lt: `${PREFIX}\xff` }))
      settings.set(key.slice(PREFIX.length), TableSettings.parse(value));
    return new SettingsOfTables(store, settings);
  }

  readonly of = (table: string): TableSettings => this.#settings.get(table) ?? NONE;

  readonly change = async (table: string, change: Partial<TableSettings>): Promise<void> => {
    const value = { ...this.of(table), ...change };
    this.#settings.set(table, value);
    await this.#store.db.batch([{ type: 'put', key: PREFIX + table, value }]);
  };

  readonly forget = async (table: string): Promise<void> => {
    this.#settings.delete(table);
    await this.#store.db.batch([{ type: 'del', key: PREFIX + table }]);
  };
}

const Protection = z.object({ TableName: z.string(), DeletionProtectionEnabled: z.boolean().optional() });

/** Nothing else of a table changes after its creation. */
const ProtectionChange = z.strictObject({ TableName: z.string(), DeletionProtectionEnabled: z.boolean() });

/** Adds deletion protection to the operations of dynalite on tables. */
export const withDeletionProtection = (
  settings: SettingsOfTables,
  operation: (name: string) => JsonOperation,
  afterDeletion: (table: string) => Promise<void>,
): Readonly<Record<string, JsonOperation>> => {
  return {
    DescribeTable: async (input, request) => {
      const { Table } = Object(await operation('DescribeTable')(input, request));
      const DeletionProtectionEnabled = settings.of(Table.TableName).deletionProtection;
      return { Table: { ...Table, DeletionProtectionEnabled } };
    },
    CreateTable: async (input, request) => {
      // Before dynalite deletes the members that it does not know.
      const { TableName, DeletionProtectionEnabled = false } = Protection.parse(input);
      const output = await operation('CreateTable')(input, request);
      await settings.change(TableName, { deletionProtection: DeletionProtectionEnabled });
      return output;
    },
    UpdateTable: async (input, request) => {
      const { TableName, DeletionProtectionEnabled } = ProtectionChange.parse(input);
      // Refuses a table that does not exist.
      const { Table } = Object(await operation('DescribeTable')({ TableName }, request));
      await settings.change(TableName, { deletionProtection: DeletionProtectionEnabled });
      return { TableDescription: { ...Table, DeletionProtectionEnabled } };
    },
    DeleteTable: async (input, request) => {
      const { TableName } = Protection.parse(input);
      if (settings.of(TableName).deletionProtection)
        throw validationError(
          'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
        );
      const output = await operation('DeleteTable')(input, request);
      await settings.forget(TableName);
      await afterDeletion(TableName);
      return output;
    },
  };
};

const TimeToLive = z.object({
  TableName: z.string(),
  TimeToLiveSpecification: z.object({ Enabled: z.boolean(), AttributeName: z.string().min(1) }),
});

export const timeToLive = (
  store: Store,
  settings: SettingsOfTables,
): Readonly<Record<string, JsonOperation>> => ({
  UpdateTimeToLive: async (input) => {
    const { TableName, TimeToLiveSpecification } = TimeToLive.parse(input);
    const { Enabled, AttributeName } = TimeToLiveSpecification;
    await findTable(store, TableName);
    const { expiry } = settings.of(TableName);
    if (Enabled === (expiry !== undefined))
      throw validationError(`TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`);
    if (!Enabled && expiry !== AttributeName)
      throw validationError('TimeToLive is active on a different AttributeName');
    await settings.change(TableName, { expiry: Enabled ? AttributeName : undefined });
    return { TimeToLiveSpecification };
  },
  DescribeTimeToLive: async (input) => {
    const { TableName } = z.object({ TableName: z.string() }).parse(input);
    await findTable(store, TableName);
    const { expiry } = settings.of(TableName);
    const TimeToLiveDescription =
      expiry === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName: expiry };
    return { TimeToLiveDescription };
  },
});
