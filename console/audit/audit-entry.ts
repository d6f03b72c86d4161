import type { AuditType } from '../../functions/platform/domain/audit.ts';

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
