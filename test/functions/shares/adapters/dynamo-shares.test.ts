import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import {
  dynamoNewShares,
  dynamoSharePages,
  dynamoShareRemoval,
  dynamoShares,
} from '../../../../functions/shares/adapters/dynamo-shares.ts';
import { newShare, type Share } from '../../../../functions/shares/domain/share.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anAuditEntry, createAuditTable } from '../../../support/audit.ts';
import { createTable } from '../../../support/create-table.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { readPlainItem } from '../../../support/plain-item.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const table = 'shares';
await createTable(client, table, ['id'], { indexes: { 'by-account': { keys: ['account', 'id'] } } });

const { audit } = await createAuditTable(client, 'shares');
/** Nobody is a member of any account. */
const members = { find: async () => undefined };
const shares = {
  ...dynamoShares(client, table),
  ...dynamoSharePages(client, table, strictLogger, members),
  ...dynamoNewShares(client, table, strictLogger, { audit, members }),
  ...dynamoShareRemoval(table, audit),
};
const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const aShare = (account: string, change: Partial<Share> = {}): Share =>
  newShare({
    account,
    keyId: 'key',
    personId: undefined,
    item: { kind: 'video', id: 'task_1', createdAt: 1 },
    showsPrompt: true,
    createdAt: NOW,
    expiresAt: NOW + HOUR,
    ...change,
  }).share;
const added = async (account: string, change?: Partial<Share>): Promise<Share> => {
  const share = aShare(account, change);
  assert.equal(await shares.add(share, anAuditEntry()), true);
  return share;
};
const ALL = { limit: 100, after: undefined, item: undefined };
const list = async (account: string, query = {}, now = NOW) => {
  const page = await shares.page(account, { ...ALL, ...query }, now);
  return [page.items.map(({ id }) => id), page.hasMore] as const;
};
const counterId = (account: string) => `count#${account}`;
const counter = (account: string) => readPlainItem(client, table, { id: counterId(account) });
const setCount = (account: string, live: number) =>
  client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: encode({ id: counterId(account) }),
      UpdateExpression: 'SET live = :live',
      ExpressionAttributeValues: encode({ ':live': live }),
    }),
  );

describe('shares', () => {
  test('are found by their id, and expire with their item', async () => {
    const share = await added('finder');
    assert.deepEqual(await shares.find(share.id), share);
    const { expires } = await readPlainItem(client, table, { id: share.id });
    assert.equal(expires, (NOW + HOUR) / 1000);
    assert.equal(await shares.find('share_missing'), undefined);
    await assert.rejects(shares.add(share, anAuditEntry()), /taken/);
  });

  test('are listed newest first, by page, by item and only while they are live', async () => {
    const image = { kind: 'image', id: 'file_1', createdAt: 1 } as const;
    const first = await added('lister', { createdAt: NOW - 2 });
    const second = await added('lister', { createdAt: NOW - 1, item: image });
    const third = await added('lister', { expiresAt: NOW + 1 });
    await added('other');
    assert.deepEqual(await list('lister'), [[third.id, second.id, first.id], false]);
    assert.deepEqual(await list('lister', { limit: 2 }), [[third.id, second.id], true]);
    assert.deepEqual(await list('lister', { after: third.id }), [[second.id, first.id], false]);
    assert.deepEqual(await list('lister', {}, NOW + 1), [[second.id, first.id], false]);
    assert.deepEqual(await list('lister', { item: { kind: 'image', id: 'file_1' } }), [[second.id], false]);
    assert.deepEqual(await list('lister', { item: { kind: 'video', id: 'file_1' } }), [[], false]);
  });

  test('are removed once, by their account, while they are live', async () => {
    const share = await added('remover');
    assert.equal(await shares.remove('other', share.id, NOW, anAuditEntry()), false);
    assert.equal(await shares.remove('remover', share.id, NOW + HOUR, anAuditEntry()), false);
    assert.equal(await shares.remove('remover', share.id, NOW, anAuditEntry()), true);
    assert.equal(await shares.remove('remover', share.id, NOW, anAuditEntry()), false);
    assert.equal(await shares.find(share.id), undefined);
    assert.equal((await counter('remover')).live, 0);
  });

  test('of which one is corrupt are reported', async () => {
    const id = aShare('corrupted').id;
    await client.send(new PutItemCommand({ TableName: table, Item: encode({ id, account: 'corrupted' }) }));
    await assert.rejects(shares.find(id), /corrupt/);
  });
});

describe('the limit of shares', () => {
  test('does not count links whose creator may not share any more, and lists none of them', async () => {
    const { add } = dynamoNewShares(client, table, strictLogger, { audit, members, most: 2 });
    for (let made = 0; made < 2; made += 1)
      assert.equal(await add(aShare('left', { personId: 'user_gone' }), anAuditEntry()), true);
    const kept = aShare('left');
    assert.equal(await add(kept, anAuditEntry()), true);
    assert.deepEqual(await list('left'), [[kept.id], false]);
  });

  test('holds even if many are created at once', async () => {
    const { add } = dynamoNewShares(client, table, strictLogger, { audit, members, most: 5 });
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => add(aShare('greedy'), anAuditEntry())),
    );
    assert.equal(outcomes.filter((isAdded) => isAdded).length, 5);
    const [[first = '']] = await list('greedy');
    assert.equal(await shares.remove('greedy', first, NOW, anAuditEntry()), true);
    assert.deepEqual(
      [await add(aShare('greedy'), anAuditEntry()), await add(aShare('greedy'), anAuditEntry())],
      [true, false],
    );
    assert.equal((await list('greedy'))[0].length, 5);
  });

  test('counts again when it is reached, because links expire without notice', async () => {
    await added('patient', { expiresAt: NOW });
    const live = await added('patient');
    await setCount('patient', 1000);
    await added('patient');
    assert.equal((await counter('patient')).live, 2);
    assert.equal((await list('patient'))[0].length, 2);
    assert.equal(await shares.remove('patient', live.id, NOW, anAuditEntry()), true);
  });

  test('outlives every link that it counts', async () => {
    await added('lasting');
    assert.equal((await counter('lasting')).expires, NOW / 1000 + 604_800);
  });
});
