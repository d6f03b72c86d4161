import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { loadOperation, type Store } from '../../../../lib/local/emulators/dynamodb/dynalite.ts';
import { openStore } from '../../../../lib/local/emulators/dynamodb/store.ts';
import { ACCOUNT, REGION, temporaryFolder } from './emulated.ts';

const TableName = 'tasks';
const INDEX = 'index-global~tasks~by-lane~';

let folder: string;
let store: Store;

const open = () => openStore(folder, { region: REGION, accountId: ACCOUNT });

const run = (name: string, input: unknown): Promise<unknown> => {
  const operation = loadOperation(name);
  return operation.run(store, operation.validate(store, input));
};

before(async () => {
  folder = await temporaryFolder();
  store = await open();
  await run('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'lane', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-lane',
        KeySchema: [{ AttributeName: 'lane', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
});

after(async () => {
  await store.db.close();
  await rm(folder, { recursive: true, force: true });
});

const reopen = async () => {
  await store.db.close();
  store = await open();
};

const put = (id: string) => run('PutItem', { TableName, Item: { id: { S: id }, lane: { S: 'fast' } } });

const query = () =>
  run('Query', {
    TableName,
    IndexName: 'by-lane',
    KeyConditionExpression: 'lane = :lane',
    ExpressionAttributeValues: { ':lane': { S: 'fast' } },
  });

const indexEntries = async (): Promise<[string, unknown][]> => {
  const entries: [string, unknown][] = [];
  for await (const entry of store.db.iterator({ gte: INDEX, lt: `${INDEX}\xff` })) entries.push(entry);
  return entries;
};

test('activates a table that was being created when the last process ended', async () => {
  // Closed before the timer that would have activated it.
  await reopen();
  await put('one');
});

test('rebuilds an index with a missing and a superfluous entry', async () => {
  await put('two');
  const [first, second] = await indexEntries();
  assert.ok(first && second);
  await store.db.clear({ gte: first[0], lt: `${first[0]}\xff` });
  await store.db.batch([{ type: 'put', key: `${second[0]}0`, value: second[1] }]);
  await reopen();
  assert.deepEqual(await indexEntries(), [first, second]);
});

test('closes the iterator of each query', async () => {
  const values = store.db.values.bind(store.db);
  let [opened, closed] = [0, 0];
  store.db.values = (options) => {
    const iterator = values(options);
    const close = iterator.close.bind(iterator);
    opened++;
    iterator.close = () => {
      closed++;
      return close();
    };
    return iterator;
  };
  for (let count = 0; count < 10; count++) await query();
  await new Promise(setImmediate);
  assert.deepEqual([opened, closed], [10, 10]);
});
