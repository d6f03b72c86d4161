import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import { type Action, auditEntry, type Detail } from '../../identity/domain/audit.ts';
import { type Attributes, text } from '../../platform/aws/attributes.ts';
import { dynamoTable, scanItems } from '../../platform/aws/table.ts';
import { updateWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { LIMIT_NAMES } from '../domain/limits.ts';
import { toUtcMonth } from '../domain/periods.ts';
import { readCommitted, readLimits, readVideos, SEPARATOR, type StoredLimits } from './dynamo-accounts.ts';
import { readKeptStorage } from './kept-storage.ts';

/** For the operator's accounts command. A function may set only the storage for kept items. */

export type AccountSummary = {
  readonly account: string;
  readonly limits: StoredLimits;
  readonly month: string;
  /** Charged and reserved in the month. */
  readonly committed: string;
  readonly videos: number;
  readonly keptBytes: number;
};

const toSummary = (item: Attributes, now: number): AccountSummary => ({
  account: text(item, 'account'),
  limits: readLimits(item),
  month: toUtcMonth(now),
  committed: readCommitted(item, toUtcMonth(now)),
  videos: readVideos(item),
  keptBytes: readKeptStorage(item).usedBytes,
});

const STORED_NAMES = [...LIMIT_NAMES, 'keptMegabytes'] as const;

/** The words of the command. */
const describeLimit = (limit: string | number | null | undefined): string | number =>
  limit === undefined ? 'default' : (limit ?? 'none');

/** An undefined limit is removed, so that the stack's default applies again. All limits must still be as they were read. */
const limitWrite = (table: string, account: string, read: StoredLimits, next: StoredLimits) => {
  const conditions = STORED_NAMES.map((name) =>
    read[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :${name}`,
  );
  const values = Object.fromEntries(STORED_NAMES.map((name) => [name, read[name]]));
  return updateWrite(table, { account }, { set: next, when: conditions.join(' AND '), values });
};

const describeChanges = (
  changed: readonly (keyof StoredLimits)[],
  read: StoredLimits,
  next: StoredLimits,
): Readonly<Record<string, Detail>> =>
  Object.fromEntries(
    changed.flatMap((name) => [
      [`${name}From`, describeLimit(read[name])],
      [`${name}To`, describeLimit(next[name])],
    ]),
  );

/** Another operator may change the limits at the same time. */
const MAX_TRIES = 5;

export const accountAdministration = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
  audit: Pick<AuditTrail, 'write'>,
) => ({
  /** Changes the limits, with an audit entry. Limits that are as given already are no change. */
  set: async (action: Action, changes: Partial<StoredLimits>): Promise<void> => {
    const { account } = action;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const read = (await dynamoTable(client, table).get({ account }, readLimits)) ?? readLimits({});
      const next = { ...read, ...changes };
      const changed = STORED_NAMES.filter((name) => next[name] !== read[name]);
      if (changed.length === 0) return;
      const details = describeChanges(changed, read, next);
      const entry = auditEntry(action, 'rate_limit.updated', account, details);
      if ((await audit.write([limitWrite(table, account, read, next)], entry)).length === 0) return;
    }
    throw new Error(`the limits of ${account} are being changed by others`);
  },

  show: (account: string, now: number): Promise<AccountSummary | undefined> =>
    dynamoTable(client, table).get({ account }, (item) => toSummary(item, now)),

  list: async (now: number): Promise<AccountSummary[]> => {
    // Without the items of API keys.
    const filter = { where: 'NOT contains(account, :separator)', values: { separator: SEPARATOR } };
    const found = await scanItems(client, { name: table, logger, key: ['account'], filter }, (item) =>
      toSummary(item, now),
    );
    return found.toSorted((one, other) => (one.account < other.account ? -1 : 1));
  },
});
