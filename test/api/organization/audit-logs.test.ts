import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import OpenAI from 'openai';
import type { AuditLogListParams } from 'openai/resources/admin/organization/audit-logs';
import { toItem } from '../../../functions/identity/adapters/audit-trail.ts';
import type { AuditEntry } from '../../../functions/identity/domain/audit.ts';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { stackOutput } from '../../../lib/operator/operated-stack.ts';
import { anAuditEntry } from '../../support/audit.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const stack = { clientConfig: service.operator, outputs: service.outputs };
const dynamo = new DynamoDBClient(service.operator);
const DAY = 86_400_000;
/** A whole second, long enough ago to leave later times free. */
const START = Math.floor(Date.now() / 1000) * 1000 - 10 * DAY;

const store = async (entry: AuditEntry): Promise<AuditEntry> => {
  const TableName = stackOutput(stack, 'AuditTableName');
  await dynamo.send(new PutItemCommand({ TableName, Item: toItem(entry) }));
  return entry;
};

const openAccount = async () => {
  const account = `audit-${randomUUID()}`;

  const adminAPIKey = await issueApiKey(stack, { account, name: 'auditor', kind: 'admin' });
  const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, adminAPIKey, maxRetries: 0 });
  return { account, adminAPIKey, logs: client.admin.organization.auditLogs };
};

const own = await openAccount();
const PERSON = { kind: 'session', id: 'sess_1', personId: 'user_1', email: 'ada@example.com' } as const;

/** Seven entries, one a day; the types and people alternate. */
const ENTRIES: readonly AuditEntry[] = Array.from({ length: 7 }, (_, day) => ({
  ...anAuditEntry({
    account: own.account,
    at: START + day * DAY + 999,
    resourceId: `item_${day}`,
    ...(day % 2 === 0 ? { type: 'invite.sent' as const } : {}),
  }),
  ...(day % 3 === 0 ? { actor: PERSON } : {}),
}));
const seconds = (day: number): number => (START + day * DAY) / 1000;

/** Issuing the admin key may be recorded too. */
const days = async (query: AuditLogListParams): Promise<number[]> =>
  (await Array.fromAsync(own.logs.list(query)))
    .map(({ id }) => ENTRIES.findIndex((entry) => entry.id === id))
    .filter((day) => day >= 0);

describe('auditLogs.list of the SDK', () => {
  before(async () => {
    for (const entry of ENTRIES) await store(entry);
    await store({ ...anAuditEntry({ account: own.account, at: Date.now() - 401 * DAY }) });
  });

  test('returns entries in the shape of the SDK', async () => {
    const page = await own.logs.list({ resource_ids: ['item_6'] });
    const [entry] = page.data;
    assert.deepEqual(entry, {
      object: 'organization.audit_log',
      id: ENTRIES[6]?.id,
      type: 'invite.sent',
      effective_at: seconds(6),
      project: { id: own.account, name: own.account },
      actor: {
        type: 'session',
        session: {
          id: 'sess_1',
          user: { id: 'user_1', email: 'ada@example.com' },
          ip_address: '192.0.2.1',
          user_agent: 'a test',
        },
      },
      'invite.sent': { id: 'item_6' },
    });
    assert.equal(entry?.actor?.session?.user?.email, 'ada@example.com');
    assert.deepEqual([page.data.length, page.has_more, page.last_id], [1, false, ENTRIES[6]?.id]);
  });

  test('reads all pages, without entries older than 400 days', async () => {
    for (const limit of [1, 3, 100])
      assert.deepEqual(await days({ limit }), [6, 5, 4, 3, 2, 1, 0], `limit ${limit}`);
  });

  const FILTERS: readonly (readonly [AuditLogListParams, readonly number[]])[] = [
    [{ event_types: ['invite.sent'] }, [6, 4, 2, 0]],
    [{ actor_ids: ['user_1'] }, [6, 3, 0]],
    [{ effective_at: { gt: seconds(5) }, event_types: ['invite.sent'], actor_ids: ['user_1'] }, [6]],
  ];
  for (const [filter, expected] of FILTERS)
    test(`filters by ${JSON.stringify(filter).replace(own.account, 'own')}`, async () => {
      for (const limit of [1, 100]) assert.deepEqual(await days({ ...filter, limit }), expected);
    });
});

describe('the audit log', () => {
  test('of another account is not shown, whatever is asked for', async () => {
    const other = await openAccount();
    const foreign = ENTRIES[3]?.id ?? '';
    for (const query of [
      {},
      { project_ids: [own.account] },
      { resource_ids: ['item_3'] },
      { before: foreign },
      { after: ENTRIES[6]?.id ?? '' },
    ]) {
      const found = await Array.fromAsync(other.logs.list(query));
      assert.deepEqual(
        found.filter(({ id }) => ENTRIES.some((entry) => entry.id === id)),
        [],
      );
    }
  });
});
