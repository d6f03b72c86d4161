import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedTemplate } from '../lib/stack/synthesized-template.ts';
import { runsAMonth, standingQuantities } from './idle-month.ts';
import { addQuantities, toPrice } from './prices.ts';

test('an alarm costs each metric that it reads, and a query at least one', () => {
  const metric = { MetricStat: { Metric: {} } };
  const alarm = (Properties: object) => ({ Type: 'AWS::CloudWatch::Alarm', Properties });
  const { alarmMetric } = standingQuantities({
    Resources: {
      Plain: alarm({ MetricName: 'Errors' }),
      Sum: alarm({ Metrics: [metric, metric, { Expression: 'FILL(m0, 0) + FILL(m1, 0)' }] }),
      Query: alarm({ Metrics: [{ Expression: 'SELECT SUM(Errors) FROM "AWS/Lambda"' }] }),
    },
  });
  assert.equal(alarmMetric, 1 + 2 + 1);
});

test('a schedule runs by its rate, and one that is not known is refused', () => {
  assert.equal(runsAMonth('rate(1 minute)'), 43_200);
  assert.equal(runsAMonth('rate(2 hours)'), 360);
  assert.throws(() => runsAMonth('cron(0 0 * * ? *)'), /cron/);
});

test('quantities of several sources add up', () => {
  const { sqsRequest, trace } = addQuantities({ sqsRequest: 1, trace: 2 }, { sqsRequest: 3 });
  assert.deepEqual([sqsRequest, trace], [4, 2]);
});

/** The runs of the sweeper and its logs, which the bench measures, come on top; the budget is 10 USD. */
const MOST_DOLLARS = 9.5;

test('the stack costs less than 9.50 USD a month by being there', async () => {
  const { dollars, largest } = toPrice(standingQuantities(await sharedTemplate()));
  assert.ok(dollars < MOST_DOLLARS, `${dollars.toFixed(2)} USD: ${largest}`);
  assert.ok(dollars > 5, largest);
});
