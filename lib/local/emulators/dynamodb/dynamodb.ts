import * as z from 'zod';
import { type AccessedResource, type JsonOperation, jsonService, type Service } from '../aws-http/service.ts';
import type { Home } from '../messages.ts';
import {
  type Item,
  isConditionFailure,
  loadOperation,
  type Operation,
  observeReads,
  type Store,
  toAwsError,
  validationError,
} from './dynalite.ts';
import {
  continuousBackups,
  endHistory,
  keepVersions,
  RESTORABLE_AFTER_SECONDS,
  removeOldVersions,
} from './point-in-time.ts';
import { openStore } from './store.ts';
import { SettingsOfTables, timeToLive, withDeletionProtection } from './table-settings.ts';
import { readTransaction, toWrites } from './transaction-writes.ts';
import { ItemsInTransactions, rejectDuringTransactions, transactWriteItems } from './transactions.ts';

const ReturnValues = z.object({ ReturnValuesOnConditionCheckFailure: z.unknown().optional() });

const wantsOldItem = (input: unknown): boolean => {
  const wish = ReturnValues.safeParse(input).data?.ReturnValuesOnConditionCheckFailure;
  if (wish === undefined || wish === 'NONE') return false;
  if (wish === 'ALL_OLD') return true;
  throw validationError('ReturnValuesOnConditionCheckFailure must be one of ALL_OLD, NONE');
};

/** Adds the existing item to the error of a failed condition if the caller asks for it. */
const withOldItem =
  (operation: Operation) =>
  async (store: Store, input: unknown): Promise<unknown> => {
    const wanted = wantsOldItem(input);
    const data = operation.validate(store, input);
    if (!wanted) return operation.run(store, data);
    let found: Item | undefined;
    const observed = observeReads(store, (item) => {
      found = item;
    });
    return operation.run(observed, data).catch((error) => {
      const awsError = toAwsError(error);
      throw isConditionFailure(awsError) && found !== undefined
        ? toAwsError(error, { Item: found })
        : awsError;
    });
  };

const OPERATIONS = [
  'BatchGetItem',
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DeleteTable',
  'DescribeTable',
  'GetItem',
  'ListTables',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
] as const;

const Input = z.object({
  TableName: z.string().optional(),
  SourceTableName: z.string().optional(),
  IndexName: z.string().optional(),
  RequestItems: z.record(z.string(), z.unknown()).optional(),
});

const accessedBy =
  ({ region, accountId }: Home) =>
  (operation: string, input: unknown): readonly AccessedResource[] => {
    const arn = (table: string): string =>
      // TableName may be an ARN.
      table.startsWith('arn:') ? table : `arn:aws:dynamodb:${region}:${accountId}:table/${table}`;
    // A transaction requires the permissions of each of its writes.
    if (operation === 'TransactWriteItems')
      return toWrites(readTransaction(input)).map(({ action, table }) => ({
        action: `dynamodb:${action}`,
        resource: arn(table),
      }));
    const { SourceTableName, TableName = SourceTableName, IndexName, RequestItems } = Input.parse(input);
    const tables = RequestItems ? Object.keys(RequestItems) : [TableName ?? '*'];
    const index = IndexName === undefined ? '' : `/index/${IndexName}`;
    return tables.map((table) => ({ action: `dynamodb:${operation}`, resource: `${arn(table)}${index}` }));
  };

export const dynamoDb = async (
  home: Home,
  dataDir: string,
  delaySeconds = RESTORABLE_AFTER_SECONDS,
): Promise<Service> => {
  const store = await openStore(dataDir, home);
  const settings = await SettingsOfTables.read(store);
  await removeOldVersions(store, Date.now());
  keepVersions(store, settings);
  const items = new ItemsInTransactions();
  // Loaded when first used: most clouds use half of the operations.
  const operation =
    (name: string): JsonOperation =>
    (input) =>
      withOldItem(rejectDuringTransactions(name, loadOperation(name), items))(store, input).catch((error) => {
        throw toAwsError(error);
      });
  const tables = withDeletionProtection(settings, operation, (table) => endHistory(store, table));
  const backups = continuousBackups({ store, settings, create: operation('CreateTable'), delaySeconds });
  return jsonService({
    target: 'DynamoDB_20120810',
    operations: new Map([
      ...OPERATIONS.map((name) => [name, operation(name)] as const),
      ['TransactWriteItems', transactWriteItems(store, items)] as const,
      ...Object.entries({ ...tables, ...timeToLive(store, settings), ...backups }),
    ]),
    accessedBy: accessedBy(home),
    close: () => store.db.close(),
  });
};
