import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '../../../../functions/identity/adapters/audit-trail.ts';
import { dynamoAuditLog } from '../../../../functions/identity/adapters/dynamo-audit-log.ts';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import type { AuditQuery } from '../../../../functions/identity/domain/audit-log.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anAuditEntry, createAuditTable } from '../../../support/audit.ts';
import { strictLogger } from '../../../support/loggers.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const { table } = await createAuditTable(client, 'log');
const log = dynamoAuditLog(client, table, strictLogger);

const START = 1_800_000_000_000;
const NONE = { types: [], actorIds: [], actorEmails: [], resourceIds: [] };
const ALL: AuditQuery = { limit: 100, from: 0, to: START * 2, cursor: undefined, filter: NONE };

/** Ten entries a second apart, of which every third is a deletion by a signed-in person. */
const ENTRIES: readonly AuditEntry[] = Array.from({ length: 10 }, (_, position) => ({
  ...anAuditEntry({ account: 'acme', at: START + position * 1000, resourceId: `item_${position}` }),
  ...(position % 3 === 0
    ? {
        type: 'share.deleted' as const,
        actor: { kind: 'session', id: 'sess_1', personId: 'user_1', email: 'Ada@Example.com' } as const,
        details: { count: 2, on: true, none: null, list: ['a', 'b'], text: 'words' },
        ip: undefined,
      }
    : {}),
}));

const positions = (entries: readonly AuditEntry[]): number[] =>
  entries.map((entry) => ENTRIES.findIndex(({ id }) => id === entry.id));
const page = async (query: Partial<AuditQuery>, own = log, account = 'acme') => {
  const { items, hasMore, resumeAfter } = await own.page(account, { ...ALL, ...query });
  return { found: positions(items), hasMore, resumeAfter };
};
const RANGE = { from: START + 2000, to: START + 5000 };
const DELETIONS = { ...NONE, types: ['share.deleted'] } as const;
const at = (kind: 'after' | 'before', position: number) => ({ kind, id: ENTRIES[position]?.id ?? '' });

describe('the audit log', () => {
  before(async () => {
    for (const entry of [...ENTRIES, anAuditEntry({ account: 'other', at: START + 500 })])
      await client.send(new PutItemCommand({ TableName: table, Item: toItem(entry) }));
  });

  test('has all entries of an account, newest first, as they were written', async () => {
    const { items, hasMore } = await log.page('acme', ALL);
    assert.deepEqual([items, hasMore], [ENTRIES.toReversed(), false]);
    assert.deepEqual((await page({}, log, 'nobody')).found, []);
  });

  for (const [title, query, found, hasMore] of [
    ['a page', { limit: 3 }, [9, 8, 7], true],
    ['the last entries of a page that ends exactly', { limit: 10 }, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0], false],
    ['the page after an entry', { limit: 3, cursor: at('after', 7) }, [6, 5, 4], true],
    ['the page after the last but one', { limit: 3, cursor: at('after', 1) }, [0], false],
    ['the page after the last one', { cursor: at('after', 0) }, [], false],
    ['the page before an entry', { limit: 3, cursor: at('before', 4) }, [7, 6, 5], true],
    ['the first page before an entry', { limit: 3, cursor: at('before', 7) }, [9, 8], false],
    ['nothing before the first one', { cursor: at('before', 9) }, [], false],
    ['a range', RANGE, [4, 3, 2], false],
    ['a range after an entry in it', { ...RANGE, cursor: at('after', 3) }, [2], false],
    ['a range after a newer entry', { ...RANGE, cursor: at('after', 8) }, [4, 3, 2], false],
    ['nothing of a range after an older entry', { ...RANGE, cursor: at('after', 1) }, [], false],
    ['a range before an entry in it', { ...RANGE, cursor: at('before', 3) }, [4], false],
    ['a range before an older entry', { ...RANGE, cursor: at('before', 0) }, [4, 3, 2], false],
    ['nothing of a range that ends before it starts', { from: START + 5000, to: START + 2000 }, [], false],
    ['keys', { filter: { ...NONE, actorIds: ['key_0123456789abcdef'] }, limit: 2 }, [8, 7], true],
    ['matches before an entry', { limit: 2, cursor: at('before', 0), filter: DELETIONS }, [6, 3], true],
    ['no match', { filter: { ...NONE, types: ['share.created'], actorIds: ['user_1'] } }, [], false],
  ] as const satisfies readonly (readonly [string, Partial<AuditQuery>, readonly number[], boolean])[])
    test(`selects ${title}`, async () => {
      const { found: actual, hasMore: more } = await page(query);
      assert.deepEqual([actual, more], [found, hasMore]);
    });

  test('accepts the cursor of another account as a time, and shows nothing of that account', async () => {
    const { items } = await log.page('other', ALL);
    const id = items[0]?.id ?? '';
    assert.deepEqual((await page({ cursor: { kind: 'after', id } })).found, [0]);
  });

  test('continues where it stopped when a filter matches too little', async () => {
    // Each query reads 2 items, as if they were large, and only one query is made.
    const send = client.send.bind(client);
    const small = Object.assign(Object.create(client), {
      send: (command: object) => {
        Object(command).input.Limit = 2;
        return send(Object(command));
      },
    });
    const bounded = dynamoAuditLog(small, table, strictLogger, 1);
    const found: number[] = [];
    let cursor: AuditQuery['cursor'];
    for (let pages = 0; ; pages += 1) {
      assert.ok(pages < 10, 'the list has an end');
      const next = await page({ filter: DELETIONS, cursor }, bounded);
      found.push(...next.found);
      if (!next.hasMore) break;
      cursor = { kind: 'after', id: next.resumeAfter ?? '' };
    }
    assert.deepEqual(found, [9, 6, 3, 0]);
  });
});
