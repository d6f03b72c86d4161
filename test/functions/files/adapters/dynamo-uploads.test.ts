import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoFiles } from '../../../../functions/files/adapters/dynamo-files.ts';
import { dynamoUploads } from '../../../../functions/files/adapters/dynamo-uploads.ts';
import { sha256 } from '../../../../functions/files/domain/uploads.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { createTable } from '../../../support/create-table.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;

let opened = 0;
const openTable = async () => {
  opened += 1;
  const TableName = `uploads-${opened}`;
  await createTable(client, TableName, ['account', 'id']);
  const item = async (id: string) =>
    (await client.send(new GetItemCommand({ TableName, Key: encode({ account: 'acme', id }) }))).Item;
  const used = async () => Number((await item('storage'))?.bytes?.N);
  return {
    files: dynamoFiles(client, TableName),
    uploads: dynamoUploads(client, TableName),
    item,
    used,
  };
};

const file = {
  id: 'file_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'acme',
  name: 'a.png',
  bytes: 400,
  mimeType: 'application/octet-stream',
  purpose: 'vision',
  createdAt: 1000,
  expiresAt: 90_000_000,
  arrived: false,
} as const;
const upload = { file, secretHash: 'hash', hasKnownLength: false, chunks: [] };
/** The fields of generated images. */
const ABSENT = { output: undefined, title: undefined, unsettled: undefined };
const content = { bytes: 70, mimeType: 'image/png', sha256: 'content' };
const settled = { ...content, lastSha256: 'last bytes' };

test('an upload is a file with chunks until its content is settled, once', async () => {
  const table = await openTable();
  const { files, uploads, used, item } = table;
  assert.deepEqual(await uploads.create(upload, 400), { created: true });
  assert.deepEqual(await uploads.create({ ...upload, file: { ...file, id: 'file_2' } }, 799), {
    created: false,
    usedBytes: 400,
  });
  assert.equal((await item(file.id))?.due_at?.N, '4501000');
  const found = await uploads.find('acme', file.id);
  assert.deepEqual(found, {
    ...upload,
    file: { ...file, ...ABSENT, sha256: undefined },
    lastSha256: undefined,
  });
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
  assert.deepEqual(finished.file, { ...file, ...content, ...ABSENT });
  assert.equal(finished.lastSha256, 'last bytes');
  assert.equal(await files.markArrived(finished.file), true);
  assert.equal((await uploads.find('acme', file.id))?.file.arrived, true);
});

test('an upload that was removed, and a file that does not come in chunks, are not found', async () => {
  const table = await openTable();
  const { files, uploads, used } = table;
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
  const table = await openTable();
  const { uploads, used } = table;
  const declared = { ...upload, hasKnownLength: true };
  await uploads.create(declared, 400);
  assert.equal((await uploads.find('acme', file.id))?.hasKnownLength, true);
  assert.equal(await uploads.settle(declared, { ...settled, bytes: 400 }), true);
  assert.equal(await used(), 400);
});
