import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoFileCleanUp, dynamoFiles } from '../../../../functions/files/adapters/dynamo-files.ts';
import { dynamoUploads } from '../../../../functions/files/adapters/dynamo-uploads.ts';
import type { FileCleanUp, FileRepository } from '../../../../functions/files/domain/files.ts';
import { sha256, type UploadRepository } from '../../../../functions/files/domain/uploads.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aFile } from '../../../support/builders/file.ts';
import { describeStores } from '../../../support/contract.ts';
import { createTable } from '../../../support/create-table.ts';
import { MemoryFiles } from '../../../support/in-memory/files.ts';
import { MemoryUploads } from '../../../support/in-memory/uploads.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { readPlainItem } from '../../../support/plain-item.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;

type Stores = {
  readonly files: Omit<FileRepository, 'page'> & FileCleanUp;
  readonly uploads: UploadRepository;
  /** The bytes that count for the account. */
  readonly used: () => Promise<number>;
};

let opened = 0;
const stores: Record<'memory' | 'dynamo', () => Promise<Stores>> = {
  memory: async () => {
    const files = new MemoryFiles();
    return { files, uploads: new MemoryUploads(files), used: async () => files.used('acme') };
  },
  dynamo: async () => {
    opened += 1;
    const TableName = `file-stores-${opened}`;
    const indexes = { due: { keys: ['due_shard', 'due_at'] as const } };
    await createTable(client, TableName, ['account', 'id'], { indexes, numbers: ['due_at'] });
    return {
      files: { ...dynamoFiles(client, TableName), ...dynamoFileCleanUp(client, TableName, strictLogger) },
      uploads: dynamoUploads(client, TableName),
      used: async () =>
        Number((await readPlainItem(client, TableName, { account: 'acme', id: 'storage' })).bytes),
    };
  },
};

/** Without fields that are undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const file = aFile({ mimeType: 'application/octet-stream', arrived: false });
const upload = { file, secretHash: 'hash', hasKnownLength: false, chunks: [] };
const content = { bytes: 70, mimeType: 'image/png', sha256: 'content' };
const settled = { ...content, lastSha256: 'last bytes' };

describeStores('files and uploads', stores, (openStores) => {
  const open = async () => {
    const { files, uploads, used } = await openStores();
    const listDue = async (until: number) =>
      (await Array.fromAsync(files.due(until))).map(({ file: due, removed }) => [due.id, removed]);
    return { files, uploads, used, listDue };
  };

  test('an upload is a file with chunks until its content is settled, once', async () => {
    const { files, uploads, used, listDue } = await open();
    assert.deepEqual(await uploads.create(upload, 400), { created: true });
    assert.deepEqual(await uploads.create({ ...upload, file: { ...file, id: 'file_2' } }, 799), {
      created: false,
      usedBytes: 400,
    });
    assert.deepEqual([await listDue(4_500_999), await listDue(4_501_000)], [[], [[file.id, false]]]);
    assert.deepEqual(plain(await uploads.find('acme', file.id)), plain(upload));
    assert.equal(await uploads.find('other', file.id), undefined);

    const first = { offset: 0, bytes: 30, sha256: sha256('a') };
    assert.equal(await uploads.addChunk(upload, first), true);
    assert.equal(await uploads.addChunk(upload, first), false);
    const second = { offset: 30, bytes: 20, sha256: sha256('b') };
    assert.equal(await uploads.addChunk(upload, { ...second, offset: 29 }), false);
    assert.equal(await uploads.addChunk(upload, second), true);
    const current = (await uploads.find('acme', file.id)) ?? assert.fail();
    assert.deepEqual(current.chunks, [first, second]);

    assert.equal(await uploads.settle(upload, settled), false, 'chunks have arrived since');
    assert.equal(await uploads.settle(current, settled), true);
    assert.equal(await used(), 70);
    assert.equal(await uploads.settle(current, { ...settled, bytes: 71 }), false);
    assert.equal(await uploads.addChunk(current, { offset: 50, bytes: 1, sha256: '' }), false);
    assert.equal(await used(), 70);
    const finished = (await uploads.find('acme', file.id)) ?? assert.fail();
    assert.deepEqual(plain(finished.file), { ...file, ...content });
    assert.equal(finished.lastSha256, 'last bytes');
    assert.equal(await files.markArrived(finished.file), true);
    assert.equal((await uploads.find('acme', file.id))?.file.arrived, true);
    assert.deepEqual([await listDue(89_999_999), await listDue(90_000_000)], [[], [[file.id, false]]]);
  });

  test('an upload that was removed, and a file that does not come in chunks, are not found', async () => {
    const { files, uploads, used } = await open();
    await uploads.create(upload, 1000);
    await files.remove(file, 99);
    assert.equal(await uploads.find('acme', file.id), undefined);
    assert.equal(await uploads.addChunk(upload, { offset: 0, bytes: 1, sha256: '' }), false);
    assert.equal(await uploads.settle(upload, settled), false);
    assert.equal(await used(), 400);
    await files.create({ ...file, id: 'file_2' }, 1000);
    assert.equal(await uploads.find('acme', 'file_2'), undefined);
  });

  test('content of the declared length changes no sum', async () => {
    const { uploads, used } = await open();
    const declared = { ...upload, hasKnownLength: true };
    await uploads.create(declared, 400);
    const found = await uploads.find('acme', file.id);
    assert.equal(found?.hasKnownLength, true);
    assert.equal(await uploads.settle(declared, { ...settled, bytes: 400 }), true);
    assert.equal(await used(), 400);
  });

  test('a file is created within the limit, and found by its account only', async () => {
    const { files, used } = await open();
    assert.deepEqual(await files.create(file, 399), { created: false, usedBytes: 0 });
    assert.deepEqual(await files.create(file, 400), { created: true });
    assert.deepEqual(await files.create({ ...file, id: 'file_2' }, 799), { created: false, usedBytes: 400 });
    assert.equal(await used(), 400);
    assert.deepEqual(plain(await files.find('acme', file.id)), file);
    assert.equal(await files.find('other', file.id), undefined);
    assert.equal(await files.find('acme', 'file_2'), undefined);
  });

  test('a removed file is not found, cannot arrive, and counts until it is forgotten, once', async () => {
    const { files, used, listDue } = await open();
    await files.create(file, 1000);
    assert.equal(await files.remove(file, 99), true);
    assert.equal(await files.remove(file, 999), false);
    assert.equal(await files.find(file.account, file.id), undefined);
    assert.equal(await files.markArrived(file), false);
    assert.equal(await used(), 400);
    assert.deepEqual([await listDue(98), await listDue(99)], [[], [[file.id, true]]]);
    await Promise.all([files.forget(file), files.forget(file)]);
    assert.deepEqual([await used(), await listDue(Number.MAX_SAFE_INTEGER)], [0, []]);
  });
});
