import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dailyUsageEntry, sumUsage, toDailyUsage } from '../../../../functions/billing/domain/usage.ts';
import { aDailyUsage } from '../../../support/builders/charge.ts';

const VIDEO = aDailyUsage({ model: 'video' });
const IMAGE = { ...VIDEO, kind: 'image', model: 'image', size: '1K', quantity: 1, amount: '0.067' } as const;

describe('toDailyUsage', () => {
  const time = Date.UTC(2026, 10, 30, 23, 59);
  const owner = { account: 'acme', keyId: 'key_1', personId: 'user_1' };
  const charge = { ...owner, upstream: 'studio', time, currency: 'USD' };

  test('counts the seconds of a video', () => {
    const { kind, ...video } = { kind: 'video', id: 'task_1', taskId: 'task_1', model: 'video' } as const;
    const billed = { seconds: 8, unitPrice: '0.40', amount: '3.20', resolution: '720p' };
    assert.deepEqual(toDailyUsage({ ...charge, ...video, ...billed, kind }), VIDEO);
    const upstreamCost = { amount: '2.4', currency: 'EUR' };
    assert.deepEqual(toDailyUsage({ ...charge, ...video, ...billed, kind, upstreamCost }), {
      ...VIDEO,
      cost: '2.4',
      costCurrency: 'EUR',
    });
  });

  test('counts images', () => {
    const image = { kind: 'image', id: 'img_1', model: 'image', size: '1K', images: 1 } as const;
    assert.deepEqual(toDailyUsage({ ...charge, ...image, unitPrice: '0.067', amount: '0.067' }), IMAGE);
  });

  test('has one entry for each key, person, model, size, currency and currency of the cost', () => {
    assert.equal(dailyUsageEntry(VIDEO), 'day#2026-11-30#key_1#user_1#video#720p#USD');
    assert.equal(dailyUsageEntry({ ...VIDEO, currency: null }), 'day#2026-11-30#key_1#user_1#video#720p#');
    assert.equal(dailyUsageEntry({ ...VIDEO, personId: null }), 'day#2026-11-30#key_1##video#720p#USD');
    assert.equal(
      dailyUsageEntry({ ...VIDEO, cost: '0', costCurrency: 'EUR' }),
      'day#2026-11-30#key_1#user_1#video#720p#USD#EUR',
    );
  });
});

describe('sumUsage', () => {
  const NO_COSTS = { costs: [], costRequests: 0 };
  const ALL = { account: null, keyId: null, personId: null, model: null, size: null, ...NO_COSTS };

  test('adds usage with the same fields, also of different days', () => {
    assert.deepEqual(sumUsage([VIDEO, { ...VIDEO, day: '2026-12-01', quantity: 4, amount: '1.6' }], []), [
      { ...ALL, kind: 'video', quantity: 12, requests: 2, amount: '4.80', currency: 'USD' },
    ]);
  });

  test('returns no kind for the sum of videos and images', () => {
    assert.deepEqual(sumUsage([VIDEO, IMAGE], []), [
      { ...ALL, kind: null, quantity: 9, requests: 2, amount: '3.267', currency: 'USD' },
    ]);
  });

  for (const [field, one, other] of [
    ['account', 'acme', 'beta'],
    ['keyId', 'key_1', 'key_2'],
    ['personId', 'user_1', 'user_2'],
    ['personId', 'user_1', null],
    ['model', 'video', 'wide'],
    ['size', '720p', '900p'],
  ] as const)
    test(`groups and sorts by ${field}: ${one}, ${other}`, () => {
      const sums = sumUsage([{ ...VIDEO, [field]: other }, VIDEO], [field]);
      const found = sums.map((sum) => sum[field]);
      assert.deepEqual(found, [one, other]);
      assert.equal(sumUsage([{ ...VIDEO, [field]: other }, VIDEO], []).length, 1);
    });

  test('sums costs by currency, and counts the requests that have one', () => {
    const known = { ...VIDEO, requests: 2, cost: '2.4', costCurrency: 'USD' };
    const all = [VIDEO, known, { ...known, cost: '0.05' }, { ...known, costCurrency: 'EUR' }];
    const [usd, eur] = [
      { amount: '2.45', currency: 'USD' },
      { amount: '2.4', currency: 'EUR' },
    ];
    const sum = { ...ALL, kind: 'video', quantity: 32, requests: 7, amount: '12.80', currency: 'USD' };
    assert.deepEqual(sumUsage(all, []), [{ ...sum, costs: [usd, eur], costRequests: 6 }]);
  });

  test('sums each currency, and usage without a price, separately', () => {
    const free = { ...VIDEO, amount: null, currency: null };
    const sums = sumUsage([VIDEO, { ...VIDEO, currency: 'EUR' }, free, free], []);
    const found = sums.map(({ currency, amount, requests }) => `${currency} ${amount} ${requests}`);
    assert.deepEqual(found, ['EUR 3.20 1', 'USD 3.20 1', 'null null 2']);
  });
});
