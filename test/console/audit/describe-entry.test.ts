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

const ID = '01m7nw7psr80hqtw5dkt9k2mg1';
const EXPIRY = '2026-12-01T09:30:00.000Z';

for (const [title, described, sentence, facts] of [
  [
    'names the item, and its facts the other details',
    entry('api_key.created', { name: 'website', owner: 'acme' }),
    'Created the API key “website”',
    [['owner', 'acme']],
  ],
  [
    'names an item without a name by its id',
    entry('video.deleted', { model: 'veo' }),
    'Deleted the video resource_1',
    [['model', 'veo']],
  ],
  [
    'shows times as elsewhere, and ids by their end',
    entry('share.created', { id: `share_${ID}`, video_id: `task_${ID}`, expires_at: EXPIRY }),
    'Created the share link share_…9k2mg1',
    [
      ['video id', 'task_…9k2mg1'],
      ['expires at', formatTime(Date.parse(EXPIRY) / 1000)],
    ],
  ],
  [
    'shows a change with the value before and after',
    entry('user.updated', { email: 'ada@example.com', role_from: 'viewer', role_to: 'member' }),
    'Changed the role of ada@example.com',
    [['role', 'viewer → member']],
  ],
  [
    'shows that there was no value',
    entry('rate_limit.updated', { monthly_budget_from: null, monthly_budget_to: '20' }),
    'Changed the limits of the account',
    [['monthly budget', 'none → 20']],
  ],
] as const)
  test(`a sentence ${title}`, () => assert.deepEqual(describeEntry(described), { sentence, facts }));

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
