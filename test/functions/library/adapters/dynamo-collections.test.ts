import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dynamoCollectionChanges,
  dynamoCollections,
} from '../../../../functions/library/adapters/dynamo-collections.ts';
import type { Collection } from '../../../../functions/library/domain/collections.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { dynamoTable } from '../../../../functions/platform/aws/table.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anAuditEntry, createAuditTable } from '../../../support/audit.ts';
import { createTable } from '../../../support/create-table.ts';
import { recordingLogger } from '../../../support/loggers.ts';

const { clients } = await sharedEmulators();
const table = 'collections';
await createTable(clients.dynamo, table, ['account', 'id']);
const { audit } = await createAuditTable(clients.dynamo, table);
const { logger, errors } = recordingLogger();
const collections = {
  ...dynamoCollections(clients.dynamo, table, logger),
  ...dynamoCollectionChanges(table, audit),
};

const aCollection = (account: string, change: Partial<Collection> = {}): Collection => ({
  id: 'collection_1',
  account,
  name: 'Boats',
  itemIds: ['task_1', 'file_2'],
  coverId: 'file_2',
  createdAt: 1,
  updatedAt: 2,
  ...change,
});

test('collections of an account are found and listed, without files and unreadable ones', async () => {
  const first = aCollection('lister');
  const second = aCollection('lister', { id: 'collection_2', itemIds: [], coverId: undefined });
  for (const each of [second, first, aCollection('other')]) await collections.create(each, anAuditEntry());
  const { itemIds: _, ...broken } = aCollection('lister', { id: 'collection_3' });
  const { put } = dynamoTable(clients.dynamo, table);
  for (const item of [broken, { account: 'lister', id: 'file_1' }]) await put(encode(item));
  assert.deepEqual(await collections.list('lister'), [first, second]);
  const lines = errors.map(({ event, fields }) => [event, fields]);
  assert.deepEqual(lines, [['item not readable', { table, key: 'lister/collection_3' }]]);
  assert.deepEqual(await collections.find('lister', 'collection_1'), first);
  assert.equal(await collections.find('lister', 'collection_4'), undefined);
});

test('a collection changes only if it is as it was read', async () => {
  const read = aCollection('changer');
  const next = { ...read, name: 'Ships', updatedAt: 3 };
  await collections.create(read, anAuditEntry());
  await assert.rejects(collections.create(read, anAuditEntry()), /taken/);
  assert.equal(await collections.replace(next, read, anAuditEntry()), true);
  assert.equal(await collections.replace(next, read, anAuditEntry()), false);
  assert.deepEqual(await collections.find('changer', read.id), next);
  assert.equal(await collections.remove(read, anAuditEntry()), false);
  assert.equal(await collections.remove(next, anAuditEntry()), true);
  assert.equal(await collections.find('changer', read.id), undefined);
});
