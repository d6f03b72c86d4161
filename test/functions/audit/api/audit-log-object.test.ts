import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditLogList, auditLogObject } from '../../../../functions/audit/api/audit-log-object.ts';
import type { AuditActor } from '../../../../functions/platform/domain/audit.ts';
import { anAuditEntry } from '../../../support/audit.ts';

const ENTRY = anAuditEntry({
  at: 1_800_000_000_999,
  type: 'webhook_endpoint.updated',
  resourceId: 'we_1',
  details: { nameFrom: 'one', nameTo: 'two', changed: ['name'], id: 'not an id' },
});
const PLACE = { ip_address: '192.0.2.1', user_agent: 'a test' };

test('an entry has its change under the name of its type', () => {
  assert.deepEqual(auditLogObject(ENTRY), {
    object: 'organization.audit_log',
    id: ENTRY.id,
    type: 'webhook_endpoint.updated',
    effective_at: 1_800_000_000,
    project: { id: 'tester', name: 'tester' },
    actor: {
      type: 'api_key',
      api_key: {
        id: 'key_0123456789abcdef',
        type: 'service_account',
        service_account: { id: 'tester' },
        ...PLACE,
      },
    },
    'webhook_endpoint.updated': { name_from: 'one', name_to: 'two', changed: ['name'], id: 'we_1' },
  });
});

describe('the actor', () => {
  const ROWS: readonly (readonly [string, AuditActor, object])[] = [
    [
      'of a key that belongs to a person is the person',
      { kind: 'key', id: 'key_1', personId: 'user_1' },
      { type: 'api_key', api_key: { id: 'key_1', type: 'user', user: { id: 'user_1' }, ...PLACE } },
    ],
    [
      'of a session is the person who signed in',
      { kind: 'session', id: 'sess_1', personId: 'user_1', email: 'ada@example.com' },
      {
        type: 'session',
        session: { id: 'sess_1', user: { id: 'user_1', email: 'ada@example.com' }, ...PLACE },
      },
    ],
    [
      'of a sign-in link is nobody in particular',
      { kind: 'session', id: 'sess_1', personId: undefined, email: undefined },
      { type: 'session', session: { id: 'sess_1', user: null, ...PLACE } },
    ],
    [
      'of a command is the operator',
      { kind: 'operator', id: 'root' },
      { type: 'operator', operator: { id: 'root' } },
    ],
  ];
  for (const [title, actor, expected] of ROWS)
    test(title, () => assert.deepEqual(auditLogObject({ ...ENTRY, actor }).actor, expected));
});

test('an unknown address and user agent are null', () => {
  const { api_key: key } = auditLogObject({ ...ENTRY, ip: undefined, userAgent: undefined }).actor;
  assert.deepEqual([key?.ip_address, key?.user_agent], [null, null]);
});

describe('the list', () => {
  const page = { entries: [ENTRY], hasMore: true, resumeAt: 'further' };
  for (const [direction, first, last] of [
    ['after', ENTRY.id, 'further'],
    ['before', 'further', ENTRY.id],
  ] as const)
    test(`that skipped entries says where the next page ${direction} it starts`, () => {
      const list = auditLogList(page, direction);
      assert.deepEqual([list.first_id, list.last_id, list.has_more], [first, last, true]);
    });

  test('may be empty', () => {
    assert.deepEqual(auditLogList({ entries: [], hasMore: false }, 'after'), {
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
  });
});
