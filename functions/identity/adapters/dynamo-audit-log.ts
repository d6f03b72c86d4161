import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as stored from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { Page } from '../../platform/domain/pages.ts';
import {
  AUDIT_TYPES,
  type AuditActor,
  type AuditEntry,
  auditIdPrefix,
  type Detail,
} from '../domain/audit.ts';
import { type AuditQuery, isUnfiltered, matchesEntry } from '../domain/audit-log.ts';

const ACTOR_KINDS = ['key', 'session', 'operator'] as const;

const readActor = (item: stored.Attributes, name: string): AuditActor => {
  const actor = stored.map(item, name);
  const kind = stored.oneOf(actor, 'kind', ACTOR_KINDS);
  const id = stored.text(actor, 'id');
  if (kind === 'operator') return { kind, id };
  const personId = stored.optional(actor, 'personId', stored.text);
  return kind === 'key'
    ? { kind, id, personId }
    : { kind, id, personId, email: stored.optional(actor, 'email', stored.text) };
};

const readDetail = (details: stored.Attributes, name: string): Detail => {
  const { S, N, BOOL, NULL } = details[name] ?? {};
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (NULL === true) return null;
  return stored.list(details, name, stored.text);
};

const readDetails = (item: stored.Attributes, name: string): AuditEntry['details'] => {
  const details = stored.map(item, name);
  return Object.fromEntries(Object.keys(details).map((each) => [each, readDetail(details, each)]));
};

const readEntry = (item: stored.Attributes): AuditEntry =>
  ({
    ...stored.all(item, stored.text, 'id', 'account', 'resourceId'),
    ...stored.allOptional(item, stored.text, 'ip', 'userAgent'),
    at: stored.time(item, 'at'),
    type: stored.oneOf(item, 'type', AUDIT_TYPES),
    actor: readActor(item, 'actor'),
    details: readDetails(item, 'details'),
  }) satisfies stored.Complete<AuditEntry>;

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
) => {
  const log = dynamoTable(client, table, { logger, key: ['account', 'id'] });

  /** In the order of reading: newest first, or oldest first for entries before a cursor. */
  const readPage = async (account: string, query: AuditQuery): Promise<Page<AuditEntry>> => {
    const { limit, filter, cursor } = query;
    const { low, high } = idRange(query);
    if (low >= high) return { items: [], hasMore: false };
    const items: AuditEntry[] = [];
    let start: stored.Attributes | undefined;
    let queries = 0;
    do {
      const page = await log.page(
        {
          where: 'account = :account AND id BETWEEN :low AND :high',
          values: { account, low, high },
          newestFirst: cursor?.kind !== 'before',
          // One more tells whether there are more; the entry of the cursor itself is skipped.
          limit: isUnfiltered(filter) ? limit + 2 - items.length : undefined,
          consistent: true,
          after: start,
        },
        readEntry,
      );
      for (const entry of page.items) {
        if (entry.id === cursor?.id || !matchesEntry(entry, filter)) continue;
        if (items.length === limit) return { items, hasMore: true };
        items.push(entry);
      }
      start = page.next;
      queries += 1;
    } while (start !== undefined && queries < maxQueries);
    return { items, hasMore: start !== undefined, resumeAfter: start?.id?.S };
  };

  return {
    /** Newest first; `hasMore` is about the direction of the page. */
    page: async (account: string, query: AuditQuery): Promise<Page<AuditEntry>> => {
      const page = await readPage(account, query);
      return query.cursor?.kind === 'before' ? { ...page, items: page.items.toReversed() } : page;
    },
  };
};
