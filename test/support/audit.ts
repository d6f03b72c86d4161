import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { accountAdministration } from '../../functions/billing/adapters/account-administration.ts';
import { type AuditTrail, auditTrail } from '../../functions/identity/adapters/audit-trail.ts';
import { type AuditEntry, type AuditOrigin, auditEntry } from '../../functions/identity/domain/audit.ts';
import { encode } from '../../functions/platform/aws/attributes.ts';
import { createTable } from './create-table.ts';
import { strictLogger } from './loggers.ts';
import { plainItem } from './plain-item.ts';

export const ORIGIN: AuditOrigin = {
  actor: { kind: 'key', id: 'key_0123456789abcdef', personId: undefined },
  ip: '192.0.2.1',
  userAgent: 'a test',
};

/** An entry for a change that a test makes through a port. */
export const anAuditEntry = (
  change: Partial<Pick<AuditEntry, 'account' | 'at' | 'type' | 'resourceId' | 'details'>> = {},
): AuditEntry =>
  auditEntry(ORIGIN, {
    account: 'tester',
    at: Date.now(),
    type: 'share.created',
    resourceId: 'share_1',
    ...change,
  });

/** The entries of an account as they are stored, oldest first. */
export const storedEntries = async (client: DynamoDBClient, TableName: string, account: string) => {
  const pages = await Array.fromAsync(
    paginateQuery(
      { client },
      {
        TableName,
        KeyConditionExpression: 'account = :account',
        ExpressionAttributeValues: encode({ ':account': account }),
        ConsistentRead: true,
      },
    ),
  );
  return pages.flatMap(({ Items }) => (Items ?? []).map(plainItem));
};

/** An audit table with a name of its own. */
export const createAuditTable = async (
  client: DynamoDBClient,
  prefix: string,
): Promise<{ readonly table: string; readonly audit: AuditTrail }> => {
  const table = `${prefix}-audit`;
  await createTable(client, table, ['account', 'id']);
  return { table, audit: auditTrail(client, table, strictLogger) };
};

/** Sets and shows limits as an operator's command does. */
export const accountsIn = (client: DynamoDBClient, table: string, auditTable: string) => {
  const trail = auditTrail(client, auditTable, strictLogger);
  const accounts = accountAdministration(client, table, strictLogger, trail);
  return {
    ...accounts,
    set: (account: string, changes: Parameters<typeof accounts.set>[1]): Promise<void> =>
      accounts.set(account, changes, ORIGIN, Date.now()),
  };
};
