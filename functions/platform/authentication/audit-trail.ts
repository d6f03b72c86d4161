import {
  type DynamoDBClient,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { failedConditions } from '../aws/contention.ts';
import { type Attributes, encode } from '../aws/dynamo.ts';
import { AUDIT_DAYS, type AuditEntry } from '../domain/audit.ts';
import type { Logger } from '../domain/log-events.ts';

const DAY_SECONDS = 24 * 60 * 60;

const putEntry = (table: string, entry: AuditEntry) => ({
  TableName: table,
  Item: encode({ ...entry, expires: Math.ceil(entry.at / 1000) + AUDIT_DAYS * DAY_SECONDS }),
  // An entry is never replaced.
  ConditionExpression: 'attribute_not_exists(id)',
});

/** The same entry as a log line, for a system that collects them. */
const logEntry = (logger: Pick<Logger, 'info'>, { id, account, type, actor, ip, resourceId }: AuditEntry) =>
  logger.info('audit', {
    entry: id,
    account,
    type,
    actor: `${actor.kind} ${actor.id}`,
    person: 'personId' in actor ? actor.personId : undefined,
    ip,
    resource: resourceId,
  });

export type AuditTrail = {
  /**
   * Makes changes together with their entries, all or none. Returns the result of `failedConditions` for the changes:
   * an empty list if everything was written.
   */
  write(
    changes: readonly TransactWriteItem[],
    entries: AuditEntry | readonly AuditEntry[],
  ): Promise<readonly (Attributes | undefined)[]>;
  /** Records an event that changes nothing, such as a refused sign-in. */
  record(entry: AuditEntry): Promise<void>;
};

export const auditTrail = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'info'>,
): AuditTrail => ({
  write: async (changes, given) => {
    const entries = 'id' in given ? [given] : given;
    const failed = await failedConditions(() =>
      client.send(
        new TransactWriteItemsCommand({
          TransactItems: [...changes, ...entries.map((entry) => ({ Put: putEntry(table, entry) }))],
        }),
      ),
    );
    if (failed.length === 0) for (const entry of entries) logEntry(logger, entry);
    return failed;
  },
  record: async (entry) => {
    await client.send(new PutItemCommand(putEntry(table, entry)));
    logEntry(logger, entry);
  },
});
