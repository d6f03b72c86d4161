import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CreateTableCommand, GetItemCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { dynamoSlowSteps } from '../../../functions/adapters/dynamo-slow-steps.ts';
import type { SlowStep } from '../../../functions/domain/share.ts';
import { emulated } from '../../lib/local/emulators/emulated.ts';

const cloud = await emulated();
after(() => cloud.end());
const client = cloud.clients.dynamo;

const NOW = Date.UTC(2026, 0, 1);
const UNTIL = NOW + 60_000;

const emptyTable = async (TableName: string) => {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName });
  const steps = dynamoSlowSteps(client, TableName, 10);
  const attributes = async () => {
    const { Item = {} } = await client.send(
      new GetItemCommand({ TableName, Key: { id: { S: 'slow-steps' } } }),
    );
    return Object.keys(Item).sort();
  };
  return { steps, attributes };
};

const step = (account: string, number: number, until = UNTIL): SlowStep => ({
  owner: account,
  id: `${account} ${number}`,
  until,
});
const several = (account: string, count: number) =>
  Array.from({ length: count }, (_, number) => step(account, number));

test('of 30 steps at once, those of one account begin on half of the workers, and others find room', async () => {
  const { steps, attributes } = await emptyTable('crowd');
  const begun = await Promise.all(several('a', 30).map((each) => steps.begin(each, NOW)));
  assert.equal(begun.filter(Boolean).length, 5);
  assert.equal(await steps.begin(step('b', 0), NOW), true);
  assert.equal(await steps.begin(step('a', 99), NOW), false);
  await Promise.all([...several('a', 30), step('b', 0)].map(steps.end));
  assert.deepEqual(await attributes(), ['id']);
});

test('a step that ends makes room, also when it is told twice', async () => {
  const { steps } = await emptyTable('room');
  const held = several('a', 5);
  for (const each of held) assert.ok(await steps.begin(each, NOW));
  const [first = step('a', 0)] = held;
  await steps.end(first);
  await steps.end(first);
  assert.equal(await steps.begin(step('a', 10), NOW), true);
  assert.equal(await steps.begin(step('a', 11), NOW), false);
});

test('a step that begins twice counts once', async () => {
  const { steps, attributes } = await emptyTable('twice');
  for (let time = 0; time < 20; time += 1) assert.ok(await steps.begin(step('a', 0), NOW));
  await steps.end(step('a', 0));
  assert.deepEqual(await attributes(), ['id']);
});

test('what workers that died have left counts until its time is over, and is then taken away', async () => {
  const { steps, attributes } = await emptyTable('dead');
  for (const each of several('a', 5)) await steps.begin(each, NOW);
  await steps.begin(step('b', 0), NOW);
  const later = step('a', 10, UNTIL + 60_000);
  assert.equal(await steps.begin(later, UNTIL - 1), false);
  assert.equal(await steps.begin(later, UNTIL), true);
  assert.deepEqual(await attributes(), ['all', 'id', 'of a']);
});
