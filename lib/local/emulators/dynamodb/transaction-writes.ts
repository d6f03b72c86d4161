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

/** One write of a transaction: the permission that it needs, and the operation that does it. */
export type TransactionWrite = {
  readonly action: string;
  readonly table: string;
  readonly operation: Operation;
  /** A check is a deletion whose write is thrown away. */
  readonly isCheck: boolean;
  readonly input: z.infer<typeof Write>;
};

const KINDS = [
  ['Put', 'PutItem', 'PutItem'],
  ['Update', 'UpdateItem', 'UpdateItem'],
  ['Delete', 'DeleteItem', 'DeleteItem'],
  ['ConditionCheck', 'ConditionCheckItem', 'DeleteItem'],
] as const;

/** A request is asked for what it accesses, and then done: it is read once. */
const parsed = new WeakMap<object, TransactionInput>();

export const readTransaction = (input: unknown): TransactionInput => {
  const earlier = input instanceof Object ? parsed.get(input) : undefined;
  const transaction = earlier ?? TransactionInput.parse(input);
  if (input instanceof Object) parsed.set(input, transaction);
  return transaction;
};

export const writesOf = ({ TransactItems }: TransactionInput): TransactionWrite[] =>
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
/** Why a write keeps its transaction from happening. */
export type Reason = { readonly Code: string; readonly Message?: string; readonly Item?: Item };
export const NO_REASON: Reason = { Code: 'None' };

const KILOBYTE = 1024;
/** A write of a transaction is prepared and then done, and is paid for twice. */
const UNITS_PER_KILOBYTE = 2;
const ITEM_PREFIX = 'item-';

const kilobytes = (item: unknown): number =>
  item === undefined ? 1 : Math.max(1, Math.ceil(database.itemSize(item) / KILOBYTE));

/** The larger of the item before and after, twice; each entry of an index follows later, once. */
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

/** Entries whose writes wait for those of the whole transaction; whoever uses them holds the locks already. */
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

const stagedStore = (
  store: Store,
  writes: LevelWrite[],
  onRead: (item: Item | undefined) => void,
): Store => ({
  ...store,
  getItemDb: (table) => {
    const entries = staged(store.getItemDb(table), `${ITEM_PREFIX}${table}~`, writes);
    return {
      ...entries,
      get: (key, callback) =>
        entries.get(key, (error, item) => {
          onRead(item);
          callback(error, item);
        }),
    };
  },
  getIndexDb: (kind, table, index) =>
    staged(store.getIndexDb(kind, table, index), `index-${kind.toLowerCase()}~${table}~${index}~`, writes),
});

/** Checks one write and says what it would change, or why the transaction cannot be. */
export const stage = async (
  store: Store,
  write: Prepared,
): Promise<{ writes: LevelWrite[]; reason: Reason; units: number }> => {
  const writes: LevelWrite[] = [];
  let found: Item | undefined;
  const onRead = (item: Item | undefined): void => {
    found = item;
  };
  try {
    await write.operation.run(stagedStore(store, writes, onRead), write.data);
    const kept = write.isCheck ? [] : writes;
    return { writes: kept, reason: NO_REASON, units: writeUnits(kept, found) };
  } catch (error) {
    const told = toAwsError(error);
    const Message = told instanceof Error ? told.message : '';
    if (isValidationError(told))
      return { writes: [], reason: { Code: 'ValidationError', Message }, units: 0 };
    if (!isConditionFailure(told)) throw told;
    const shown = write.input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? found : undefined;
    return {
      writes: [],
      units: 0,
      reason: { Code: 'ConditionalCheckFailed', Message, ...(shown === undefined ? {} : { Item: shown }) },
    };
  }
};
