import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from './create-table.ts';

/** The tables of webhooks, with names of their own. */
export const createWebhookTables = async (client: DynamoDBClient, prefix: string) => {
  const [endpoints, deliveries] = [`${prefix}-endpoints`, `${prefix}-deliveries`];
  await createTable(client, endpoints, ['account', 'id']);
  const projection = { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: ['attempts', 'account'] };
  await createTable(client, deliveries, ['endpointId', 'id'], {
    indexes: { due: { keys: ['due_shard', 'due_at'], projection } },
    numbers: ['due_at'],
  });
  return { endpoints, deliveries };
};
