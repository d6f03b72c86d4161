import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoAccounts } from '../../../../functions/accounts/adapters/dynamo-accounts.ts';
import { dynamoChargeList, dynamoUsage } from '../../../../functions/accounts/adapters/dynamo-charges.ts';
import { type Attributes, encode } from '../../../../functions/platform/aws/dynamo.ts';
import { strictLogger } from '../../../support/loggers.ts';

/** A client that gives these answers in turn, and the inputs of its calls. */
const answering = (context: TestContext, ...answers: readonly object[]) => {
  const client = new DynamoDBClient({ region: 'local' });
  const inputs: unknown[] = [];
  context.mock.method(client, 'send', async (command: object) => {
    inputs.push(Object(command).input);
    return answers[inputs.length - 1] ?? {};
  });
  return { client, inputs };
};

const COMMON = {
  account: 'acme',
  keyId: 'key_1',
  model: 'a',
  unitPrice: '0.40',
  amount: '3.20',
  currency: 'USD',
  time: 5,
};
const VIDEO = {
  ...COMMON,
  kind: 'video',
  id: 'task_1',
  taskId: 'task_1',
  seconds: 8,
  resolution: '720p',
} as const;
const IMAGE = { ...COMMON, kind: 'image', id: 'img_1', size: '1K', images: 1 } as const;

describe('the charges of an account', () => {
  const query = { from: 100, to: 200, newestFirst: true, after: undefined, atOnce: 3 };
  const input = {
    TableName: 'charges',
    IndexName: 'by-account',
    KeyConditionExpression: 'account = :account AND #time BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#time': 'time' },
    ExpressionAttributeValues: { ':account': { S: 'acme' }, ':from': { N: '100' }, ':to': { N: '199' } },
    ScanIndexForward: false,
    Limit: 3,
  };

  test('are read page by page, up to the end of the time, which is not part of it', async (context) => {
    const last = encode({ id: 'task_1' });
    const { client, inputs } = answering(
      context,
      { Items: [encode(VIDEO)], LastEvaluatedKey: last },
      { Items: [encode(IMAGE)] },
    );
    assert.deepEqual(
      await Array.fromAsync(dynamoChargeList(client, 'charges', strictLogger).list('acme', query)),
      [VIDEO, IMAGE],
    );
    assert.deepEqual(inputs, [
      { ...input, ExclusiveStartKey: undefined },
      { ...input, ExclusiveStartKey: last },
    ]);
  });

  test('go on after a charge, and can be read from the oldest', async (context) => {
    const { client, inputs } = answering(context);
    const after = { id: 'task_0', time: 150 };
    await Array.fromAsync(
      dynamoChargeList(client, 'charges', strictLogger).list('acme', { ...query, newestFirst: false, after }),
    );
    assert.deepEqual(inputs, [
      {
        ...input,
        ScanIndexForward: true,
        ExclusiveStartKey: { account: { S: 'acme' }, id: { S: 'task_0' }, time: { N: '150' } },
      },
    ]);
  });

  test('may lack a price where an operator entered them', async (context) => {
    const { unitPrice, amount, currency, ...entered } = IMAGE;
    const { client } = answering(context, { Items: [encode(entered)] });
    assert.deepEqual(
      await Array.fromAsync(dynamoChargeList(client, 'charges', strictLogger).list('acme', query)),
      [{ ...entered, unitPrice: null, amount: null, currency: null }],
    );
  });
});

describe('the days of an account', () => {
  const DAY = {
    account: 'acme',
    day: '2026-11-30',
    keyId: 'key_1',
    kind: 'video',
    model: 'a',
    size: '720p',
    quantity: 8,
    requests: 1,
    currency: 'USD',
  } as const;
  const item: Attributes = { ...encode({ ...DAY, entry: 'day#2026-11-30#key_1' }), amount: { N: '3.2' } };

  test('are read from the first to the whole of the last', async (context) => {
    const { client, inputs } = answering(context, {
      Items: [item, encode({ ...DAY, entry: 'day#2026-11-30#key_1', kind: 'image', currency: null })],
    });
    assert.deepEqual(
      await Array.fromAsync(
        dynamoUsage(client, 'usage', strictLogger).days('acme', '2026-11-01', '2026-11-30'),
      ),
      [
        { ...DAY, amount: '3.2' },
        { ...DAY, kind: 'image', amount: null, currency: null },
      ],
    );
    assert.deepEqual(inputs, [
      {
        TableName: 'usage',
        KeyConditionExpression: 'account = :account AND #entry BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#entry': 'entry' },
        ExpressionAttributeValues: {
          ':account': { S: 'acme' },
          ':from': { S: 'day#2026-11-01' },
          ':to': { S: 'day#2026-11-30#\uffff' },
        },
        ExclusiveStartKey: undefined,
      },
    ]);
  });
});

describe('an account', () => {
  const NOW = Date.UTC(2026, 10, 30);

  test('is read with its limits, its use and the counters that are out of date', async (context) => {
    const Item: Attributes = {
      ...encode({ account: 'acme', monthlyBudget: '5' }),
      'committed#2026-11': { N: '3.2' },
      'committed#2026-01': { N: '1' },
      [`creates#${NOW / 60_000}`]: { N: '4' },
    };
    const { client, inputs } = answering(context, { Item });
    assert.deepEqual(await dynamoAccounts(client, 'accounts').find('acme', NOW), {
      limits: { monthlyBudget: '5', videosAtOnce: undefined, createsPerMinute: undefined },
      committed: '3.2',
      creates: 4,
      outdated: ['committed#2026-01'],
    });
    assert.deepEqual(inputs, [{ TableName: 'accounts', Key: { account: { S: 'acme' } } }]);
  });

  test('that is unknown has none', async (context) => {
    const { client } = answering(context);
    assert.equal(await dynamoAccounts(client, 'accounts').find('acme', NOW), undefined);
  });
});
