import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  paginateListTables,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { ClientConfig } from '../emulators/start.ts';
import { LocalCloudError } from '../errors.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const indexSchema = z.object({
  IndexName: z.string(),
  KeySchema: keySchema,
  Projection: z.object({
    ProjectionType: z.enum(['ALL', 'INCLUDE', 'KEYS_ONLY']),
    NonKeyAttributes: z.array(z.string()).optional(),
  }),
});
const tableSchema = z.object({
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.array(indexSchema).optional(),
  LocalSecondaryIndexes: z.undefined('the local cloud has only global indexes').optional(),
  DeletionProtectionEnabled: z.boolean().default(false),
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
  PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }).optional(),
  SSESpecification: z
    .object({ SSEType: z.literal('KMS', 'DynamoDB supports only KMS').default('KMS') })
    .optional(),
});

const READY_CHECK_MILLISECONDS = 50;

export const provisionTables = async (
  stack: Stack,
  config: ClientConfig,
  resources = stack.resources(SUPPORTED_TYPES.table),
): Promise<void> => {
  const client = new DynamoDBClient(config);
  try {
    const pages = await Array.fromAsync(paginateListTables({ client }, {}));
    const existing = new Set(pages.flatMap(({ TableNames }) => TableNames ?? []));
    await Promise.all(
      resources.map(async (resource) => {
        const {
          GlobalSecondaryIndexes,
          LocalSecondaryIndexes: _,
          SSESpecification: __,
          TimeToLiveSpecification,
          PointInTimeRecoverySpecification,
          ...keys
        } = stack.properties(resource, tableSchema);
        const TableName = stack.identity(resource.logicalId).ref;
        const wanted: CreateTableCommandInput = {
          TableName,
          BillingMode: 'PAY_PER_REQUEST',
          ...keys,
          ...(GlobalSecondaryIndexes !== undefined && { GlobalSecondaryIndexes }),
        };
        const isNew = !existing.has(TableName);
        if (isNew) await client.send(new CreateTableCommand(wanted));
        const found = await waitUntilReady(client, wanted);
        const { DeletionProtectionEnabled } = keys;
        if (found.DeletionProtectionEnabled !== DeletionProtectionEnabled)
          await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled }));
        if (PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled === true)
          await client.send(
            new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }),
          );
        if (isNew && TimeToLiveSpecification?.Enabled === true)
          await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
      }),
    );
  } finally {
    client.destroy();
  }
};

/** Also waits for a table of an earlier start that was killed while it created the table. */
const waitUntilReady = async (
  client: DynamoDBClient,
  wanted: CreateTableCommandInput,
): Promise<TableDescription> => {
  for (;;) {
    const { TableName } = wanted;
    const { Table: found } = await client.send(new DescribeTableCommand({ TableName }));
    if (found !== undefined && shape(found) !== shape(wanted))
      throw new LocalCloudError(
        `The table ${TableName} in the data folder differs in keys or indexes from the template: start with --reset.`,
      );
    if (found?.TableStatus === 'ACTIVE') return found;
    await sleep(READY_CHECK_MILLISECONDS);
  }
};

type Keys = readonly { AttributeName?: string | undefined; KeyType?: string | undefined }[] | undefined;
type Indexes = readonly { IndexName?: string | undefined; KeySchema?: Keys }[] | undefined;

const shape = (table: { KeySchema?: Keys; GlobalSecondaryIndexes?: Indexes }): string => {
  const keys = (schema: Keys) =>
    schema?.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).sort();
  const indexes = (table.GlobalSecondaryIndexes ?? []).map((index) => [
    index.IndexName,
    keys(index.KeySchema),
  ]);
  return JSON.stringify([keys(table.KeySchema), indexes.sort()]);
};
