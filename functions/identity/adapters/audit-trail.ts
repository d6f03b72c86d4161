import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode } from '../../platform/aws/attributes.ts';
import { writeTogether } from '../../platform/aws/contention.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { IS_NEW, putWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { AUDIT_DAYS, type AuditEntry } from '../domain/audit.ts';

const DAY_SECONDS = 24 * 60 * 60;

export const toItem = (entry: AuditEntry): Attributes =>
  encode({ ...entry, expires: Math.ceil(entry.at / 1000) + AUDIT_DAYS * DAY_SECONDS });

/** The same entry as a log line, for a system that collects them. Nested values are JSON within the line's JSON. */
const logEntry = (logger: Pick<Logger, 'info'>, entry: AuditEntry): void => {
  const { id, account, at, type, actor, ip, userAgent, resourceId, details } = entry;
  logger.info('audit', {
    entry: id,
    account,
    at: new Date(at).toISOString(),
    type,
    actorKind: actor.kind,
    actor: actor.id,
    person: 'personId' in actor ? actor.personId : undefined,
    email: 'email' in actor ? actor.email : undefined,
    ip,
    userAgent,
    resource: resourceId,
    details: JSON.stringify(details),
  });
};

export type AuditTrail = ReturnType<typeof auditTrail>;

export const auditTrail = (client: DynamoDBClient, table: string, logger: Pick<Logger, 'info'>) => ({
  /**
   * Makes changes together with their entries, all or none. Returns the result of `writeTogether` for the changes:
   * an empty list if everything was written.
   */
  write: async (
    changes: readonly TransactWriteItem[],
    given: AuditEntry | readonly AuditEntry[],
  ): Promise<readonly (Attributes | undefined)[]> => {
    const entries = 'id' in given ? [given] : given;
    const failed = await writeTogether(client, [
      ...changes,
      // The permission to put items includes replacing them; the condition rules that out.
      ...entries.map((entry) => putWrite(table, toItem(entry), IS_NEW)),
    ]);
    if (failed.slice(changes.length).some((entry) => entry !== undefined))
      throw new Error('the id of a new audit entry is taken');
    if (failed.length === 0) for (const entry of entries) logEntry(logger, entry);
    return failed.slice(0, changes.length);
  },

  /** Records an event that changes nothing, such as a refused sign-in. */
  record: async (entry: AuditEntry): Promise<void> => {
    // Ids are random: if this one is taken, the SDK has repeated a put whose response was lost.
    await dynamoTable(client, table).put(toItem(entry), IS_NEW);
    logEntry(logger, entry);
  },
});
