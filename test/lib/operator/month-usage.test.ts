import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DailyUsage } from '../../../functions/billing/domain/usage.ts';
import { usageCsv, usageTable } from '../../../lib/operator/month-usage.ts';
import { aDailyUsage } from '../../support/builders/charge.ts';

const VIDEO = aDailyUsage({ amount: '3.2', cost: '2.4', costCurrency: 'USD' });
const UNKNOWN = { ...VIDEO, cost: null, costCurrency: null };
const EUROS = { ...VIDEO, costCurrency: 'EUR' };
const FREE = { ...VIDEO, amount: null, currency: null };
const IMAGE = { ...VIDEO, kind: 'image', model: 'image', size: '1K', quantity: 1, amount: '0.1' } as const;

/** The cells of each line. */
const cells = (days: readonly DailyUsage[], by?: 'key' | 'person' | 'model') =>
  usageTable(days, by).map((line) => line.trim().split(/ {2,}/));

describe('the table of a month', () => {
  test('has no columns for costs if no upstream reports them', () => {
    assert.deepEqual(cells([UNKNOWN]), [
      ['Key', 'Model', 'Size', 'Quantity', 'Requests', 'Amount'],
      ['key_1', 'video-3.1-generate-preview', '720p', '8 seconds', '1', '3.2 USD'],
      ['Total', '1', '3.2 USD'],
    ]);
  });

  test('by model has the margin of each model, whatever the size', () => {
    const days = [VIDEO, { ...VIDEO, size: '1080p', cost: '2.5' }, { ...IMAGE, cost: '0.15' }];
    assert.deepEqual(cells(days, 'model'), [
      ['Model', 'Quantity', 'Requests', 'Amount', 'Cost', 'Margin'],
      ['image', '1 images', '1', '0.1 USD', '0.15 USD', '-0.05 USD'],
      ['video-3.1-generate-preview', '16 seconds', '2', '6.4 USD', '4.9 USD', '1.5 USD'],
      ['Total', '3', '6.5 USD', '5.05 USD', '1.45 USD'],
    ]);
  });

  const MARGINS: readonly (readonly [
    title: string,
    days: readonly DailyUsage[],
    cost: string,
    margin: string,
  ])[] = [
    ['is the amount minus the cost', [VIDEO, VIDEO], '4.8 USD', '1.6 USD'],
    ['is partly known if requests have no cost', [VIDEO, UNKNOWN], '2.4 USD', 'partly known'],
    ['is not comparable with a cost in another currency', [EUROS], '2.4 EUR', 'not comparable'],
    ['is not comparable with costs in two currencies', [VIDEO, EUROS], '2.4 USD + 2.4 EUR', 'not comparable'],
    ['is not comparable without a price', [FREE], '2.4 USD', 'not comparable'],
    ['is unknown without a cost', [UNKNOWN, { ...IMAGE, model: 'z' }], 'unknown', 'unknown'],
  ];
  for (const [title, days, cost, margin] of MARGINS)
    test(`has a margin that ${title}`, () => {
      const row = cells(days, 'model').find(([model]) => model === VIDEO.model);
      assert.deepEqual(row?.slice(-2), [cost, margin]);
    });
});

test('the CSV has the cost and the margin of each line', () => {
  const [names, ...lines] = usageCsv([VIDEO, UNKNOWN, EUROS, FREE]).trimEnd().split('\r\n');
  assert.equal(
    names,
    'day,api_key_id,user_id,model,size,quantity,unit,requests,amount,currency,upstream_cost,upstream_currency,margin',
  );
  const costs = lines.map((line) => line.split(',').slice(8).join());
  assert.deepEqual(costs, ['3.2,USD,2.4,USD,0.8', '3.2,USD,,,', '3.2,USD,2.4,EUR,', ',,2.4,USD,']);
});
