import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  auditLogList,
  auditLogObject,
  readAuditQuery,
} from '../../../../functions/identity/api/audit-log-object.ts';
import type { AuditActor } from '../../../../functions/identity/domain/audit.ts';
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
  const page = { items: [ENTRY], hasMore: true, resumeAfter: 'further' };
  for (const [direction, first, last] of [
    ['after', ENTRY.id, 'further'],
    ['before', 'further', ENTRY.id],
  ] as const)
    test(`that skipped entries says where the next page ${direction} it starts`, () => {
      const list = auditLogList(page, direction);
      assert.deepEqual([list.first_id, list.last_id, list.has_more], [first, last, true]);
    });

  test('may be empty', () => {
    const empty = { object: 'list', data: [], first_id: null, last_id: null, has_more: false };
    assert.deepEqual(auditLogList({ items: [], hasMore: false }, 'after'), empty);
  });
});

const NOW = 1_800_000_000_000;
const OLDEST = NOW - 400 * 86_400_000;
const ID = `audit_log-0myxgdc00${'0'.repeat(16)}`;

const read = (parameters: Readonly<Record<string, string | readonly string[]>> = {}) => {
  const queryAll = (name: string) => [parameters[name] ?? []].flat();
  return readAuditQuery({ query: (name) => queryAll(name)[0], queryAll }, 'acme', NOW);
};

test('a query without parameters asks for the newest 20 entries of the last 400 days', () => {
  assert.deepEqual(read(), {
    from: OLDEST,
    to: 100_000_000_000_000,
    limit: 20,
    cursor: undefined,
    filter: { types: [], actorIds: [], actorEmails: [], resourceIds: [] },
  });
});

test('effective_at compares whole seconds; the narrowest bounds count, but nothing is older than 400 days', () => {
  const END = 100_000_000_000_000;
  const AT = '1799999000';
  for (const [bounds, from, to] of [
    [{ gte: AT }, 1_799_999_000_000, END],
    [{ gt: AT }, 1_799_999_001_000, END],
    [{ lt: AT }, OLDEST, 1_799_999_000_000],
    [{ lte: AT }, OLDEST, 1_799_999_001_000],
    [{ gt: '0', gte: '1700000000', lt: '1799999999', lte: AT }, OLDEST, 1_799_999_001_000],
  ] as const) {
    const named = Object.entries(bounds).map(([bound, value]) => [`effective_at[${bound}]`, value]);
    const query = read(Object.fromEntries(named));
    assert.deepEqual([query?.from, query?.to], [from, to], JSON.stringify(bounds));
  }
});

test('filters are lists, and e-mail addresses match in any case', () => {
  const [types, actorIds] = [
    ['share.created', 'login.failed'],
    ['user_1', 'key_1'],
  ];
  const others = { actor_emails: 'Ada@Example.com', resource_ids: 'share_1' };
  const { filter } = read({ event_types: types, actor_ids: actorIds, ...others }) ?? assert.fail();
  const single = { actorEmails: ['ada@example.com'], resourceIds: ['share_1'] };
  assert.deepEqual(filter, { types, actorIds, ...single });
});

test('other projects have no entries', () => {
  assert.equal(read({ project_ids: 'other' }), undefined);
  assert.notEqual(read({ project_ids: ['other', 'acme'] }), undefined);
});

for (const kind of ['after', 'before'] as const)
  test(`a page can start ${kind} an entry`, () => {
    assert.deepEqual(read({ [kind]: ID })?.cursor, { kind, id: ID });
  });

for (const [name, parameters, message] of [
  ['limit', { limit: '101' }, /1 to 100/],
  ['after', { after: 'audit_log-1' }, /last_id/],
  ['before', { before: `${ID}~` }, /first_id/],
  ['before', { before: ID, after: ID }, /together with after/],
  ['event_types', { event_types: 'share.opened' }, /share\.created/],
  ['actor_ids', { actor_ids: '' }, /1 to 320 characters/],
  ['actor_emails', { actor_emails: 'a'.repeat(321) }, /1 to 320 characters/],
  ['resource_ids', { resource_ids: Array.from({ length: 101 }, () => 'a') }, /at most 100/],
  ['project_ids', { project_ids: Array.from({ length: 101 }, () => 'a') }, /at most 100/],
  ['effective_at[gte]', { 'effective_at[gte]': 'today' }, /Unix timestamp/],
  ['effective_at[lt]', { 'effective_at[lt]': '-1' }, /Unix timestamp/],
  ['effective_at', { effective_at: '1799999000' }, /effective_at\[gte\]/],
  ['tenant_only', { tenant_only: 'true' }, /must be false/],
] as const)
  test(`rejects ${JSON.stringify(parameters).slice(0, 60)}, naming the field and the accepted values`, () => {
    assert.throws(() => read(parameters), { code: 'invalid_request', param: name, message });
  });
