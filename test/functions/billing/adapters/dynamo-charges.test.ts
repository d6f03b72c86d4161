import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  dynamoChargeList,
  dynamoCharges,
  dynamoUsage,
  readCharge,
} from '../../../../functions/billing/adapters/dynamo-charges.ts';
import { type ChargeRecord, chargeFor } from '../../../../functions/billing/domain/charges.ts';
import { type Attributes, encode } from '../../../../functions/platform/aws/attributes.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { answeringDynamo } from '../../../support/answering-dynamo.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { longOr } from '../../../support/long-tests.ts';
import { createMoneyTables } from '../../../support/money-tables.ts';
import { plainItem } from '../../../support/plain-item.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const tables = await createMoneyTables(client, 'money');
const charges = dynamoCharges(client, tables);

const MODEL = 'video-3.1-generate-preview';
const PRICES = { currency: 'USD', videoSecond: { [MODEL]: '0.4025' }, image: { '1K': '0.0671' } };
const AT = Date.UTC(2026, 10, 30, 23, 59);

const videoCharge = (id: string, change: Partial<ChargeRecord> = {}): ChargeRecord => ({
  ...chargeFor(MODEL, 8, PRICES),
  kind: 'video',
  id,
  account: 'acme',
  keyId: 'key_1',
  personId: undefined,
  upstream: 'default',
  upstreamCost: undefined,
  taskId: id,
  model: MODEL,
  resolution: '720p',
  time: AT,
  ...change,
});

const accountItem = async (account: string) => {
  const key = { TableName: tables.ACCOUNT_TABLE, Key: { account: { S: account } } };
  return plainItem((await client.send(new GetItemCommand(key))).Item ?? {});
};

test("a charge is stored with the upstream's cost, and counted in the items of account and key", async () => {
  const upstreamCost = { amount: '1.2', currency: 'USD' };
  await charges.record(videoCharge('once', { account: 'plain', upstreamCost }));
  assert.deepEqual(await accountItem('plain'), { account: 'plain', 'committed#2026-11': 3.22 });
  assert.deepEqual(await accountItem('plain#key_1'), {
    account: 'plain#key_1',
    'committed#2026-11': 3.22,
    lastChargedAt: AT,
  });
  const key = { TableName: tables.CHARGE_TABLE, Key: encode({ id: 'once' }) };
  const { Item = {} } = await client.send(new GetItemCommand(key));
  assert.deepEqual(plainItem(Item).upstreamCost, upstreamCost);
});

test('a charge without a price tells when the key was last used', async () => {
  const unpriced = chargeFor(MODEL, 4, { ...PRICES, videoSecond: {} });
  await charges.record(videoCharge('free', { account: 'free', ...unpriced }));
  assert.deepEqual(await accountItem('free#key_1'), { account: 'free#key_1', lastChargedAt: AT });
});

test('an account that is charged for years keeps few counters', async () => {
  const start = Date.UTC(2026, 0, 15);
  for (let month = 0; month < longOr(15, 40); month += 1)
    await charges.record(
      videoCharge(`years ${month}`, { account: 'years', time: start + month * 31 * 86_400_000 }),
    );
  const names = Object.keys(await accountItem('years')).filter((name) => name.startsWith('committed#'));
  assert.ok(names.length <= 2, names.join(', '));
});

describe('lists', () => {
  const COMMON = {
    account: 'acme',
    keyId: 'key_1',
    personId: 'user_1',
    upstream: 'studio',
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
  const IMAGE = { ...COMMON, kind: 'image', id: 'img_1', fileId: 'file_1', size: '1K', images: 1 } as const;

  describe('dynamoChargeList', () => {
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

    test("reads all pages without the upstream's cost, and excludes the end of the range", async (context) => {
      const last = encode({ id: 'task_1' });
      const upstreamCost = { amount: '1.2', currency: 'USD' };
      const { client, inputs } = answeringDynamo(
        context,
        { Items: [encode({ ...VIDEO, upstreamCost })], LastEvaluatedKey: last },
        { Items: [encode(IMAGE)] },
      );
      assert.deepEqual(
        await Array.fromAsync(dynamoChargeList(client, 'charges', strictLogger).list('acme', query)),
        [{ ...VIDEO, upstreamModel: undefined }, IMAGE],
      );
      assert.deepEqual(inputs, [
        { ...input, ExclusiveStartKey: undefined },
        { ...input, ExclusiveStartKey: last },
      ]);
    });

    test('continues after a charge, and can start with the oldest', async (context) => {
      const { client, inputs } = answeringDynamo(context);
      const after = { id: 'task_0', time: 150 };
      await Array.fromAsync(
        dynamoChargeList(client, 'charges', strictLogger).list('acme', {
          ...query,
          newestFirst: false,
          after,
        }),
      );
      assert.deepEqual(inputs, [
        {
          ...input,
          ScanIndexForward: true,
          ExclusiveStartKey: { account: { S: 'acme' }, id: { S: 'task_0' }, time: { N: '150' } },
        },
      ]);
    });

    test('reads charges without a person, an upstream and a price, as operators enter them', async (context) => {
      const { personId, fileId, upstream, unitPrice, amount, currency, ...entered } = IMAGE;
      const { client } = answeringDynamo(context, { Items: [encode(entered)] });
      assert.deepEqual(
        await Array.fromAsync(dynamoChargeList(client, 'charges', strictLogger).list('acme', query)),
        [
          {
            ...entered,
            personId: undefined,
            fileId: undefined,
            upstream: null,
            unitPrice: null,
            amount: null,
            currency: null,
          },
        ],
      );
    });
  });

  describe('dynamoUsage', () => {
    const DAY = {
      account: 'acme',
      day: '2026-11-30',
      keyId: 'key_1',
      personId: 'user_1',
      kind: 'video',
      model: 'a',
      size: '720p',
      quantity: 8,
      requests: 1,
      currency: 'USD',
    } as const;
    /** As in sums of earlier versions. */
    const NO_COST = { cost: null, costCurrency: null };
    const item: Attributes = { ...encode({ ...DAY, entry: 'day#2026-11-30#key_1' }), amount: { N: '3.2' } };

    test('reads the days from the first to the last, both included', async (context) => {
      const { client, inputs } = answeringDynamo(context, {
        Items: [
          item,
          encode({ ...DAY, entry: 'day#2026-11-30#key_1', personId: null, kind: 'image', currency: null }),
        ],
      });
      assert.deepEqual(
        await Array.fromAsync(
          dynamoUsage(client, 'usage', strictLogger).days('acme', '2026-11-01', '2026-11-30'),
        ),
        [
          { ...DAY, amount: '3.2', ...NO_COST },
          { ...DAY, personId: null, kind: 'image', amount: null, currency: null, ...NO_COST },
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
});

test('a charge is read with all its fields', () => {
  const video = videoCharge('ch_all', { personId: 'user_1', upstreamModel: 'their-model' });
  const image = {
    kind: 'image',
    id: 'ch_image',
    fileId: 'file_1',
    account: 'acme',
    keyId: 'key_1',
    personId: 'user_1',
    upstream: 'default',
    model: 'image-3.1-flash-image-preview',
    size: '1K',
    images: 2,
    unitPrice: '0.07',
    amount: '0.14',
    currency: 'USD',
    time: AT,
  } as const;
  const { upstreamCost: _, ...listed } = video;
  assert.deepEqual(readCharge(encode(video)), listed);
  assert.deepEqual(readCharge(encode(image)), image);
});
