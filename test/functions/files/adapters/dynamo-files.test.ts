import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  dynamoKeptStorage,
  storageReturns,
  storageWrites,
} from '../../../../functions/billing/adapters/kept-storage.ts';
import {
  dynamoFileChanges,
  dynamoFileCleanUp,
  dynamoFileDeletion,
  dynamoFilePages,
  dynamoFiles,
  outputWrite,
  registeredFiles,
} from '../../../../functions/files/adapters/dynamo-files.ts';
import type {
  FileChange,
  FileChanges,
  FileDeletion,
  FilePageQuery,
  StoredFile,
} from '../../../../functions/files/domain/files.ts';
import { writeTogether } from '../../../../functions/platform/aws/contention.ts';
import { dynamoTable } from '../../../../functions/platform/aws/table.ts';
import { newFileId } from '../../../../functions/platform/domain/ids.ts';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { answeringDynamo } from '../../../support/answering-dynamo.ts';
import { anAuditEntry, createAuditTable } from '../../../support/audit.ts';
import { aFile, anOutput } from '../../../support/builders/file.ts';
import { createTable } from '../../../support/create-table.ts';
import { strictLogger } from '../../../support/loggers.ts';

const { clients } = await sharedEmulators();

const file = aFile({ createdAt: 0, expiresAt: 1, arrived: false });

const createFileTable = (TableName: string) =>
  createTable(clients.dynamo, TableName, ['account', 'id'], {
    indexes: { due: { keys: ['due_shard', 'due_at'] } },
    numbers: ['due_at'],
  });

describe('the files of an account', () => {
  const TableName = 'listed-files';
  const NOW = Date.UTC(2026, 0, 15);
  const output = anOutput({ personId: 'user_1' });
  /** Six files a second apart; the last two are generated images. */
  const stored = Array.from({ length: 6 }, (_, index): StoredFile => {
    const createdAt = NOW + index * 1000;
    const common = { id: newFileId(createdAt), createdAt, expiresAt: NOW + 60_000 };
    return aFile({ ...common, ...(index > 3 && { purpose: 'output', output }) });
  });
  const client = clients.dynamo;
  const pages = dynamoFilePages(client, TableName, strictLogger);
  const page = async (query: Partial<FilePageQuery>, now = NOW + 10_000) => {
    const given = { limit: 10, newestFirst: false, after: undefined, ...query };
    const { items, ...rest } = await pages.page('acme', given, now);
    return { ...rest, files: items.map((each) => stored.findIndex(({ id }) => id === each.id)) };
  };

  before(async () => {
    await createFileTable(TableName);
    for (const each of stored) await writeTogether(client, [outputWrite(TableName, each)]);
  });

  test('are listed in both directions, without those of other accounts', async () => {
    assert.deepEqual(await page({}), { files: [0, 1, 2, 3, 4, 5], hasMore: false, resumeAfter: undefined });
    assert.deepEqual((await page({ newestFirst: true })).files, [5, 4, 3, 2, 1, 0]);
    const { items } = await pages.page('other', { limit: 10, newestFirst: true, after: undefined }, NOW);
    assert.deepEqual(items, []);
    const query = { limit: 5, newestFirst: false, after: undefined };
    assert.partialDeepStrictEqual((await pages.page('acme', query, NOW)).items[4], stored[4]);
  });

  test('have pages that begin after a file', async () => {
    const first = await page({ limit: 2 });
    assert.deepEqual([first.files, first.hasMore], [[0, 1], true]);
    assert.deepEqual((await page({ limit: 2, after: stored[1]?.id })).files, [2, 3]);
    assert.deepEqual((await page({ limit: 6 })).hasMore, false);
    assert.deepEqual((await page({ newestFirst: true, after: stored[2]?.id })).files, [1, 0]);
  });

  test('are filtered by time, purpose and maker', async () => {
    const later = { createdFrom: NOW + 2000, createdBefore: NOW + 4000 };
    const [first, last] = [stored[0]?.id, stored[5]?.id];
    const CASES: readonly (readonly [FilePageQuery['filter'], readonly number[], Partial<FilePageQuery>?])[] =
      [
        [{ createdFrom: NOW + 2000 }, [2, 3, 4, 5]],
        [{ createdBefore: NOW + 2000 }, [0, 1]],
        [{ createdFrom: NOW + 2000, createdBefore: NOW + 1000 }, []],
        [{ purpose: 'output' }, [4, 5]],
        [{ model: output.model, keyId: 'key_1', personId: 'user_1' }, [4, 5]],
        [{ keyId: 'key_2' }, []],
        [later, [2, 3], { after: first }],
        [later, [], { after: last }],
        [later, [], { after: first, newestFirst: true }],
        [later, [3, 2], { after: last, newestFirst: true }],
      ];
    for (const [filter, files, query] of CASES)
      assert.deepEqual((await page({ filter, ...query })).files, files, JSON.stringify({ filter, query }));
    assert.deepEqual((await page({ filter: { purpose: 'vision' }, limit: 3 })).hasMore, true);
  });

  test('are not listed once they have expired', async () => {
    assert.deepEqual((await page({}, NOW + 59_999)).files.length, 6);
    assert.deepEqual((await page({}, NOW + 60_000)).files, []);
  });

  test('are on several pages if their prompts are long', async () => {
    const prompt = 'x'.repeat(350_000);
    const many = Array.from({ length: 12 }, (_, index) => {
      const createdAt = NOW + index;
      return { ...file, account: 'long', id: newFileId(createdAt), createdAt, output: { ...output, prompt } };
    });
    for (const each of many)
      await writeTogether(client, [outputWrite(TableName, { ...each, expiresAt: NOW + 1 })]);
    const query = { limit: 12, newestFirst: false, after: undefined };
    for (const filter of [undefined, { purpose: 'vision' }] as const) {
      const { items, hasMore } = await pages.page('long', { ...query, filter }, NOW);
      assert.deepEqual([items.length, hasMore], [9, true]);
    }
  });

  test('are due for the clean-up when they expire, and are told apart from removed ones', async () => {
    const cleanUp = dynamoFileCleanUp(client, TableName, strictLogger);
    const due = async (until: number) => {
      const found = await Array.fromAsync(cleanUp.due(until));
      return found.filter((each) => each.file.account === 'acme').map(({ removed }) => removed);
    };
    assert.deepEqual(await due(NOW + 59_999), []);
    assert.deepEqual(await due(NOW + 60_000), Array(6).fill(false));
    const image = { ...file, ...stored[5] };
    await dynamoFiles(client, TableName).remove(image, NOW);
    assert.deepEqual(await due(NOW + 59_999), [true]);
    await cleanUp.forget(image);
    assert.deepEqual(await due(NOW + 59_999), []);
    const used = await dynamoTable(client, TableName).get({ account: 'acme', id: 'storage' }, Object.keys);
    assert.equal(used, undefined, 'a generated image does not count');
  });
});

test('a filter that matches too little ends a page after 25 reads, where the next one continues', async (context) => {
  const answer = { Items: [], LastEvaluatedKey: { account: { S: 'acme' }, id: { S: 'file_9' } } };
  const { client, inputs } = answeringDynamo(context, ...Array(26).fill(answer));
  const query = { limit: 1, newestFirst: false, after: undefined, filter: { kept: true } };
  const page = await dynamoFilePages(client, 'files', strictLogger).page('acme', query, 0);
  assert.deepEqual(page, { items: [], hasMore: true, resumeAfter: 'file_9' });
  assert.equal(inputs.length, 25);
});

test('a file whose item is gone is not opened, and the item decides about its expiry', async () => {
  const opened = { bytes: 3, expiresAt: 5, read: async () => new Uint8Array(3), close: () => {} };
  const objects = { openFile: async () => opened };
  const find = async (_: string, id: string) => (id === file.id ? { ...file, expiresAt: 9 } : undefined);
  const files = registeredFiles(find, objects);
  assert.equal((await files.openFile(file))?.expiresAt, 9);
  assert.equal(await files.openFile({ account: 'acme', id: 'file_2' }), undefined);
});

describe('a change of a stored image', () => {
  const [TableName, ACCOUNTS] = ['changed-files', 'changed-files-accounts'];
  const client = clients.dynamo;
  const find = dynamoFiles(client, TableName).find;
  const kept = dynamoKeptStorage(client, ACCOUNTS);
  let changes: FileChanges;
  let deletion: FileDeletion;
  before(async () => {
    await createFileTable(TableName);
    await createTable(client, ACCOUNTS, ['account']);
    const { audit } = await createAuditTable(client, TableName);
    changes = dynamoFileChanges(TableName, audit, storageWrites(ACCOUNTS));
    deletion = dynamoFileDeletion(TableName, audit, storageReturns(ACCOUNTS));
  });
  const stored = async (account: string, change: Partial<StoredFile> = {}) => {
    const image: StoredFile = { ...file, account, id: newFileId(NOW), purpose: 'output', ...change };
    await writeTogether(client, [outputWrite(TableName, image)]);
    return image;
  };
  const NOW = Date.UTC(2026, 0, 15);

  const CASES: readonly (readonly [FileChange, title: string | undefined, expiresAt: number])[] = [
    [{ title: 'Boat' }, 'Boat', 1],
    [{ title: null }, undefined, 1],
    [{ title: 'Boat', expiresAt: NEVER, claimedUntil: 7 }, 'Boat', NEVER],
    [{ expiresAt: 9, claimedUntil: 7 }, 'Fox', 9],
  ];
  for (const [position, [change, title, expiresAt]] of CASES.entries())
    test(`is written: ${JSON.stringify(change)}`, async () => {
      const account = `changed-${position}`;
      const image = await stored(account, { title: 'Fox' });
      const storage = { account, bytes: 400, read: await kept.find(account), limitBytes: 400 };
      assert.equal(await changes.change(image, change, anAuditEntry(), storage), true);
      const unsettled = change.expiresAt === undefined ? undefined : true;
      assert.partialDeepStrictEqual(await find(account, image.id), { title, expiresAt, unsettled });
      assert.equal((await kept.find(account)).usedBytes, 400);
      const cleanUp = await Array.fromAsync(dynamoFileCleanUp(client, TableName, strictLogger).due(7));
      assert.ok(cleanUp.some((due) => due.file.id === image.id));
      const other = await stored(account);
      assert.equal(await changes.change(other, change, anAuditEntry(), storage), false, 'no room is left');
      assert.equal(await changes.change(other, change, anAuditEntry(), undefined), true);
    });

  test('is lost if the file has another end, is being changed, or was deleted', async () => {
    const image = await stored('lost');
    const title = (read: StoredFile) => changes.change(read, { title: 'a' }, anAuditEntry(), undefined);
    assert.equal(await title({ ...image, expiresAt: 2 }), false);
    await changes.change(image, { expiresAt: 9, claimedUntil: 7 }, anAuditEntry(), undefined);
    assert.deepEqual([await title(image), await title({ ...image, expiresAt: 9 })], [false, false]);
    const other = await stored('lost');
    assert.equal(await deletion.delete({ ...other, expiresAt: 2 }, 99, anAuditEntry()), false);
    assert.equal(await deletion.delete(other, 99, anAuditEntry()), true);
    assert.deepEqual([await title(other), await find('lost', other.id)], [false, undefined]);
  });

  test('returns the storage of a kept image that is deleted, and of no other', async () => {
    for (const [expiresAt, usedBytes] of [
      [NEVER, -400],
      [1, 0],
    ] as const) {
      const image = await stored(`deleted-${expiresAt}`, { expiresAt });
      assert.equal(await deletion.delete(image, 99, anAuditEntry()), true);
      assert.equal((await kept.find(image.account)).usedBytes, usedBytes);
    }
  });
});
