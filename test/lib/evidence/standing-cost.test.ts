import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addQuantities, totalCost } from '../../../lib/evidence/prices.ts';
import { runsPerMonth, standingQuantities } from '../../../lib/evidence/standing-cost.ts';
import { sharedTemplate } from '../stack/synthesized-template.ts';

test('an alarm counts each of its metrics, and a query as one', () => {
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

test('runsPerMonth reads rates, and rejects other schedules', () => {
  assert.equal(runsPerMonth('rate(1 minute)'), 43_200);
  assert.equal(runsPerMonth('rate(2 hours)'), 360);
  assert.throws(() => runsPerMonth('cron(0 0 * * ? *)'), /cron/);
});

test('addQuantities adds quantities by name', () => {
  const { sqsRequest, trace } = addQuantities({ sqsRequest: 1, trace: 2 }, { sqsRequest: 3 });
  assert.deepEqual([sqsRequest, trace], [4, 2]);
});

/** The budget is 10 USD with the runs of the sweeper and its logs, which the bench measures. */
const MOST_DOLLARS = 9.65;

test('the stack has a fixed cost of less than 9.65 USD per month', async () => {
  const { dollars, largest } = totalCost(standingQuantities(await sharedTemplate()));
  assert.ok(dollars < MOST_DOLLARS, `${dollars.toFixed(2)} USD: ${largest}`);
  assert.ok(dollars > 5, largest);
});
