import * as z from 'zod';
import { type JsonOperation, jsonService } from '../aws-http/json-service.ts';
import type { AccessedResource, Service } from '../aws-http/service.ts';
import type { Home } from '../messages.ts';
import {
  type Entries,
  type Item,
  isConditionFailure,
  loadOperation,
  type Operation,
  type Store,
  toAwsError,
  validationError,
} from './dynalite.ts';
import { openStore } from './store.ts';
import { readTransaction, writesOf } from './transaction-writes.ts';
import { ItemsInTransactions, refusedInTransactions, transactionsOf } from './transactions.ts';

const Wish = z.object({ ReturnValuesOnConditionCheckFailure: z.unknown().optional() });

const wishOf = (input: unknown): boolean => {
  const wish = Wish.safeParse(input).data?.ReturnValuesOnConditionCheckFailure;
  if (wish === undefined || wish === 'NONE') return false;
  if (wish === 'ALL_OLD') return true;
  throw validationError('ReturnValuesOnConditionCheckFailure must be one of ALL_OLD, NONE');
};

/** A store that tells which item an operation read before it checked its condition. */
const observed = (store: Store, onRead: (item: Item | undefined) => void): Store => ({
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

/** Runs an operation; a failed condition carries the item that failed it, where the caller asks for it. */
const withOldItem =
  (operation: Operation) =>
  async (store: Store, input: unknown): Promise<unknown> => {
    const wanted = wishOf(input);
    const data = operation.validate(store, input);
    if (!wanted) return operation.run(store, data);
    let found: Item | undefined;
    const reading = observed(store, (item) => {
      found = item;
    });
    return operation.run(reading, data).catch((error) => {
      const told = toAwsError(error);
      throw isConditionFailure(told) && found !== undefined ? toAwsError(error, { Item: found }) : told;
    });
  };

const OPERATIONS = [
  'BatchGetItem',
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DeleteTable',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetItem',
  'ListTables',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
  'UpdateTable',
] as const;

const Input = z.object({
  TableName: z.string().optional(),
  IndexName: z.string().optional(),
  RequestItems: z.record(z.string(), z.unknown()).optional(),
});

const accessedBy =
  ({ region, accountId }: Home) =>
  (operation: string, input: unknown): readonly AccessedResource[] => {
    const arn = (table: string): string =>
      // A table may be named by its ARN.
      table.startsWith('arn:') ? table : `arn:aws:dynamodb:${region}:${accountId}:table/${table}`;
    // A transaction is allowed by the rights to each of its writes.
    if (operation === 'TransactWriteItems')
      return writesOf(readTransaction(input)).map(({ action, table }) => ({
        action: `dynamodb:${action}`,
        resource: arn(table),
      }));
    const { TableName, IndexName, RequestItems } = Input.parse(input);
    const tables = RequestItems ? Object.keys(RequestItems) : [TableName ?? '*'];
    const index = IndexName === undefined ? '' : `/index/${IndexName}`;
    return tables.map((table) => ({ action: `dynamodb:${operation}`, resource: `${arn(table)}${index}` }));
  };

export const dynamoDb = async (home: Home, dataDir: string): Promise<Service> => {
  const store = await openStore(dataDir, home);
  const items = new ItemsInTransactions();
  const operation = (name: string): JsonOperation => {
    const run = withOldItem(refusedInTransactions(name, loadOperation(name), items));
    return (input) =>
      run(store, input).catch((error) => {
        throw toAwsError(error);
      });
  };
  return jsonService({
    target: 'DynamoDB_20120810',
    operations: new Map([
      ...OPERATIONS.map((name) => [name, operation(name)] as const),
      ['TransactWriteItems', transactionsOf(store, items)] as const,
    ]),
    accessedBy: accessedBy(home),
    close: () => store.db.close(),
  });
};
