import type { AwsError, JsonOperation } from '../aws-http/service.ts';
import {
  dynamoError,
  type Operation,
  type Store,
  storedKey,
  toAwsError,
  validationError,
} from './dynalite.ts';
import {
  NO_REASON,
  type Prepared,
  type Reason,
  readTransaction,
  stage,
  type TransactionInput,
  type TransactionWrite,
  toWrites,
} from './transaction-writes.ts';

const ONGOING = 'Transaction is ongoing for the item';

type Held = Pick<Prepared, 'table' | 'key'>;

/**
 * The items of running transactions. Like DynamoDB, conflicting writes do not wait: another transaction is cancelled,
 * and a single write fails. Reads succeed.
 */
export class ItemsInTransactions {
  readonly #names = new Set<string>();

  readonly has = (item: Held): boolean => this.#names.has(itemName(item));

  /** Marks the items while `run` is running. */
  readonly during = async <T>(items: readonly Held[], run: () => Promise<T>): Promise<T> => {
    const names = items.map(itemName);
    for (const name of names) this.#names.add(name);
    try {
      return await run();
    } finally {
      for (const name of names) this.#names.delete(name);
    }
  };
}

const itemName = ({ table, key }: Held): string => `${table} ${key}`;

const CONFLICT = { Code: 'TransactionConflict', Message: ONGOING };

const WRITES: Readonly<Record<string, 'Key' | 'Item'>> = {
  PutItem: 'Item',
  UpdateItem: 'Key',
  DeleteItem: 'Key',
};

/** Makes a single write fail while its item is part of a transaction; other operations stay unchanged. */
export const rejectDuringTransactions = (
  name: string,
  operation: Operation,
  items: ItemsInTransactions,
): Operation => {
  const member = WRITES[name];
  if (member === undefined) return operation;
  return {
    ...operation,
    run: async (store: Store, data: unknown) => {
      const { TableName: table, [member]: item } = Object(data);
      if (items.has({ table, key: await storedKey(store, table, item) }))
        throw dynamoError('TransactionConflictException', ONGOING);
      return operation.run(store, data);
    },
  };
};

/** How long a client request token is idempotent. */
const TOKEN_MILLISECONDS = 10 * 60_000;
const MAX_BYTES = 4 * 1024 * 1024;

const prepare = async (store: Store, write: TransactionWrite): Promise<Prepared> => {
  const data = write.operation.validate(store, structuredClone(write.input));
  const { Key, Item } = write.input;
  return { ...write, data, key: await storedKey(store, write.table, Key ?? Item) };
};

/** Locks the items in a fixed order of tables, so that transactions cannot deadlock. */
const withLocks = async (
  store: Store,
  writes: readonly Prepared[],
  run: () => Promise<void>,
): Promise<void> => {
  const tables = [...Map.groupBy(writes, ({ table }) => table)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const enter = (position: number): Promise<void> => {
    const [table, group] = tables[position] ?? [];
    if (table === undefined || group === undefined) return run();
    return new Promise((resolve, reject) => {
      store.getItemDb(table).lock(
        group.map(({ key }) => key),
        (release) => {
          const leave = release((error?: unknown) => (error === undefined ? resolve() : reject(error)));
          enter(position + 1).then(
            () => leave(),
            (error: unknown) => leave(error),
          );
        },
      );
    });
  };
  await enter(0);
};

const cancelled = (reasons: readonly Reason[]): AwsError =>
  dynamoError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );

/** Write capacity units by table. */
type Capacity = ReadonlyMap<string, number>;

const sumByTable = (parts: readonly { readonly table: string; readonly units: number }[]): Capacity => {
  const sums = new Map<string, number>();
  for (const { table, units } of parts) sums.set(table, (sums.get(table) ?? 0) + units);
  return sums;
};

/** Performs all writes in one batch, or none. */
const transact = async (
  store: Store,
  input: TransactionInput,
  items: ItemsInTransactions,
): Promise<Capacity> => {
  if (JSON.stringify(input.TransactItems).length > MAX_BYTES)
    throw validationError('Transaction request size exceeded 4 MB');
  const writes = await Promise.all(toWrites(input).map((write) => prepare(store, write)));
  if (new Set(writes.map(({ table, key }) => `${table} ${key}`)).size < writes.length)
    throw validationError('Transaction request cannot include multiple operations on one item');
  if (writes.some(items.has))
    throw cancelled(writes.map((write) => (items.has(write) ? CONFLICT : NO_REASON)));
  return items.during(writes, async () => {
    let capacity: Capacity = new Map();
    await withLocks(store, writes, async () => {
      const outcomes = await Promise.all(
        writes.map(async (write) => ({ table: write.table, ...(await stage(store, write)) })),
      );
      const reasons = outcomes.map(({ reason }) => reason);
      if (reasons.some((reason) => reason !== NO_REASON)) throw cancelled(reasons);
      await store.db.batch(outcomes.flatMap((outcome) => outcome.writes));
      capacity = sumByTable(outcomes);
    });
    return capacity;
  });
};

const consumed = (capacity: Capacity, wish: TransactionInput['ReturnConsumedCapacity']) =>
  wish === undefined || wish === 'NONE'
    ? {}
    : {
        ConsumedCapacity: Array.from(capacity, ([TableName, units]) => ({
          TableName,
          CapacityUnits: units,
          WriteCapacityUnits: units,
        })),
      };

/** The outcome is undefined while the transaction is running. */
type Use = { readonly request: string; readonly at: number; outcome?: Capacity };

/** The operation TransactWriteItems; requests with the same token are executed once. */
export const transactWriteItems = (store: Store, items: ItemsInTransactions): JsonOperation => {
  const uses = new Map<string, Use>();

  const forget = (now: number): void => {
    for (const [token, { at }] of uses) {
      // The map is ordered by time.
      if (now - at <= TOKEN_MILLISECONDS) return;
      uses.delete(token);
    }
  };

  const once = async (token: string, input: TransactionInput): Promise<Capacity> => {
    const now = Date.now();
    forget(now);
    const request = JSON.stringify(input.TransactItems);
    const earlier = uses.get(token);
    if (earlier !== undefined && earlier.request !== request)
      throw dynamoError(
        'IdempotentParameterMismatchException',
        'The request uses the same client token as a previous, but non-identical request.',
      );
    if (earlier !== undefined && earlier.outcome === undefined)
      throw dynamoError(
        'TransactionInProgressException',
        'The transaction with the given request token is already in progress.',
      );
    if (earlier?.outcome !== undefined) return earlier.outcome;
    const use: Use = { request, at: now };
    uses.set(token, use);
    try {
      use.outcome = await transact(store, input, items);
      return use.outcome;
    } catch (error) {
      // A failed request may be retried.
      uses.delete(token);
      throw error;
    }
  };

  return async (given) => {
    const input = readTransaction(given);
    const { ClientRequestToken: token, ReturnConsumedCapacity: wish } = input;
    const outcome = token === undefined ? transact(store, input, items) : once(token, input);
    const capacity = await outcome.catch((error: unknown) => {
      throw toAwsError(error);
    });
    return consumed(capacity, wish);
  };
};
