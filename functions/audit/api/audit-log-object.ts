import * as z from 'zod/mini';
import { listSchema, toSeconds } from '../../platform/api/parameters.ts';
import { timestamp } from '../../platform/body/schema.ts';
import { AUDIT_TYPES, type AuditActor, type AuditEntry } from '../../platform/domain/audit.ts';
import type { AuditPage } from '../domain/audit-log.ts';

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
export const auditLogList = (
  { entries, hasMore, resumeAt }: AuditPage,
  direction: 'after' | 'before',
): AuditLogList => ({
  object: 'list',
  data: entries.map(auditLogObject),
  first_id: (direction === 'before' ? resumeAt : undefined) ?? entries.at(0)?.id ?? null,
  last_id: (direction === 'after' ? resumeAt : undefined) ?? entries.at(-1)?.id ?? null,
  has_more: hasMore,
});
