import * as z from 'zod/mini';
import { listObject, listSchema, readLimit } from '../../platform/api/pages.ts';
import { readTime, toSeconds } from '../../platform/api/parameters.ts';
import { timestamp } from '../../platform/body/schema.ts';
import { DAY, SECOND } from '../../platform/domain/durations.ts';
import { invalidField, listed } from '../../platform/domain/errors.ts';
import type { Page } from '../../platform/domain/pages.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import type { HttpRequest } from '../../platform/runtime/http.ts';
import {
  AUDIT_DAYS,
  AUDIT_TYPES,
  type AuditActor,
  type AuditEntry,
  type AuditType,
  isAuditId,
} from '../domain/audit.ts';
import type { AuditFilter, AuditQuery } from '../domain/audit-log.ts';

const place = {
  ip_address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
};
const user = z.object({ id: z.string(), email: z.nullable(z.string()) });

const actorSchema = z
  .object({
    type: z.enum(['session', 'api_key', 'operator']),
    session: z.optional(
      z.object({
        id: z.string(),
        user: z.nullable(user).check(z.describe('Null if nobody in particular is signed in with a link.')),
        ...place,
      }),
    ),
    api_key: z.optional(
      z.object({
        id: z.string(),
        type: z.enum(['user', 'service_account']),
        user: z.optional(z.object({ id: z.string() })),
        service_account: z.optional(z.object({ id: z.string() })),
        ...place,
      }),
    ),
    operator: z.optional(z.object({ id: z.string() })),
  })
  .check(z.describe('Who did it: a console session, an API key, or a command of the operator.'));

const changeSchema = z
  .looseObject({ id: z.string() })
  .check(z.describe('The id of the changed item, and details that depend on the type.'));

export const auditLogSchema = z
  .object({
    object: z.literal('organization.audit_log'),
    id: z.string(),
    type: z.enum(AUDIT_TYPES),
    effective_at: timestamp('When it happened.'),
    project: z.object({ id: z.string(), name: z.string() }).check(z.describe('The account.')),
    actor: actorSchema,
    ...Object.fromEntries(AUDIT_TYPES.map((type) => [type, z.optional(changeSchema)])),
  })
  .check(
    z.describe('An entry of the audit log. The property with the name of its type describes the change.'),
  );

export const auditLogListSchema = listSchema(auditLogSchema, 'Entries of the audit log, newest first.');

export type AuditLogObject = z.infer<typeof auditLogSchema>;
export type AuditLogList = z.infer<typeof auditLogListSchema>;
type Actor = z.infer<typeof actorSchema>;

const actorObject = (actor: AuditActor, { account, ip, userAgent }: AuditEntry): Actor => {
  const from = { ip_address: ip ?? null, user_agent: userAgent ?? null };
  switch (actor.kind) {
    case 'operator':
      return { type: 'operator', operator: { id: actor.id } };
    case 'session': {
      const { id, personId, email } = actor;
      const person = personId === undefined ? null : { id: personId, email: email ?? null };
      return { type: 'session', session: { id, user: person, ...from } };
    }
    case 'key': {
      const { id, personId } = actor;
      const owner =
        personId === undefined
          ? ({ type: 'service_account', service_account: { id: account } } as const)
          : ({ type: 'user', user: { id: personId } } as const);
      return { type: 'api_key', api_key: { id, ...owner, ...from } };
    }
  }
};

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const changeObject = ({ resourceId, details }: AuditEntry) => ({
  ...Object.fromEntries(Object.entries(details).map(([name, value]) => [toSnakeCase(name), value])),
  id: resourceId,
});

export const auditLogObject = (entry: AuditEntry): AuditLogObject => ({
  object: 'organization.audit_log',
  id: entry.id,
  type: entry.type,
  effective_at: toSeconds(entry.at),
  project: { id: entry.account, name: entry.account },
  actor: actorObject(entry.actor, entry),
  [entry.type]: changeObject(entry),
});

/** The ids of a page that skipped entries say where the next page starts. */
export const auditLogList = (page: Page<AuditEntry>, direction: 'after' | 'before'): AuditLogList => {
  const list = listObject(page.items.map(auditLogObject), page.hasMore);
  const resumed = direction === 'after' ? 'last_id' : 'first_id';
  return { ...list, [resumed]: page.resumeAfter ?? list[resumed] };
};

type Query = Pick<HttpRequest, 'query' | 'queryAll'>;

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
      throw invalidField('event_types', `event_types accepts only ${listed(AUDIT_TYPES)}.`);
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
