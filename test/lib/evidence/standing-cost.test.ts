import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalCost } from '../../../lib/evidence/prices.ts';
import { standingQuantities } from '../../../lib/evidence/standing-cost.ts';
import { sharedTemplate } from '../stack/synthesized-template.ts';

/** The budget is 10 USD with the runs of the sweeper and its logs, which the bench measures. */
const MOST_DOLLARS = 9.65;

test('the stack has a fixed cost of less than 9.65 USD per month', async () => {
  const { dollars, largest } = totalCost(standingQuantities(await sharedTemplate()));
  assert.ok(dollars < MOST_DOLLARS, `${dollars.toFixed(2)} USD: ${largest}`);
  assert.ok(dollars > 5, largest);
});
