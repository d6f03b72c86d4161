import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PutItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import {
  dynamoKeptStorage,
  storageReturns,
  storageWrites,
} from '../../../../functions/billing/adapters/kept-storage.ts';
import { formatBytes, monthlyStorageCost } from '../../../../functions/billing/domain/kept-storage.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { writeTogether } from '../../../../functions/platform/aws/contention.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { createTable } from '../../../support/create-table.ts';

const { clients } = await sharedEmulators();
const TABLE = 'kept-bytes';

/** False if a condition failed. */
const write = async (item: TransactWriteItem): Promise<boolean> =>
  (await writeTogether(clients.dynamo, [item])).length === 0;

test('kept bytes are counted up to the limit, as long as the limit is the one that was read', async () => {
  await createTable(clients.dynamo, TABLE, ['account']);
  const storage = dynamoKeptStorage(clients.dynamo, TABLE);
  const keep = async (
    account: string,
    bytes: number,
    limitBytes: number | undefined,
    ownMegabytes?: number,
  ) => write(storageWrites(TABLE)({ account, bytes, limitBytes, read: { usedBytes: 0, ownMegabytes } }));
  assert.deepEqual(await storage.find('acme'), { usedBytes: 0, ownMegabytes: undefined });
  assert.equal(await keep('acme', 60, 100), true);
  assert.equal(await keep('acme', 41, 100), false);
  assert.equal(await keep('acme', 40, 100), true);
  assert.equal(await keep('acme', 5, undefined), true);
  assert.equal(await keep('acme', 5, undefined, 7), false);
  assert.equal((await storage.find('acme')).usedBytes, 105);
  await write(storageReturns(TABLE)('acme', 60));
  assert.equal((await storage.find('acme')).usedBytes, 45);
  const Item = encode({ account: 'limited', keptMegabytes: 7 });
  await clients.dynamo.send(new PutItemCommand({ TableName: TABLE, Item }));
  assert.equal(await keep('limited', 5, 100), false);
  assert.equal(await keep('limited', 5, 100, 7), true);
  assert.deepEqual(await storage.find('limited'), { usedBytes: 5, ownMegabytes: 7 });
});

test('bytes are shown in the unit that fits, and cost whole cents', () => {
  for (const [bytes, shown, cost] of [
    [0, '0 KB', '0.00'],
    [1, '1 KB', '0.01'],
    [999_999, '1000 KB', '0.01'],
    [1_000_000, '1 MB', '0.01'],
    [12_450_000, '12.4 MB', '0.01'],
    [999_999_999, '1000 MB', '0.03'],
    [1_000_000_000, '1 GB', '0.03'],
    [10 * 2 ** 30, '10.7 GB', '0.23'],
    [500 * 2 ** 30, '537 GB', '11.50'],
  ] as const)
    assert.deepEqual([formatBytes(bytes), monthlyStorageCost(bytes)], [shown, cost]);
});
