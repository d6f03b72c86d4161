import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CreateTableCommand, GetItemCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { dynamoQueueAges } from '../../../../functions/videos/adapters/dynamo-queue-ages.ts';
import { emulated } from '../../../lib/local/emulators/emulated.ts';

const cloud = await emulated();
after(() => cloud.end());
const client = cloud.clients.dynamo;
const TableName = 'tasks';
await client.send(
  new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  }),
);
await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.02, maxDelay: 0.1 }, { TableName });
const ages = dynamoQueueAges(client, TableName);

const NOTHING = { onTime: false, late: new Map<string, number>() };

test('a minute without a record is unknown', async () => {
  assert.equal(await ages.read(1), undefined);
});

test('the records of several workers add up, and the latest value of a slot counts', async () => {
  await ages.record(2, { onTime: true, late: new Map([['7', 100]]) });
  await ages.record(2, {
    ...NOTHING,
    late: new Map([
      ['7', 200],
      ['1023', 300],
    ]),
  });
  const expected = new Map([
    ['7', 200],
    ['1023', 300],
  ]);
  assert.deepEqual(await ages.read(2), { onTime: true, late: expected, stalledSince: undefined });
});

test('a queue that stands still is recorded with its time', async () => {
  await ages.record(3, { ...NOTHING, stalledSince: 1000 });
  assert.deepEqual(await ages.read(3), { ...NOTHING, stalledSince: 1000 });
});

test('a record of more accounts than an expression holds is cut, not refused', async () => {
  const late = new Map(Array.from({ length: 1024 }, (_, slot) => [String(slot), 1_794_801_338_528]));
  await ages.record(4, { onTime: true, late });
  assert.equal((await ages.read(4))?.late.size, 150);
});

test('a record expires an hour after its minute, and is in no index', async () => {
  const minute = 29_000_000;
  await ages.record(minute, { ...NOTHING, onTime: true });
  const Key = { id: { S: `queue-age-${minute}` } };
  const { Item } = await client.send(new GetItemCommand({ TableName, Key }));
  assert.deepEqual(Item, { ...Key, on_time: { N: '1' }, expires: { N: String(minute * 60 + 3600) } });
});
