import * as z from 'zod';
import {
  database,
  type Entries,
  type Item,
  isConditionFailure,
  isValidationError,
  type LevelWrite,
  loadOperation,
  type Operation,
  observeReads,
  type Store,
  toAwsError,
  validationError,
} from './dynalite.ts';

const Write = z.looseObject({
  TableName: z.string(),
  Key: z.record(z.string(), z.unknown()).optional(),
  Item: z.record(z.string(), z.unknown()).optional(),
  ReturnValuesOnConditionCheckFailure: z.enum(['ALL_OLD', 'NONE']).optional(),
});

const TransactionInput = z.object({
  TransactItems: z
    .array(
      z.object({
        Put: Write.optional(),
        Update: Write.optional(),
        Delete: Write.optional(),
        ConditionCheck: Write.optional(),
      }),
    )
    .min(1)
    .max(100),
  ClientRequestToken: z.string().min(1).max(36).optional(),
  ReturnConsumedCapacity: z.enum(['INDEXES', 'TOTAL', 'NONE']).optional(),
});
export type TransactionInput = z.infer<typeof TransactionInput>;

/** One write of a transaction, with the permission it requires and the operation that performs it. */
export type TransactionWrite = {
  readonly action: string;
  readonly table: string;
  readonly operation: Operation;
  /** A condition check is a deletion whose write is discarded. */
  readonly isCheck: boolean;
  readonly input: z.infer<typeof Write>;
};

const KINDS = [
  ['Put', 'PutItem', 'PutItem'],
  ['Update', 'UpdateItem', 'UpdateItem'],
  ['Delete', 'DeleteItem', 'DeleteItem'],
  ['ConditionCheck', 'ConditionCheckItem', 'DeleteItem'],
] as const;

/** Each request is needed twice, for its permissions and its execution, but parsed once. */
const parsed = new WeakMap<object, TransactionInput>();

export const readTransaction = (input: unknown): TransactionInput => {
  const earlier = input instanceof Object ? parsed.get(input) : undefined;
  const transaction = earlier ?? TransactionInput.parse(input);
  if (input instanceof Object) parsed.set(input, transaction);
  return transaction;
};

export const toWrites = ({ TransactItems }: TransactionInput): TransactionWrite[] =>
  TransactItems.map((entry) => {
    const given = KINDS.flatMap(([kind, action, operation]) => {
      const input = entry[kind];
      return input === undefined ? [] : [{ kind, action, operation, input }];
    });
    const [only] = given;
    if (only === undefined || given.length > 1)
      throw validationError(
        'TransactItems can only contain one of Check, Put, Update or Delete in each of its members',
      );
    return {
      action: only.action,
      table: only.input.TableName,
      operation: loadOperation(only.operation),
      isCheck: only.kind === 'ConditionCheck',
      input: only.input,
    };
  });

export type Prepared = TransactionWrite & { readonly key: string; readonly data: unknown };
/** Why a write cancels its transaction. */
export type Reason = { readonly Code: string; readonly Message?: string; readonly Item?: Item };
export const NO_REASON: Reason = { Code: 'None' };

const KILOBYTE = 1024;
/** DynamoDB charges twice for a transactional write: to prepare and to commit it. */
const UNITS_PER_KILOBYTE = 2;
const ITEM_PREFIX = 'item-';

/** The entry of an index has a name for each attribute that it projects, even if the item has no such attribute. */
const withoutMissing = (item: object): object =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

const kilobytes = (item: unknown): number => {
  if (typeof item !== 'object' || item === null) return 1;
  return Math.max(1, Math.ceil(database.itemSize(withoutMissing(item)) / KILOBYTE));
};

/** Twice the larger of the old and the new item, plus once each index entry. */
const writeUnits = (writes: readonly LevelWrite[], before: Item | undefined): number => {
  const after = (write: LevelWrite): unknown => (write.type === 'put' ? write.value : before);
  const [items, entries] = [true, false].map((isItem) =>
    writes.filter(({ key }) => key.startsWith(ITEM_PREFIX) === isItem).map(after),
  );
  const largest = Math.max(kilobytes(before), ...(items ?? []).map(kilobytes));
  return (entries ?? []).reduce<number>(
    (units, entry) => units + kilobytes(entry),
    UNITS_PER_KILOBYTE * largest,
  );
};

/** Entries that collect writes for the whole transaction; the caller already holds the locks. */
const staged = (entries: Entries, prefix: string, writes: LevelWrite[]): Entries => ({
  lock: (_key, run) => run((done) => done),
  get: entries.get,
  put: (key, value, callback) => {
    writes.push({ type: 'put', key: `${prefix}${key}`, value });
    callback(null);
  },
  del: (key, callback) => {
    writes.push({ type: 'del', key: `${prefix}${key}` });
    callback(null);
  },
});

const stagedStore = (store: Store, writes: LevelWrite[]): Store => ({
  ...store,
  getItemDb: (table) => staged(store.getItemDb(table), `${ITEM_PREFIX}${table}~`, writes),
  getIndexDb: (kind, table, index) =>
    staged(store.getIndexDb(kind, table, index), `index-${kind.toLowerCase()}~${table}~${index}~`, writes),
});

/** Checks one write; returns its changes or the reason to cancel the transaction. */
export const stage = async (
  store: Store,
  write: Prepared,
): Promise<{ writes: LevelWrite[]; reason: Reason; units: number }> => {
  const writes: LevelWrite[] = [];
  let found: Item | undefined;
  const observed = observeReads(stagedStore(store, writes), (item) => {
    found = item;
  });
  try {
    await write.operation.run(observed, write.data);
    const kept = write.isCheck ? [] : writes;
    return { writes: kept, reason: NO_REASON, units: writeUnits(kept, found) };
  } catch (error) {
    const awsError = toAwsError(error);
    const Message = awsError instanceof Error ? awsError.message : '';
    if (isValidationError(awsError))
      return { writes: [], reason: { Code: 'ValidationError', Message }, units: 0 };
    if (!isConditionFailure(awsError)) throw awsError;
    const shown = write.input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? found : undefined;
    return {
      writes: [],
      units: 0,
      reason: { Code: 'ConditionalCheckFailed', Message, ...(shown === undefined ? {} : { Item: shown }) },
    };
  }
};
