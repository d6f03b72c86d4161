import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as DynamoDB from '@aws-sdk/client-dynamodb';
import { createTable } from '../../../support/create-table.ts';
import { configFor, errorName, sharedEmulators } from './emulated.ts';

const cloud = await sharedEmulators();
const client = new DynamoDB.DynamoDBClient({ ...configFor(cloud.emulators), maxAttempts: 1 });
for (const TableName of ['charges', 'accounts'])
  await createTable(client, TableName, ['id'], { indexes: { 'by-owner': { keys: ['owner'] } } });

const id = (value: string): Record<string, DynamoDB.AttributeValue> => ({ id: { S: value } });

const put = (value: string): DynamoDB.TransactWriteItem => ({
  Put: {
    TableName: 'charges',
    Item: { ...id(value), owner: { S: 'acme' } },
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

const add = (value: string, amount: string): DynamoDB.TransactWriteItem => ({
  Update: {
    TableName: 'accounts',
    Key: id(value),
    UpdateExpression: 'ADD spent :amount',
    ExpressionAttributeValues: { ':amount': { N: amount } },
  },
});

const transact = (TransactItems: DynamoDB.TransactWriteItem[], ClientRequestToken?: string) =>
  client.send(
    new DynamoDB.TransactWriteItemsCommand({
      TransactItems,
      ...(ClientRequestToken === undefined ? {} : { ClientRequestToken }),
    }),
  );

const read = async (TableName: string, value: string) =>
  (await client.send(new DynamoDB.GetItemCommand({ TableName, Key: id(value) }))).Item;

const spentBy = async (value: string) => (await read('accounts', value))?.spent?.N;

test('a transaction performs all writes, including those of indexes, and they survive a kill', async () => {
  await transact([put('one'), add('acme', '3.20')]);
  cloud.kill();
  await cloud.answering();
  assert.equal(await spentBy('acme'), '3.2');
  const { Items } = await client.send(
    new DynamoDB.QueryCommand({
      TableName: 'charges',
      IndexName: 'by-owner',
      KeyConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': { S: 'acme' } },
    }),
  );
  const ids = Items?.map((item) => item.id?.S);
  assert.deepEqual(ids, ['one']);
});

test('a failed condition cancels the whole transaction and is reported with its item', async () => {
  await transact([put('two')]);
  await assert.rejects(transact([add('untouched', '1'), put('two')]), (error) => {
    assert.ok(error instanceof DynamoDB.TransactionCanceledException);
    const [first, second] = error.CancellationReasons ?? [];
    assert.equal(first?.Code, 'None');
    assert.deepEqual([second?.Code, second?.Item?.id], ['ConditionalCheckFailed', { S: 'two' }]);
    return true;
  });
  assert.equal(await read('accounts', 'untouched'), undefined);
});

test('a condition check changes nothing', async () => {
  const check = (value: string): DynamoDB.TransactWriteItem => ({
    ConditionCheck: { TableName: 'charges', Key: id(value), ConditionExpression: 'attribute_exists(id)' },
  });
  await transact([put('checked')]);
  await transact([check('checked'), add('checker', '1')]);
  assert.notEqual(await read('charges', 'checked'), undefined);
  assert.equal(
    await errorName(transact([check('nobody'), add('checker', '1')])),
    'TransactionCanceledException',
  );
  assert.equal(await spentBy('checker'), '1');
});

test('requests with the same token are executed once; a different request is rejected', async () => {
  const token = crypto.randomUUID();
  await transact([add('token', '1')], token);
  await transact([add('token', '1')], token);
  assert.equal(await spentBy('token'), '1');
  assert.equal(await errorName(transact([add('token', '2')], token)), 'IdempotentParameterMismatchException');
});

test('a token that is in use is rejected, and can be used again after a failure', async () => {
  const others = Array.from({ length: 80 }, (_, position) => add(`beside ${position}`, '1'));
  // On a busy machine the first request may end before the others arrive, so that none is in use.
  let outcomes: readonly string[] = [];
  for (let round = 1; round <= 50 && !outcomes.includes('TransactionInProgressException'); round += 1) {
    const token = crypto.randomUUID();
    const write = () => transact([add('at once', '1'), ...others], token);
    outcomes = await Promise.all(Array.from({ length: 20 }, () => errorName(write())));
    assert.equal(await spentBy('at once'), String(round));
    await write();
    assert.equal(await spentBy('at once'), String(round));
  }
  assert.ok(outcomes.includes('TransactionInProgressException'), outcomes.join());

  const other = crypto.randomUUID();
  await transact([put('blocked')]);
  const blocked = [put('blocked'), add('unblocked', '1')];
  for (let tries = 0; tries < 2; tries += 1)
    assert.equal(await errorName(transact(blocked, other)), 'TransactionCanceledException');
});

test('rejects what AWS rejects', async () => {
  const REFUSED: readonly (readonly [DynamoDB.TransactWriteItem[], string])[] = [
    [[], 'ValidationException'],
    [Array.from({ length: 101 }, (_, position) => add(`n${position}`, '1')), 'ValidationException'],
    [[add('twice', '1'), add('twice', '1')], 'ValidationException'],
    [[{ ...put('both'), ...add('both', '1') }], 'ValidationException'],
    [[{}], 'ValidationException'],
    [[{ Put: { TableName: 'nowhere', Item: id('x') } }], 'ResourceNotFoundException'],
    [
      [{ Update: { TableName: 'accounts', Key: id('path'), UpdateExpression: 'REMOVE videos.a' } }],
      'TransactionCanceledException',
    ],
  ];
  for (const [items, name] of REFUSED) assert.equal(await errorName(transact(items)), name);
});

/** Repeats requests that conflict with a transaction and counts the conflicts. */
const insist = async (write: () => Promise<unknown>): Promise<number> => {
  for (let refusals = 0; ; refusals += 1)
    try {
      await write();
      return refusals;
    } catch (error) {
      const reasons =
        error instanceof DynamoDB.TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
      const isConflict =
        error instanceof DynamoDB.TransactionConflictException ||
        reasons.some(({ Code }) => Code === 'TransactionConflict');
      if (!isConflict) throw error;
      await sleep(Math.random() * 50);
    }
};

test('concurrent transactions and updates of the same items are rejected without losing writes', async () => {
  const update = () =>
    client.send(
      new DynamoDB.UpdateItemCommand({
        TableName: 'accounts',
        Key: id('busy'),
        UpdateExpression: 'ADD spent :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    );
  const refusals = await Promise.all(
    Array.from({ length: 60 }, (_, position) =>
      insist(() =>
        position % 3 === 0
          ? update()
          : transact(
              position % 3 === 1
                ? [add('busy', '1'), add('other', '0.1')]
                : [add('other', '0.1'), put(`busy ${position}`), add('busy', '1')],
            ),
      ),
    ),
  );
  assert.deepEqual([await spentBy('busy'), await spentBy('other')], ['60', '4']);
  assert.ok(
    refusals.some((count) => count > 0),
    'nothing met anything',
  );
});

test('a transaction that conflicts with another is cancelled with the conflicting items', async () => {
  const meet = async (): Promise<readonly (string | undefined)[]> => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, position) => transact([add(`alone ${position}`, '1'), add('met', '1')])),
    );
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const [first] = refused;
    if (first === undefined) return meet();
    assert.ok(first instanceof DynamoDB.TransactionCanceledException);
    return (first.CancellationReasons ?? []).map(({ Code }) => Code);
  };
  assert.deepEqual(await meet(), ['None', 'TransactionConflict']);
});

test('a transaction consumes two units per kilobyte of each item and one per kilobyte of each index entry', async () => {
  const consumed = async (...TransactItems: DynamoDB.TransactWriteItem[]) => {
    const { ConsumedCapacity = [] } = await client.send(
      new DynamoDB.TransactWriteItemsCommand({ TransactItems, ReturnConsumedCapacity: 'TOTAL' }),
    );
    return Object.fromEntries(ConsumedCapacity.map((one) => [one.TableName, one.CapacityUnits]));
  };
  assert.deepEqual(await consumed(add('units', '1')), { accounts: 2 });
  assert.deepEqual(await consumed(put('units'), add('units', '1'), add('others', '1')), {
    charges: 3,
    accounts: 4,
  });
  const text = (length: number): DynamoDB.TransactWriteItem => ({
    Put: { TableName: 'accounts', Item: { ...id('large'), text: { S: 'x'.repeat(length) } } },
  });
  assert.deepEqual(await consumed(text(2500)), { accounts: 6 });
  assert.deepEqual(await consumed(text(10)), { accounts: 6 }, 'the larger of before and after');
  assert.deepEqual(await consumed({ Delete: { TableName: 'charges', Key: id('units') } }, text(10)), {
    charges: 3,
    accounts: 2,
  });
  assert.deepEqual(await transact([add('units', '1')]).then((answer) => answer.ConsumedCapacity), undefined);
});

test('a failed conditional update returns the item if requested', async () => {
  await transact([add('shown', '5')]);
  const refused = (ReturnValuesOnConditionCheckFailure?: 'ALL_OLD') =>
    client.send(
      new DynamoDB.UpdateItemCommand({
        TableName: 'accounts',
        Key: id('shown'),
        UpdateExpression: 'ADD spent :one',
        ConditionExpression: 'spent < :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
        ...(ReturnValuesOnConditionCheckFailure === undefined ? {} : { ReturnValuesOnConditionCheckFailure }),
      }),
    );
  for (const [wish, shown] of [
    ['ALL_OLD', '5'],
    [undefined, undefined],
  ] as const)
    await assert.rejects(refused(wish), (error) => {
      assert.ok(error instanceof DynamoDB.ConditionalCheckFailedException);
      assert.equal(error.Item?.spent?.N, shown);
      return true;
    });
});

test('a transaction is logged as the writes for which it needs permissions', async () => {
  await cloud.emulators.clearCalls();
  await transact([put('rights'), add('rights', '1')]);
  const calls = await cloud.emulators.calls();
  assert.equal(new Set(calls.map(({ request }) => request)).size, 1, 'it is one request');
  assert.deepEqual(
    calls.map(({ action, resource }) => [action, resource.split('/')[1]]),
    [
      ['dynamodb:PutItem', 'charges'],
      ['dynamodb:UpdateItem', 'accounts'],
    ],
  );
});
