import type { AuditType } from '../../functions/platform/domain/audit.ts';
import { createPagedQuery } from './query.ts';
import { getJson, queryString } from './request.ts';

type Person = { readonly id: string; readonly email?: string | null };

/** Details of an entry, under the name of its type. */
export type AuditDetails = Readonly<Record<string, unknown>> & { readonly id: string };

export type AuditLogEntry = {
  readonly id: string;
  readonly type: AuditType;
  readonly effective_at: number;
  readonly actor: {
    readonly type: 'session' | 'api_key' | 'operator';
    readonly session?: {
      readonly user?: Person | null;
      readonly ip_address?: string | null;
      readonly user_agent?: string | null;
    } | null;
    readonly api_key?: { readonly id: string; readonly user?: Person | null } | null;
  };
};

export type AuditPage = {
  readonly data: readonly AuditLogEntry[];
  readonly last_id: string | null;
  readonly has_more: boolean;
};

export type AuditFilter = {
  readonly type: string;
  readonly person: string;
  /** Unix seconds: from, included, and to, excluded. */
  readonly from: number | undefined;
  readonly to: number | undefined;
};

const ENTRIES_PER_PAGE = 50;

/** Newest first. */
export const auditPages = createPagedQuery<[filter: AuditFilter], AuditPage>(
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
