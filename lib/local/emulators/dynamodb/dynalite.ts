import { createRequire } from 'node:module';
import * as z from 'zod';
import { AwsError } from '../aws-http/service.ts';
import { type Parser, rememberExpressions } from './expressions.ts';

// dynalite has no types, and its HTTP server hides the store, which we need to repair indexes. So we use its parts
// directly, at a pinned version.
const require = createRequire(import.meta.url);

type Callback<T> = (error: unknown, value: T) => void;

export type Item = Readonly<Record<string, unknown>>;

type KeySchema = readonly { readonly AttributeName: string; readonly KeyType: string }[];

type SecondaryIndex = {
  readonly IndexName: string;
  IndexStatus?: string;
  readonly KeySchema: KeySchema;
  readonly Projection: unknown;
};

export type Table = {
  readonly TableName: string;
  TableStatus: string;
  readonly KeySchema: KeySchema;
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }[];
  readonly GlobalSecondaryIndexes?: readonly SecondaryIndex[];
};

type Iterator = { close(): Promise<void>; return?: () => Promise<void> };

export type LevelWrite =
  | { readonly type: 'put'; readonly key: string; readonly value: unknown }
  | { readonly type: 'del'; readonly key: string };

type Range = { readonly gte: string; readonly lt: string };

export type Level = {
  open(): Promise<void>;
  close(): Promise<void>;
  clear(range: Range): Promise<void>;
  put(key: string, value: unknown, ...callback: unknown[]): unknown;
  del(key: string, ...callback: unknown[]): unknown;
  batch(operations: readonly LevelWrite[], ...callback: unknown[]): Promise<void>;
  keys(range: Range): AsyncIterable<string>;
  iterator(range: Range): AsyncIterable<[string, unknown]>;
  values(options: unknown): Iterator;
  _get(key: unknown, options: unknown): Promise<unknown>;
  _getSync(key: unknown, options: unknown): unknown;
} & Record<Write, (...parameters: unknown[]) => Promise<unknown>>;

/** The internal methods that perform every write. */
export const WRITES = ['_put', '_del', '_batch', '_clear'] as const;
type Write = (typeof WRITES)[number];

/** The entries of one table or index. A key stays locked until the wrapped callback is called. */
export type Entries = {
  lock(key: string | readonly string[], run: (release: <T>(done: T) => T) => void): void;
  get(key: string, callback: Callback<Item | undefined>): void;
  put(key: string, value: unknown, callback: (error: unknown) => void): void;
  del(key: string, callback: (error: unknown) => void): void;
};

export type Store = {
  readonly db: Level;
  /** Finds only active tables if `isActive` is true. */
  getTable(name: string, isActive: boolean, callback: Callback<Table>): void;
  getItemDb(table: string): Entries;
  getIndexDb(kind: string, table: string, index: string): Entries;
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
  createKey(item: unknown, table: Table): string;
  /** In bytes, counted like DynamoDB. */
  itemSize(item: unknown): number;
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

/** The storage key of an item, or of its primary key. */
export const storedKey = async (store: Store, table: string, item: unknown): Promise<string> => {
  return database.createKey(item, await findTable(store, table, true));
};

export const findTable = (store: Store, table: string, isActive = false): Promise<Table> =>
  new Promise((resolve, reject) => {
    store.getTable(table, isActive, (error, value) => (error ? reject(toAwsError(error)) : resolve(value)));
  });

/** A store that reports each item that an operation reads. */
export const observeReads = (store: Store, onRead: (item: Item | undefined) => void): Store => ({
  ...store,
  getItemDb: (table): Entries => {
    const entries = store.getItemDb(table);
    return {
      ...entries,
      get: (key, callback) =>
        entries.get(key, (error, item) => {
          onRead(item);
          callback(error, item);
        }),
    };
  },
});

for (const file of ['conditionParser', 'projectionParser', 'updateParser']) {
  const parser: Parser = require(`dynalite/db/${file}`);
  rememberExpressions(parser);
}

const validations: Validations = require('dynalite/validations');

/** The two steps of a DynamoDB operation. Their errors have the `statusCode` and `body` of DynamoDB's errors. */
export type Operation = {
  /** Deletes unknown members of the input. */
  readonly validate: (store: Store, input: unknown) => unknown;
  readonly run: (store: Store, data: unknown) => Promise<unknown>;
};

const loaded = new Map<string, Operation>();

/** Cached, because resolving a module takes longer than most operations. */
export const loadOperation = (name: string): Operation => {
  const operation = loaded.get(name) ?? load(name);
  loaded.set(name, operation);
  return operation;
};

const load = (name: string): Operation => {
  const file = name.charAt(0).toLowerCase() + name.slice(1);
  const action: Action = require(`dynalite/actions/${file}`);
  const validation: Validation = require(`dynalite/validations/${file}`);
  return {
    validate: (store, input) => {
      const data = validations.checkTypes(input, validation.types);
      validations.checkValidations(data, validation.types, validation.custom, store);
      return data;
    },
    run: (store, data) =>
      new Promise((resolve, reject) => {
        action(store, data, (error, output) => (error ? reject(error) : resolve(output)));
      }),
  };
};

const DynaliteError = z.object({
  statusCode: z.number(),
  body: z.object({ __type: z.string(), message: z.string().optional(), Message: z.string().optional() }),
});

/** Converts an error of DynamoDB; any other error is a bug of the emulator and stays unchanged. */
export const toAwsError = (error: unknown, members: Record<string, unknown> = {}): unknown => {
  const parsed = DynaliteError.safeParse(error);
  if (!parsed.success) return error;
  const { statusCode, body } = parsed.data;
  return new AwsError(statusCode, body.__type, body.message ?? body.Message ?? '', { members });
};

const isNamed = (name: string) => (error: unknown) => error instanceof AwsError && error.code.endsWith(name);

export const isConditionFailure = isNamed('ConditionalCheckFailedException');
export const isValidationError = isNamed('ValidationException');

export const dynamoError = (code: string, message: string, members: Record<string, unknown> = {}): AwsError =>
  new AwsError(400, `com.amazonaws.dynamodb.v20120810#${code}`, message, { members });

export const validationError = (message: string): AwsError =>
  new AwsError(400, 'com.amazon.coral.validate#ValidationException', message);
