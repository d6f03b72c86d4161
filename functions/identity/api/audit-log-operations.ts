import { type ApiPart, jsonResponse } from '../../platform/openapi/operation.ts';
import { listParameter, queryParameter, UNIX_SECONDS } from '../../platform/openapi/parameters.ts';
import { AUDIT_TYPES, auditEntry, auditIdPrefix } from '../domain/audit.ts';
import type { TIME_BOUNDS } from './audit-log-object.ts';
import { auditLogList, auditLogListSchema, auditLogSchema } from './audit-log-object.ts';
import { toOperations } from './declare-endpoint.ts';
import { AUDIT_ENDPOINTS } from './endpoints.ts';

const SCHEMAS = { AuditLog: auditLogSchema, AuditLogList: auditLogListSchema };

const BOUND_TEXTS: Readonly<Record<(typeof TIME_BOUNDS)[number], string>> = {
  gt: 'Only entries after this second.',
  gte: 'Only entries at or after this time.',
  lt: 'Only entries before this time.',
  lte: 'Only entries at or before this second.',
};

const bound = (name: (typeof TIME_BOUNDS)[number]) =>
  queryParameter(`effective_at[${name}]`, `${BOUND_TEXTS[name]} In Unix seconds.`, UNIX_SECONDS);

const PARAMETERS = {
  AuditTypes: listParameter('event_types', 'Only these types.', AUDIT_TYPES),
  AuditActors: listParameter('actor_ids', 'Only changes by these people, keys, sessions or operators.'),
  AuditEmails: listParameter('actor_emails', 'Only changes by people with these e-mail addresses.'),
  AuditResources: listParameter('resource_ids', 'Only changes of these items.'),
  AuditAfterSecond: bound('gt'),
  AuditFrom: bound('gte'),
  AuditBefore: bound('lt'),
  AuditUntil: bound('lte'),
  AfterEntry: queryParameter('after', 'Returns older entries: last_id of the previous page.'),
  BeforeEntry: queryParameter('before', 'Returns newer entries: first_id of a page.'),
} as const;

const EXAMPLE_TIME = Date.UTC(2026, 0, 15, 9, 30);
const EXAMPLE = {
  ...auditEntry(
    {
      actor: {
        kind: 'session',
        id: `sess_${'0'.repeat(32)}`,
        personId: `user_${'0'.repeat(32)}`,
        email: 'ada@example.com',
      },
      ip: '192.0.2.1',
      userAgent: 'Mozilla/5.0',
      account: 'example',
      at: EXAMPLE_TIME,
    },
    'webhook_endpoint.updated',
    'we_01kf0t8zxg0000000000000000',
    { changed: ['name'], nameFrom: 'Test', nameTo: 'Production' },
  ),
  // The document is the same in every build.
  id: `${auditIdPrefix(EXAMPLE_TIME)}0123456789abcdef`,
};

const OPERATIONS = toOperations(AUDIT_ENDPOINTS, {
  listAuditLogs: {
    description:
      'Changes to the account and sign-ins of the last 400 days, newest first. A page of a filtered list can be shorter or empty while has_more is true; continue with last_id.',
    parameters: [...Object.keys(PARAMETERS), 'ProjectIds', 'Limit'],
    responses: jsonResponse('A page of entries.', 'AuditLogList', {
      page: auditLogList({ items: [EXAMPLE], hasMore: false }, 'after'),
    }),
  },
});

export const AUDIT_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
