import { createRequire } from 'node:module';

// dynalite has no types, and its HTTP server hides the store that indexes are repaired through: its parts are
// used one by one, at a pinned version.
const require = createRequire(import.meta.url);

type Callback<T> = (error: unknown, value: T) => void;

export type Item = Readonly<Record<string, unknown>>;

type SecondaryIndex = { readonly IndexName: string; IndexStatus?: string };

export type Table = {
  readonly TableName: string;
  TableStatus: string;
  readonly LocalSecondaryIndexes?: readonly SecondaryIndex[];
  readonly GlobalSecondaryIndexes?: readonly SecondaryIndex[];
};

type Iterator = { close(): Promise<void>; return?: () => Promise<void> };

type Range = { readonly gte: string; readonly lt: string };

export type Level = {
  open(): Promise<void>;
  close(): Promise<void>;
  clear(range: Range): Promise<void>;
  batch(operations: readonly { type: 'put'; key: string; value: unknown }[]): Promise<void>;
  iterator(range: Range): AsyncIterable<[string, unknown]>;
  values(options: unknown): Iterator;
} & Record<Write, (...parameters: unknown[]) => Promise<unknown>>;

/** Where each write ends up, below whatever waits for it. */
export const WRITES = ['_put', '_del', '_batch', '_clear'] as const;
type Write = (typeof WRITES)[number];

export type Store = {
  readonly db: Level;
  readonly tableDb: {
    awsAccountId: string;
    awsRegion: string;
    put(key: string, table: Table, callback: Callback<void>): void;
  };
};

type Action = (store: Store, data: unknown, callback: Callback<unknown>) => void;

type Database = {
  create(options: {
    path: string;
    createTableMs: number;
    deleteTableMs: number;
    updateTableMs: number;
  }): Store;
  getIndexActions(
    indexes: readonly SecondaryIndex[],
    existing: undefined,
    item: Item,
    table: Table,
  ): { readonly puts: readonly { readonly index: string; readonly key: string; readonly item: Item }[] };
};

type Validations = {
  checkTypes(data: unknown, types: unknown): unknown;
  checkValidations(data: unknown, types: unknown, custom: unknown, store: Store): void;
};

type Validation = { readonly types: unknown; readonly custom: unknown };

export const database: Database = require('dynalite/db');

const validations: Validations = require('dynalite/validations');

/** One DynamoDB operation: the store's answer, or an error with the `statusCode` and `body` of DynamoDB's own. */
export const loadOperation = (name: string): ((store: Store, input: unknown) => Promise<unknown>) => {
  const file = name.charAt(0).toLowerCase() + name.slice(1);
  const run: Action = require(`dynalite/actions/${file}`);
  const validation: Validation = require(`dynalite/validations/${file}`);
  return (store, input) =>
    new Promise((resolve, reject) => {
      const data = validations.checkTypes(input, validation.types);
      validations.checkValidations(data, validation.types, validation.custom, store);
      run(store, data, (error, output) => (error ? reject(error) : resolve(output)));
    });
};
