import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { accountAdministration } from '../../functions/billing/adapters/account-administration.ts';
import { type AuditTrail, auditTrail } from '../../functions/identity/adapters/audit-trail.ts';
import type { Caller } from '../../functions/identity/domain/api-key.ts';
import {
  type Action,
  type AuditEntry,
  type AuditOrigin,
  auditEntry,
  type CallerAction,
} from '../../functions/identity/domain/audit.ts';
import { encode } from '../../functions/platform/aws/attributes.ts';
import { createTable } from './create-table.ts';
import { strictLogger } from './loggers.ts';
import { plainItem } from './plain-item.ts';

export const ORIGIN: AuditOrigin = {
  actor: { kind: 'key', id: 'key_0123456789abcdef', personId: undefined },
  ip: '192.0.2.1',
  userAgent: 'a test',
};

/** A change of a test in an account. */
export const anAction = (account = 'tester', at = Date.now()): Action => ({ ...ORIGIN, account, at });

export const aCallerAction = (caller: Caller, at?: number): CallerAction => ({
  ...anAction(caller.account, at),
  caller,
});

/** An entry for a change that a test makes through a port. */
export const anAuditEntry = ({
  account,
  at,
  type = 'share.created',
  resourceId = 'share_1',
  details,
}: Partial<Pick<AuditEntry, 'account' | 'at' | 'type' | 'resourceId' | 'details'>> = {}): AuditEntry =>
  auditEntry(anAction(account, at), type, resourceId, details);

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
      accounts.set(anAction(account, Date.now()), changes),
  };
};
