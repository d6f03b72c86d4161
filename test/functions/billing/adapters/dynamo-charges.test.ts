import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dynamoChargeList,
  dynamoCharges,
  dynamoUsage,
  readCharge,
} from '../../../../functions/billing/adapters/dynamo-charges.ts';
import { type ChargeRecord, chargeFor } from '../../../../functions/billing/domain/charges.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aDailyUsage, aVideoCharge, PRICES } from '../../../support/builders/charge.ts';
import { MODEL } from '../../../support/http.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { longOr } from '../../../support/long-tests.ts';
import { createMoneyTables } from '../../../support/money-tables.ts';
import { readPlainItem } from '../../../support/plain-item.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const tables = await createMoneyTables(client, 'money');
const charges = dynamoCharges(client, tables);

const AT = Date.UTC(2026, 10, 30, 23, 59);
const videoCharge = (id: string, change: Partial<ChargeRecord> = {}): ChargeRecord =>
  aVideoCharge({ id, time: AT, ...change });

const accountItem = (account: string) => readPlainItem(client, tables.ACCOUNT_TABLE, { account });

test("a charge is stored with the upstream's cost, and counted in the items of account and key", async () => {
  const upstreamCost = { amount: '1.2', currency: 'USD' };
  await charges.record(videoCharge('once', { account: 'plain', upstreamCost }));
  assert.deepEqual(await accountItem('plain'), { account: 'plain', 'committed#2026-11': 3.22 });
  assert.deepEqual(await accountItem('plain#key_1'), {
    account: 'plain#key_1',
    'committed#2026-11': 3.22,
    lastChargedAt: AT,
  });
  const stored = await readPlainItem(client, tables.CHARGE_TABLE, { id: 'once' });
  assert.deepEqual(stored.upstreamCost, upstreamCost);
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

test('charges are listed by time, in either order and from any place, without those at the end', async () => {
  for (const time of [99, 100, 150, 199, 200])
    await charges.record(videoCharge(`at ${time}`, { account: 'listed', time }));
  const list = async (given: { newestFirst: boolean; after?: { id: string; time: number } }) => {
    const query = { from: 100, to: 200, after: undefined, atOnce: 2, ...given };
    const listed = dynamoChargeList(client, tables.CHARGE_TABLE, strictLogger).list('listed', query);
    return (await Array.fromAsync(listed)).map(({ time }) => time);
  };
  assert.deepEqual(await list({ newestFirst: true }), [199, 150, 100]);
  assert.deepEqual(await list({ newestFirst: false, after: { id: 'at 100', time: 100 } }), [150, 199]);
});

test('daily sums are read from the first day to the last, both included', async () => {
  const upstreamCost = { amount: '1.2', currency: 'USD' };
  for (const day of [28, 29, 30]) {
    const time = Date.UTC(2026, 10, day, 23, 59);
    await charges.record(videoCharge(`day ${day}`, { account: 'days', time, upstreamCost }));
  }
  const usage = dynamoUsage(client, tables.USAGE_TABLE, strictLogger);
  const [first, ...others] = await Array.fromAsync(usage.days('days', '2026-11-29', '2026-11-30'));
  const place = { account: 'days', day: '2026-11-29', personId: null };
  assert.deepEqual(first, aDailyUsage({ ...place, amount: '3.22', cost: '1.2', costCurrency: 'USD' }));
  const days = others.map(({ day }) => day);
  assert.deepEqual(days, ['2026-11-30']);
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
  // As operators enter them.
  const { personId, fileId, upstream, unitPrice, amount, currency, ...entered } = image;
  const unknown = { personId: undefined, fileId: undefined };
  const none = { upstream: null, unitPrice: null, amount: null, currency: null };
  assert.deepEqual(readCharge(encode(entered)), { ...entered, ...unknown, ...none });
});
