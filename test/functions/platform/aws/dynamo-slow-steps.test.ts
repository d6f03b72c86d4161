import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CreateTableCommand, GetItemCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { dynamoSlowSteps } from '../../../../functions/platform/aws/dynamo-slow-steps.ts';
import {
  type SlowStep,
  type SlowSteps,
  slotShares,
  workerShares,
} from '../../../../functions/platform/domain/fair-share.ts';
import { emulated } from '../../../lib/local/emulators/emulated.ts';

const cloud = await emulated();
after(() => cloud.end());
const client = cloud.clients.dynamo;

const NOW = Date.UTC(2026, 0, 1);
const UNTIL = NOW + 60_000;

const emptyTable = async (TableName: string, shares = workerShares(10)) => {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.02, maxDelay: 0.1 }, { TableName });
  const steps = dynamoSlowSteps(client, TableName, shares);
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

describe('slots', () => {
  const tries = (account: string, endpoints: number, count: number, isFailing = false): SlowStep[] =>
    Array.from({ length: count }, (_, number) => ({
      ...step(account, number),
      part: `${account}-endpoint-${number % endpoints}`,
      isFailing,
    }));
  const beginAll = async (steps: SlowSteps, wanted: readonly SlowStep[]): Promise<SlowStep[]> => {
    const begun = await Promise.all(wanted.map((each) => steps.begin(each, NOW)));
    return wanted.filter((_, position) => begun[position]);
  };

  test('that ten accounts with four endpoints want at once are given to five tries, and end with them', async () => {
    const { steps, attributes } = await emptyTable('slots', slotShares(10));
    const wanted = Array.from({ length: 10 }, (_, account) => tries(`a${account}`, 4, 4)).flat();
    const begun = await beginAll(steps, wanted);
    assert.equal(begun.length, 5);
    assert.equal(await steps.begin(step('another', 0), NOW), false);
    for (const each of begun) assert.equal(await steps.begin(each, NOW), true, 'the same try counts once');
    await Promise.all(begun.map(steps.end));
    assert.deepEqual(await attributes(), ['id']);
  });

  test('leave room beside endpoints that fail for those that do not', async () => {
    const { steps } = await emptyTable('failing', slotShares(10));
    const failing = Array.from({ length: 10 }, (_, account) => tries(`f${account}`, 10, 3, true)).flat();
    assert.equal((await beginAll(steps, failing)).length, 3);
    assert.equal((await beginAll(steps, tries('well', 2, 4))).length, 1);
    assert.equal((await beginAll(steps, tries('other', 2, 4))).length, 1);
  });

  for (const [endpoints, held] of [
    [1, 2],
    [10, 3],
  ] as const)
    test(`of one account with ${endpoints} endpoints are ${held}`, async () => {
      const { steps } = await emptyTable(`endpoints-${endpoints}`, slotShares(10));
      assert.equal((await beginAll(steps, tries('a', endpoints, 20))).length, held);
    });

  test('that workers that died have left are free when their time is over', async () => {
    const { steps, attributes } = await emptyTable('dead-slots', slotShares(10));
    for (const account of ['a', 'b', 'c', 'd', 'e']) await beginAll(steps, tries(account, 1, 1));
    const later = { ...step('f', 0, UNTIL + 60_000), part: 'f-endpoint-0' };
    assert.equal(await steps.begin(later, UNTIL - 1), false);
    assert.equal(await steps.begin(later, UNTIL), true);
    assert.deepEqual(await attributes(), ['all', 'id', 'of f', 'part f-endpoint-0']);
  });
});
