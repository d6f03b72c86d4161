import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Attributes, corrupt, map, oneOf, optional, text, time } from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import {
  AUDIT_TYPES,
  type AuditActor,
  type AuditEntry,
  auditIdPrefix,
  type Detail,
} from '../domain/audit.ts';
import {
  type AuditLog,
  type AuditPage,
  type AuditQuery,
  isUnfiltered,
  matchesEntry,
} from '../domain/audit-log.ts';

const ACTOR_KINDS = ['key', 'session', 'operator'] as const;

const readActor = (item: Attributes, name: string): AuditActor => {
  const actor = map(item, name);
  const kind = oneOf(actor, 'kind', ACTOR_KINDS);
  const id = text(actor, 'id');
  if (kind === 'operator') return { kind, id };
  const personId = optional(actor, 'personId', text);
  return kind === 'key'
    ? { kind, id, personId }
    : { kind, id, personId, email: optional(actor, 'email', text) };
};

const readDetail = (details: Attributes, name: string): Detail => {
  const { S, N, BOOL, NULL, L } = details[name] ?? {};
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (NULL === true) return null;
  if (L === undefined) throw corrupt(name);
  return L.map((element) => text({ [name]: element }, name));
};

const readDetails = (item: Attributes, name: string): AuditEntry['details'] => {
  const details = map(item, name);
  return Object.fromEntries(Object.keys(details).map((each) => [each, readDetail(details, each)]));
};

const readEntry = (item: Attributes): AuditEntry =>
  ({
    id: text(item, 'id'),
    account: text(item, 'account'),
    at: time(item, 'at'),
    type: oneOf(item, 'type', AUDIT_TYPES),
    resourceId: text(item, 'resourceId'),
    actor: readActor(item, 'actor'),
    ip: optional(item, 'ip', text),
    userAgent: optional(item, 'userAgent', text),
    details: readDetails(item, 'details'),
  }) satisfies { readonly [Property in keyof Required<AuditEntry>]: AuditEntry[Property] };

/** Bounds the work for a selective filter: about 100 MB, or 200,000 entries. The next page continues there. */
const MAX_QUERIES = 100;

/** A tilde sorts after all letters of an id. */
const AFTER_ALL = '~';

/** The entries between these ids, both excluded: ids begin with their time. */
const idRange = ({ from, to, cursor }: AuditQuery): { readonly low: string; readonly high: string } => {
  const [low, high] = [auditIdPrefix(from), auditIdPrefix(to)];
  if (cursor?.kind === 'after') return { low, high: cursor.id < high ? cursor.id : high };
  // No id lies between another one and the same one with a tilde.
  if (cursor?.kind === 'before') return { low: cursor.id >= low ? `${cursor.id}${AFTER_ALL}` : low, high };
  return { low, high };
};

export const dynamoAuditLog = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
  maxQueries = MAX_QUERIES,
): AuditLog => {
  const log = dynamoTable(client, table, { logger, key: ['account', 'id'] });

  /** In the order of reading: newest first, or oldest first for entries before a cursor. */
  const readPage = async (account: string, query: AuditQuery): Promise<AuditPage> => {
    const { limit, filter, cursor } = query;
    const { low, high } = idRange(query);
    if (low >= high) return { entries: [], hasMore: false };
    const entries: AuditEntry[] = [];
    let start: Attributes | undefined;
    let queries = 0;
    do {
      const page = await log.page(
        {
          where: 'account = :account AND id BETWEEN :low AND :high',
          values: { account, low, high },
          newestFirst: cursor?.kind !== 'before',
          // One more tells whether there are more; the entry of the cursor itself is skipped.
          limit: isUnfiltered(filter) ? limit + 2 - entries.length : undefined,
          consistent: true,
          after: start,
        },
        readEntry,
      );
      for (const entry of page.items) {
        if (entry.id === cursor?.id || !matchesEntry(entry, filter)) continue;
        if (entries.length === limit) return { entries, hasMore: true };
        entries.push(entry);
      }
      start = page.next;
      queries += 1;
    } while (start !== undefined && queries < maxQueries);
    return { entries, hasMore: start !== undefined, resumeAt: start?.id?.S };
  };

  return {
    page: async (account, query) => {
      const page = await readPage(account, query);
      return query.cursor?.kind === 'before' ? { ...page, entries: page.entries.toReversed() } : page;
    },
  };
};
