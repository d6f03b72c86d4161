import * as z from 'zod';
import { AwsError } from '../aws-http/aws-error.ts';
import { type JsonOperation, jsonService } from '../aws-http/json-service.ts';
import type { AccessedResource, Service } from '../aws-http/service.ts';
import type { Home } from '../messages.ts';
import { loadOperation } from './dynalite.ts';
import { openStore } from './store.ts';

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

const DynaliteError = z.object({
  statusCode: z.number(),
  body: z.object({ __type: z.string(), message: z.string().optional(), Message: z.string().optional() }),
});

const Input = z.object({
  TableName: z.string().optional(),
  IndexName: z.string().optional(),
  RequestItems: z.record(z.string(), z.unknown()).optional(),
});

const toAwsError = (error: unknown): unknown => {
  const parsed = DynaliteError.safeParse(error);
  if (!parsed.success) return error;
  const { statusCode, body } = parsed.data;
  return new AwsError(statusCode, body.__type, body.message ?? body.Message ?? '');
};

const accessedBy =
  ({ region, accountId }: Home) =>
  (operation: string, input: unknown): readonly AccessedResource[] => {
    const { TableName, IndexName, RequestItems } = Input.parse(input);
    const tables = RequestItems ? Object.keys(RequestItems) : [TableName ?? '*'];
    const index = IndexName === undefined ? '' : `/index/${IndexName}`;
    return tables.map((table) => ({
      action: `dynamodb:${operation}`,
      // A table may be named by its ARN.
      resource: `${table.startsWith('arn:') ? table : `arn:aws:dynamodb:${region}:${accountId}:table/${table}`}${index}`,
    }));
  };

export const dynamoDb = async (home: Home, dataDir: string): Promise<Service> => {
  const store = await openStore(dataDir, home);
  const operation = (name: string): JsonOperation => {
    const run = loadOperation(name);
    return (input) =>
      run(store, input).catch((error) => {
        throw toAwsError(error);
      });
  };
  return jsonService({
    target: 'DynamoDB_20120810',
    operations: new Map(OPERATIONS.map((name) => [name, operation(name)])),
    accessedBy: accessedBy(home),
    close: () => store.db.close(),
  });
};
