import { AwsError } from '../aws-http/aws-error.ts';
import { type Operation, type Store, storedKey } from './dynalite.ts';
import type { Prepared } from './transaction-writes.ts';

const ONGOING = 'Transaction is ongoing for the item';

type Held = Pick<Prepared, 'table' | 'key'>;

/**
 * The items of the transactions in progress. Like DynamoDB, whoever meets one of them is refused and not made to
 * wait: another transaction is cancelled, and a single write fails. Reads go on.
 */
export class ItemsInTransactions {
  readonly #names = new Set<string>();

  readonly has = (item: Held): boolean => this.#names.has(nameOf(item));

  /** Holds the items, none of which is held, for as long as it runs. */
  readonly during = async <T>(items: readonly Held[], run: () => Promise<T>): Promise<T> => {
    const names = items.map(nameOf);
    for (const name of names) this.#names.add(name);
    try {
      return await run();
    } finally {
      for (const name of names) this.#names.delete(name);
    }
  };
}

const nameOf = ({ table, key }: Held): string => `${table} ${key}`;

/** Why a transaction is cancelled that meets another. */
export const CONFLICT = { Code: 'TransactionConflict', Message: ONGOING };

const WRITES: Readonly<Record<string, 'Key' | 'Item'>> = {
  PutItem: 'Item',
  UpdateItem: 'Key',
  DeleteItem: 'Key',
};

/** A single write that is refused while its item is part of a transaction; any other operation as it is. */
export const refusedInTransactions = (
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
        throw new AwsError(400, 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', ONGOING);
      return operation.run(store, data);
    },
  };
};
