import { readLimit, readTime } from '../../platform/api/parameters.ts';
import { AUDIT_DAYS, AUDIT_TYPES, type AuditType, isAuditId } from '../../platform/domain/audit.ts';
import { invalidField, listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/models.ts';
import type { AuditFilter, AuditQuery } from '../domain/audit-log.ts';

export type Query = {
  readonly query: (name: string) => string | undefined;
  readonly queryAll: (name: string) => readonly string[];
};

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
/** Later than any time that a client can name. */
const NO_END = 100_000_000_000_000;
/** As many as OpenAI's lists have on a page. */
export const MAX_VALUES = 100;
const MAX_VALUE_CHARACTERS = 320;

export const TIME_BOUNDS = ['gt', 'gte', 'lt', 'lte'] as const;

/** Entries are kept in milliseconds, but clients see and compare whole seconds. */
const readRange = ({ query }: Query, now: number): { readonly from: number; readonly to: number } => {
  if (query('effective_at') !== undefined)
    throw invalidField(
      'effective_at',
      `effective_at must be sent as ${listed(TIME_BOUNDS.map((bound) => `effective_at[${bound}]`))}.`,
    );
  const [gt = -SECOND, gte = 0, lt = NO_END, lte = NO_END - SECOND] = TIME_BOUNDS.map((bound) =>
    readTime(query, `effective_at[${bound}]`),
  );
  return {
    // DynamoDB removes expired entries some days later.
    from: Math.max(gt + SECOND, gte, now - AUDIT_DAYS * DAY),
    to: Math.min(lt, lte + SECOND),
  };
};

const readValues = ({ queryAll }: Query, name: string): readonly string[] => {
  const values = queryAll(name);
  if (values.length > MAX_VALUES) throw invalidField(name, `${name} must have at most ${MAX_VALUES} values.`);
  if (values.some((value) => value === '' || value.length > MAX_VALUE_CHARACTERS))
    throw invalidField(name, `${name} must have values of 1 to ${MAX_VALUE_CHARACTERS} characters.`);
  return values;
};

const readTypes = (query: Query): readonly AuditType[] =>
  readValues(query, 'event_types').map((type) => {
    if (!isOneOf(AUDIT_TYPES, type))
      throw invalidField('event_types', `event_types must be some of ${listed(AUDIT_TYPES)}.`);
    return type;
  });

const readFilter = (query: Query): AuditFilter => ({
  types: readTypes(query),
  actorIds: readValues(query, 'actor_ids'),
  actorEmails: readValues(query, 'actor_emails').map((email) => email.toLowerCase()),
  resourceIds: readValues(query, 'resource_ids'),
});

const readCursor = ({ query }: Query): AuditQuery['cursor'] => {
  const [after, before] = [query('after'), query('before')];
  if (after !== undefined && before !== undefined)
    throw invalidField('before', 'before cannot be sent together with after.');
  const kind = before === undefined ? 'after' : 'before';
  const id = after ?? before;
  if (id === undefined) return undefined;
  if (!isAuditId(id))
    throw invalidField(kind, `${kind} must be the id of an entry, such as first_id or last_id of a page.`);
  return { kind, id };
};

/** OpenAI has events of tenants, above organizations, which do not exist here. */
const rejectTenants = ({ query }: Query): void => {
  const value = query('tenant_only');
  if (value !== undefined && value !== 'false')
    throw invalidField('tenant_only', 'tenant_only must be false: there are no events of tenants.');
};

/** Undefined if the client asks for other projects only. */
export const readAuditQuery = (query: Query, account: string, now: number): AuditQuery | undefined => {
  rejectTenants(query);
  const projects = readValues(query, 'project_ids');
  const wanted = {
    ...readRange(query, now),
    limit: readLimit(query.query),
    cursor: readCursor(query),
    filter: readFilter(query),
  };
  return projects.length === 0 || projects.includes(account) ? wanted : undefined;
};
