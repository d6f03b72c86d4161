import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from './create-table.ts';

/** The tables that money is in, with names of their own. */
export const createMoneyTables = async (client: DynamoDBClient, prefix: string) => {
  const tables = {
    CHARGE_TABLE: `${prefix}-CHARGE_TABLE`,
    USAGE_TABLE: `${prefix}-USAGE_TABLE`,
    ACCOUNT_TABLE: `${prefix}-ACCOUNT_TABLE`,
    RESERVATION_TABLE: `${prefix}-RESERVATION_TABLE`,
  };
  await createTable(client, tables.CHARGE_TABLE, ['id'], {
    indexes: { 'by-account': { keys: ['account', 'time'] } },
    numbers: ['time'],
  });
  await createTable(client, tables.USAGE_TABLE, ['account', 'entry']);
  await createTable(client, tables.ACCOUNT_TABLE, ['account']);
  await createTable(client, tables.RESERVATION_TABLE, ['taskId'], {
    indexes: { due: { keys: ['due_shard', 'due_at'] } },
    numbers: ['due_at'],
  });
  return tables;
};
