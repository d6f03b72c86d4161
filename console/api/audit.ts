import type { AuditLogList } from '../../functions/audit/api/audit-log-object.ts';
import { createPagedQuery } from './query.ts';
import { getJson, queryString } from './request.ts';

export type AuditFilter = {
  readonly type: string;
  readonly person: string;
  /** Unix seconds: from, included, and to, excluded. */
  readonly from: number | undefined;
  readonly to: number | undefined;
};

const ENTRIES_PER_PAGE = 50;

/** Newest first. */
export const auditPages = createPagedQuery<[filter: AuditFilter], AuditLogList>(
  ([{ type, person, from, to }], after, signal) =>
    getJson(
      `/v1/organization/audit_logs${queryString({
        event_types: type === '' ? [] : [type],
        actor_ids: person === '' ? [] : [person],
        'effective_at[gte]': from,
        'effective_at[lt]': to,
        limit: ENTRIES_PER_PAGE,
        after,
      })}`,
      signal,
    ),
  ({ has_more, last_id }) => (has_more && last_id !== null ? last_id : undefined),
);
