import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  auditEntry,
  auditIdPrefix,
  isAuditId,
  requestAction,
} from '../../../../functions/identity/domain/audit.ts';
import { isUnfiltered, matchesEntry } from '../../../../functions/identity/domain/audit-log.ts';
import { anAction } from '../../../support/audit.ts';

const ACTION = anAction('acme', 1_800_000_000_000);
const SHARED = ['share.created', 'share_1'] as const;

describe('an entry', () => {
  test('has the change, its origin and an id that begins with the time', () => {
    const { id, ...entry } = auditEntry(ACTION, ...SHARED, { name: 'one' });
    const what = { type: 'share.created', resourceId: 'share_1', details: { name: 'one' } };
    assert.deepEqual(entry, { ...ACTION, ...what });
    assert.match(id, /^audit_log-0mywpiww0[0-9a-f]{16}$/);
    assert.ok(isAuditId(id));
    assert.deepEqual(auditEntry(ACTION, ...SHARED).details, {});
  });

  test('has an id of its own', () => {
    const ids = Array.from({ length: 100 }, () => auditEntry(ACTION, ...SHARED).id);
    assert.equal(new Set(ids).size, 100);
  });

  test('has texts of at most 500 characters, without halves of characters', () => {
    const { details } = auditEntry(ACTION, ...SHARED, {
      long: 'a'.repeat(1000),
      cut: `${'a'.repeat(499)}😀`,
      list: ['\ud83d', 'b'],
      count: 3,
      none: null,
    });
    assert.deepEqual(details, {
      long: 'a'.repeat(500),
      cut: `${'a'.repeat(499)}\ufffd`,
      list: ['\ufffd', 'b'],
      count: 3,
      none: null,
    });
  });
});

test('ids sort by time, from the first millisecond to the year 5000', () => {
  const times = [0, 1, 35, 36, 1_800_000_000_000, 1_800_000_000_001, Date.UTC(5000, 0)];
  const prefixes = times.map(auditIdPrefix);
  assert.deepEqual(prefixes.toSorted(), prefixes);
});

for (const id of [
  '',
  'audit_log-',
  `audit_log-0mywpiww0${'g'.repeat(16)}`,
  `audit_log-0mywpiww0${'0'.repeat(17)}`,
  `share_${'0'.repeat(25)}`,
])
  test(`'${id}' is not the id of an entry`, () => assert.ok(!isAuditId(id)));

describe('the action of a request', () => {
  const request = (keyId: string, userAgent?: string) => ({
    caller: { account: 'acme', keyId, personId: 'user_1', email: 'ada@example.com' },
    sourceIp: '192.0.2.7',
    header: (name: string) => (name === 'user-agent' ? userAgent : '203.0.113.9'),
  });

  test('is its key and the address that the gateway saw, whatever headers say', () => {
    const before = Date.now();
    const { at, ...action } = requestAction(request('key_1', 'curl/8'));
    assert.deepEqual(action, {
      caller: request('key_1').caller,
      account: 'acme',
      actor: { kind: 'key', id: 'key_1', personId: 'user_1' },
      ip: '192.0.2.7',
      userAgent: 'curl/8',
    });
    assert.ok(at >= before && at <= Date.now());
  });

  test('is its session with the person', () => {
    const id = `sess_${'0'.repeat(32)}`;
    const { actor, userAgent } = requestAction(request(id));
    assert.deepEqual(actor, { kind: 'session', id, personId: 'user_1', email: 'ada@example.com' });
    assert.equal(userAgent, undefined);
  });

  test('has at most 300 printable characters of the user agent', () => {
    assert.equal(requestAction(request('key_1', 'a'.repeat(9000))).userAgent, 'a'.repeat(300));
    assert.equal(requestAction(request('key_1', 'a\u001b[2J\n\u0085é\u202e😀~')).userAgent, 'a?[2J??????~');
  });
});

test('a filter selects entries by type, actor, address and resource', () => {
  const NONE = { types: [], actorIds: [], actorEmails: [], resourceIds: [] };
  const actor = { kind: 'session', id: 'sess_1', personId: 'user_1', email: 'Ada@example.com' } as const;
  const entry = auditEntry({ ...ACTION, actor }, ...SHARED);
  assert.ok(matchesEntry(entry, NONE) && isUnfiltered(NONE));
  for (const [name, matching] of [
    ['types', ['share.created']],
    ['actorIds', ['sess_1', 'user_1']],
    ['actorEmails', ['ada@example.com']],
    ['resourceIds', ['share_1']],
  ] as const) {
    for (const value of matching) {
      const filter = { ...NONE, [name]: ['other', value] };
      assert.deepEqual([matchesEntry(entry, filter), isUnfiltered(filter)], [true, false], value);
    }
    assert.equal(matchesEntry(entry, { ...NONE, [name]: ['other'] }), false, name);
  }
  const operator = auditEntry({ ...ACTION, actor: { kind: 'operator', id: 'ada' } }, ...SHARED);
  assert.equal(matchesEntry(operator, { ...NONE, actorEmails: ['ada@example.com'] }), false);
  assert.equal(matchesEntry(operator, { ...NONE, actorIds: ['ada'] }), true);
});
