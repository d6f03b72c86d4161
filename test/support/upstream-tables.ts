import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from './create-table.ts';

/** The table of the upstreams and that of the tasks with its due index, with names of their own. */
export const createUpstreamTables = async (client: DynamoDBClient, prefix: string) => {
  const [UPSTREAM_TABLE, TASK_TABLE] = [`${prefix}-upstreams`, `${prefix}-tasks`];
  await createTable(client, UPSTREAM_TABLE, ['id']);
  const projection = {
    ProjectionType: 'INCLUDE' as const,
    NonKeyAttributes: ['step', 'sweeps', 'account', 'deadline', 'needs'],
  };
  await createTable(client, TASK_TABLE, ['id'], {
    indexes: { due: { keys: ['due_shard', 'due_at'], projection } },
    numbers: ['due_at'],
  });
  return { UPSTREAM_TABLE, TASK_TABLE };
};
