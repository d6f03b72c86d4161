import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientName, describeEntry } from '../../../console/audit/describe-entry.ts';
import { formatTime } from '../../../console/parts/format.ts';
import type { AuditLogObject } from '../../../functions/identity/api/audit-log-object.ts';

const entry = (type: AuditLogObject['type'], details: Readonly<Record<string, unknown>>): AuditLogObject => ({
  object: 'organization.audit_log',
  id: 'audit_log-1',
  project: { id: 'acme', name: 'acme' },
  type,
  effective_at: 0,
  actor: { type: 'operator' },
  ...{ [type]: { id: 'resource_1', ...details } },
});

test('a sentence names the item, and the facts show the other details', () => {
  assert.deepEqual(describeEntry(entry('api_key.created', { name: 'website', owner: 'acme' })), {
    sentence: 'Created the API key “website”',
    facts: [['owner', 'acme']],
  });
});

test('an item without a name is named by its id', () => {
  assert.deepEqual(describeEntry(entry('video.deleted', { model: 'veo' })), {
    sentence: 'Deleted the video resource_1',
    facts: [['model', 'veo']],
  });
});

test('times are shown as elsewhere, and ids by their end', () => {
  const { sentence, facts } = describeEntry(
    entry('share.created', {
      id: 'share_01m7nw7psr80hqtw5dkt9k2mg1',
      video_id: 'task_01m7nw7psr80hqtw5dkt9k2mg1',
      expires_at: '2026-12-01T09:30:00.000Z',
    }),
  );
  assert.equal(sentence, 'Created the share link share_…9k2mg1');
  assert.deepEqual(facts, [
    ['video id', 'task_…9k2mg1'],
    ['expires at', formatTime(Date.UTC(2026, 11, 1, 9, 30) / 1000)],
  ]);
});

test('a change shows the value before and after', () => {
  const { sentence, facts } = describeEntry(
    entry('user.updated', { email: 'ada@example.com', role_from: 'viewer', role_to: 'member' }),
  );
  assert.equal(sentence, 'Changed the role of ada@example.com');
  assert.deepEqual(facts, [['role', 'viewer → member']]);
  assert.deepEqual(
    describeEntry(entry('rate_limit.updated', { monthly_budget_from: null, monthly_budget_to: '20' })).facts,
    [['monthly budget', 'none → 20']],
  );
});

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0';
const CLIENTS = [
  [`${WINDOWS} Safari/537.36`, 'Chrome, Windows'],
  [`${WINDOWS} Safari/537.36 Edg/130.0`, 'Edge, Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox, Linux'],
  ['OpenAI/JS 7.53.0', 'OpenAI/JS'],
  ['', ''],
] as const;
for (const [userAgent, name] of CLIENTS)
  test(`the client ${userAgent} is shown as ${name}`, () => assert.equal(clientName(userAgent), name));
