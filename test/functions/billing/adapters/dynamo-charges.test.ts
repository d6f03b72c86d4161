import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GetItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import {
  dynamoChargeList,
  dynamoCharges,
  dynamoUsage,
  readCharge,
} from '../../../../functions/billing/adapters/dynamo-charges.ts';
import { dynamoReservations } from '../../../../functions/billing/adapters/dynamo-reservations.ts';
import {
  type ChargeRecord,
  chargeFor,
  type ImageChargeRecord,
  imageChargeRecord,
} from '../../../../functions/billing/domain/charges.ts';
import { monthAfter, toUtcDay } from '../../../../functions/billing/domain/periods.ts';
import { type Attributes, encode } from '../../../../functions/platform/aws/attributes.ts';
import { isZero, minus, plus } from '../../../../functions/platform/domain/money.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { answeringDynamo } from '../../../support/answering-dynamo.ts';
import { NO_LIMITS } from '../../../support/builders/limiter.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { longOr } from '../../../support/long-tests.ts';
import { createMoneyTables } from '../../../support/money-tables.ts';
import { plainItem } from '../../../support/plain-item.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const tables = await createMoneyTables(client, 'money');
const charges = dynamoCharges(client, tables);
const accounts = dynamoReservations(client, tables);
const usage = dynamoUsage(client, tables.USAGE_TABLE, strictLogger);

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

const reservation = (id: string, account = 'acme') => ({
  id,
  kind: 'videos' as const,
  account,
  keyId: 'key_1',
  countsForKey: true,
  month: '2026-11',
  amount: '3.2200',
  taskId: `task ${id}`,
  at: AT,
});
const NO_CEILINGS = { limits: NO_LIMITS, keyBudget: undefined };

const listDays = (account: string) => Array.fromAsync(usage.days(account, '0000-00-00', '9999-99-99'));
const accountItem = async (account: string) => {
  const key = { TableName: tables.ACCOUNT_TABLE, Key: { account: { S: account } } };
  return plainItem((await client.send(new GetItemCommand(key))).Item ?? {});
};

test('a charge without a reservation that is written twice counts once', async () => {
  await charges.record(videoCharge('once', { account: 'plain' }));
  await charges.record(videoCharge('once', { account: 'plain' }));
  assert.deepEqual(
    (await listDays('plain')).map(({ day, quantity, requests, amount, currency }) => [
      day,
      quantity,
      requests,
      amount,
      currency,
    ]),
    [['2026-11-30', 8, 1, '3.22', 'USD']],
  );
  assert.deepEqual(await accountItem('plain'), { account: 'plain', 'committed#2026-11': 3.22 });
  assert.deepEqual(await accountItem('plain#key_1'), {
    account: 'plain#key_1',
    'committed#2026-11': 3.22,
    lastChargedAt: AT,
  });
});

test('a charge ends its reservation and leaves its money committed', async () => {
  await accounts.reserve(reservation('r1'), NO_CEILINGS, { outdated: [] });
  await charges.record(videoCharge('reserved'), reservation('r1'));
  await charges.record(videoCharge('reserved'), reservation('r1'));
  const [item, key] = [await accountItem('acme'), await accountItem('acme#key_1')];
  assert.deepEqual([item.videos, item['committed#2026-11'], key['committed#2026-11']], [0, 3.22, 3.22]);
});

test('a budget that a key gets within the month includes its earlier charges, with and without a reservation', async () => {
  const account = 'later';
  const unlimited = { ...reservation('r2', account), countsForKey: false };
  await accounts.reserve(unlimited, NO_CEILINGS, { outdated: [] });
  await charges.record(videoCharge('before', { account }));
  await charges.record(videoCharge('running', { account }), unlimited);
  const limited = { ...reservation('r3', account), taskId: 'task r3' };
  const result = await accounts.reserve(limited, { limits: NO_LIMITS, keyBudget: '9.65' }, { outdated: [] });
  assert.equal(result.outcome, 'refused');
  assert.equal(result.usage.committedByKey, '6.44');
});

test('a charge whose reservation is gone is still committed, once', async () => {
  const charge = videoCharge('late', { account: 'late' });
  for (let tries = 0; tries < 2; tries += 1) await charges.record(charge, reservation('gone', 'late'));
  assert.equal((await accountItem('late'))['committed#2026-11'], 3.22);
  assert.equal((await accountItem('late#key_1'))['committed#2026-11'], 3.22);
  assert.equal((await listDays('late')).length, 1);
});

describe('a video that is shorter than requested', () => {
  const shorter = { ...chargeFor(MODEL, 4, PRICES), time: AT };
  const committed = async (account: string) => [
    (await accountItem(account))['committed#2026-11'],
    (await accountItem(`${account}#key_1`))['committed#2026-11'],
  ];
  const listSums = async (account: string) =>
    (await listDays(account)).map(({ quantity, requests, amount }) => [quantity, requests, amount]);

  test('is charged for its seconds, and the rest of its reservation is released', async () => {
    const account = 'shorter';
    const other = { ...reservation('other', account), amount: '0.05' };
    await accounts.reserve(other, NO_CEILINGS, { outdated: [] });
    await accounts.reserve(reservation('r4', account), NO_CEILINGS, { outdated: [] });
    assert.deepEqual(await committed(account), [3.27, 3.27]);
    const charge = videoCharge('shorter', { account, ...shorter });
    for (let tries = 0; tries < 2; tries += 1) await charges.record(charge, reservation('r4', account));
    assert.deepEqual(await committed(account), [1.66, 1.66]);
    assert.equal((await accountItem(account)).videos, 1);
    assert.deepEqual(await listSums(account), [[4, 1, '1.61']]);
  });

  test('leaves room in the budgets of account and key for exactly the rest', async () => {
    const account = 'shorter-budget';
    await accounts.reserve(reservation('r5', account), NO_CEILINGS, { outdated: [] });
    await charges.record(videoCharge('r5', { account, ...shorter }), reservation('r5', account));
    const outcome = async (id: string, budget: string, keyBudget: string) => {
      const ceilings = { limits: { ...NO_LIMITS, monthlyBudget: budget }, keyBudget };
      const marked = { ...reservation(id, account), amount: '0.01' };
      return (await accounts.reserve(marked, ceilings, { outdated: [] })).outcome;
    };
    assert.equal(await outcome('r6', '1.61', '9'), 'refused');
    assert.equal(await outcome('r6', '9', '1.61'), 'refused');
    assert.equal(await outcome('r6', '9', '1.62'), 'reserved');
  });

  test('of a key without a budget adds its charge to the key', async () => {
    const account = 'shorter-key';
    const unlimited = { ...reservation('r7', account), countsForKey: false };
    await accounts.reserve(unlimited, NO_CEILINGS, { outdated: [] });
    await charges.record(videoCharge('r7', { account, ...shorter }), unlimited);
    assert.deepEqual(await committed(account), [1.61, 1.61]);
  });

  test('whose reservation is gone is committed with its charge, once', async () => {
    const account = 'shorter-gone';
    const charge = videoCharge('r8', { account, ...shorter });
    for (let tries = 0; tries < 2; tries += 1) await charges.record(charge, reservation('r8', account));
    assert.deepEqual(await committed(account), [1.61, 1.61]);
    assert.deepEqual(await listSums(account), [[4, 1, '1.61']]);
  });
});

describe("the upstream's cost", () => {
  const account = 'costs';

  test('is part of the charge and of the sum of its day, apart from charges without one', async () => {
    const cost = (amount: string, currency = 'USD') => ({ account, upstreamCost: { amount, currency } });
    const written = [
      videoCharge('c1', cost('1.2')),
      videoCharge('c2', cost('0.345678901')),
      videoCharge('c3', cost('1', 'EUR')),
      videoCharge('c4', { account }),
      videoCharge('c5', cost('0')),
    ];
    for (const charge of [...written, ...written]) await charges.record(charge);
    assert.deepEqual(
      (await listDays(account)).map(({ requests, amount, cost, costCurrency }) => [
        requests,
        amount,
        cost,
        costCurrency,
      ]),
      [
        [1, '3.22', null, null],
        [1, '3.22', '1', 'EUR'],
        [3, '9.66', '1.545678901', 'USD'],
      ],
    );
    const key = { TableName: tables.CHARGE_TABLE, Key: encode({ id: 'c1' }) };
    const { Item } = await client.send(new GetItemCommand(key));
    assert.deepEqual(Item?.upstreamCost, { M: { amount: { S: '1.2' }, currency: { S: 'USD' } } });
  });

  test('is not part of the list of charges, which the account sees', async (context) => {
    const { client } = answeringDynamo(context, {
      Items: [encode(videoCharge('c1', { upstreamCost: { amount: '1.2', currency: 'USD' } }))],
    });
    const query = { from: 0, to: 200, newestFirst: true, after: undefined, atOnce: 3 };
    const [listed] = await Array.fromAsync(
      dynamoChargeList(client, 'charges', strictLogger).list(account, query),
    );
    assert.ok(listed !== undefined && !('upstreamCost' in listed));
  });
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

test('a video without a price counts seconds but no money', async () => {
  const charge = {
    ...videoCharge('free', { account: 'free' }),
    ...chargeFor(MODEL, 4, { ...PRICES, videoSecond: {} }),
  };
  await charges.record(charge);
  assert.deepEqual(
    (await listDays('free')).map(({ quantity, amount, currency }) => [quantity, amount, currency]),
    [[4, null, null]],
  );
});

/** Charges around the end of a month, and around a leap day. */
const seededCharges = (count: number, random: () => number): (ChargeRecord | ImageChargeRecord)[] => {
  const pick = <T>(choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];
  return Array.from({ length: count }, (_, position) => {
    const start = pick([Date.UTC(2028, 1, 28), Date.UTC(2026, 10, 29), Date.UTC(2026, 11, 31)]);
    const time = start + Math.floor(random() * 3 * 86_400_000);
    const keyId = pick(['key_1', 'key_2']);
    const personId = ['user_1', undefined][position % 2];
    if (random() < 0.5)
      return videoCharge(`seeded ${position}`, {
        ...chargeFor(MODEL, pick([4, 6, 8]), PRICES),
        account: 'seeded',
        keyId,
        personId,
        resolution: pick(['720p', '1080p']),
        time,
      });
    const tokens = { prompt: 1, output: 1, total: 2 };
    const upstream = 'default';
    const fields = {
      account: 'seeded',
      keyId,
      personId,
      upstream,
      upstreamCost: undefined,
      model: 'image',
      size: '1K' as const,
      tokens,
      time,
    };
    return imageChargeRecord({ ...fields, requestId: `seeded ${position}` }, PRICES);
  });
};

/** Concurrent charges of one account conflict and are repeated, so most are written one after the other. */
const [CHARGES, CONCURRENT] = longOr([60, 10], [250, 20]);

test(`the daily sums of ${CHARGES} charges are exact`, async () => {
  const random = seededRandom(20_281_229);
  const all = seededCharges(CHARGES, random);
  // A tenth of them twice, as after a lost response.
  const written = [...all, ...all.filter(() => random() < 0.1)];
  await Promise.all(written.splice(0, CONCURRENT).map((charge) => charges.record(charge)));
  for (const charge of written) await charges.record(charge);

  const sum = (amounts: readonly (string | null)[]): string =>
    amounts.reduce<string>((total, amount) => plus(total, amount ?? '0'), '0');
  const days = await listDays('seeded');
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName: tables.CHARGE_TABLE }));
  const stored = pages.flatMap(({ Items }) => Items ?? []).filter(({ account }) => account?.S === 'seeded');
  const expected = sum(all.map(({ amount }) => amount));
  assert.equal(stored.length, CHARGES);
  assert.ok(isZero(minus(sum(stored.map(({ amount }) => amount?.S ?? null)), expected)));
  assert.ok(isZero(minus(sum(days.map(({ amount }) => amount)), expected)));
  assert.equal(
    days.reduce((total, { requests }) => total + requests, 0),
    CHARGES,
  );
  assert.ok(days.some(({ day }) => day === '2028-02-29'));

  const month = '2026-11';
  const inMonth = await Array.fromAsync(usage.days('seeded', `${month}-01`, `${month}-30`));
  const charged = all.filter(({ time }) => toUtcDay(time).startsWith(month));
  assert.ok(charged.length > 0 && charged.length < CHARGES);
  assert.ok(
    isZero(minus(sum(inMonth.map(({ amount }) => amount)), sum(charged.map(({ amount }) => amount)))),
  );
  assert.ok(inMonth.every(({ day }) => day < monthAfter(month, 1)));
  // Days × keys × (one person or none) × (two resolutions and one image size).
  assert.ok(inMonth.length <= 2 * 2 * 2 * 3, `${inMonth.length} entries`);
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
  const IMAGE = { ...COMMON, kind: 'image', id: 'img_1', size: '1K', images: 1 } as const;

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

    test('reads all pages, and excludes the end of the range', async (context) => {
      const last = encode({ id: 'task_1' });
      const { client, inputs } = answeringDynamo(
        context,
        { Items: [encode(VIDEO)], LastEvaluatedKey: last },
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
      const { personId, upstream, unitPrice, amount, currency, ...entered } = IMAGE;
      const { client } = answeringDynamo(context, { Items: [encode(entered)] });
      assert.deepEqual(
        await Array.fromAsync(dynamoChargeList(client, 'charges', strictLogger).list('acme', query)),
        [{ ...entered, personId: undefined, upstream: null, unitPrice: null, amount: null, currency: null }],
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
