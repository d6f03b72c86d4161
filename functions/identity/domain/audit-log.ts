import type { AuditEntry, AuditType } from './audit.ts';

/** Selects entries of an account; an empty list matches every entry. */
export type AuditFilter = {
  readonly types: readonly AuditType[];
  /** Ids of people, keys, sessions or operators. */
  readonly actorIds: readonly string[];
  /** In lower case. */
  readonly actorEmails: readonly string[];
  readonly resourceIds: readonly string[];
};

export type AuditQuery = {
  readonly limit: number;
  /** Milliseconds: entries from this time on, and before the other one. */
  readonly from: number;
  readonly to: number;
  /** Where the page starts: `after` continues with older entries, `before` with newer ones. */
  readonly cursor: { readonly kind: 'after' | 'before'; readonly id: string } | undefined;
  readonly filter: AuditFilter;
};

const accepts = (wanted: readonly string[], ...given: readonly (string | undefined)[]): boolean =>
  wanted.length === 0 || given.some((value) => value !== undefined && wanted.includes(value));

const personId = ({ actor }: AuditEntry): string | undefined =>
  actor.kind === 'operator' ? undefined : actor.personId;
const email = ({ actor }: AuditEntry): string | undefined =>
  actor.kind === 'session' ? actor.email?.toLowerCase() : undefined;

export const matchesEntry = (entry: AuditEntry, filter: AuditFilter): boolean =>
  accepts(filter.types, entry.type) &&
  accepts(filter.actorIds, entry.actor.id, personId(entry)) &&
  accepts(filter.actorEmails, email(entry)) &&
  accepts(filter.resourceIds, entry.resourceId);

export const isUnfiltered = (filter: AuditFilter): boolean =>
  Object.values(filter).every((wanted) => wanted.length === 0);
