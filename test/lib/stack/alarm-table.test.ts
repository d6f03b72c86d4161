import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { resourcesOf, sharedTemplate, templateWith } from './synthesized-template.ts';

const template = await sharedTemplate();

const statSchema = z.object({
  Metric: z.object({ Namespace: z.string(), MetricName: z.string() }),
  Period: z.number(),
  Stat: z.string(),
});
const alarmSchema = z.looseObject({
  ComparisonOperator: z.string(),
  Threshold: z.number(),
  DatapointsToAlarm: z.number(),
  EvaluationPeriods: z.number(),
  TreatMissingData: z.string(),
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Statistic: z.string().optional(),
  Period: z.number().optional(),
  Metrics: z
    .array(z.looseObject({ MetricStat: statSchema.optional(), Expression: z.string().optional() }))
    .default([]),
});
type Alarm = z.infer<typeof alarmSchema>;

const metricsOf = ({ Namespace, MetricName, Statistic, Period, Metrics }: Alarm): string[] => [
  ...(Namespace === undefined ? [] : [`${Statistic} of ${Namespace} ${MetricName} in ${Period} s`]),
  ...new Set(
    Metrics.flatMap(({ MetricStat: stat }) =>
      stat === undefined
        ? []
        : [`${stat.Stat} of ${stat.Metric.Namespace} ${stat.Metric.MetricName} in ${stat.Period} s`],
    ),
  ),
];

const rowOf = (alarm: Alarm): readonly unknown[] => [
  alarm.ComparisonOperator,
  alarm.Threshold,
  `${alarm.DatapointsToAlarm} of ${alarm.EvaluationPeriods}`,
  alarm.TreatMissingData,
  ...metricsOf(alarm),
];

const ABOVE = 'GreaterThanThreshold';
const QUIET = 'notBreaching';

/** When each alarm rings: operator, threshold, bad periods of how many, what no data mean, and what is measured. */
const TABLE: Record<string, readonly unknown[]> = {
  DeadLetters: [ABOVE, 0, '1 of 1', QUIET, 'Sum of MediaGeneration DeadLetters in 300 s'],
  DeadLettersWait: [ABOVE, 900, '1 of 1', QUIET, 'Maximum of AWS/SQS ApproximateAgeOfOldestMessage in 300 s'],
  StepsLate: [ABOVE, 1200, '2 of 2', QUIET, 'Maximum of AWS/SQS ApproximateAgeOfOldestMessage in 300 s'],
  WebhookDeadLetters: [
    ABOVE,
    0,
    '1 of 1',
    QUIET,
    'Maximum of AWS/SQS ApproximateNumberOfMessagesVisible in 300 s',
  ],
  WebhooksLate: [ABOVE, 1200, '2 of 2', QUIET, 'Maximum of AWS/SQS ApproximateAgeOfOldestMessage in 300 s'],
  WorkerErrors: [
    ABOVE,
    3,
    '1 of 1',
    QUIET,
    'Sum of MediaGeneration MessagesFailed in 900 s',
    'Sum of AWS/Lambda Errors in 900 s',
  ],
  InvocationsDropped: [ABOVE, 0, '1 of 1', QUIET, 'Sum of AWS/Lambda RecursiveInvocationsDropped in 300 s'],
  SweeperRepairs: [ABOVE, 5, '1 of 1', QUIET, 'Sum of MediaGeneration SweeperRepairs in 900 s'],
  SweeperSilent: ['LessThanThreshold', 1, '3 of 3', 'breaching', 'Sum of AWS/Lambda Invocations in 300 s'],
  TasksTimeOut: [ABOVE, 2, '1 of 1', QUIET, 'Sum of MediaGeneration TasksFailed in 3600 s'],
  UpstreamNeedsOperator: [ABOVE, 0, '1 of 1', QUIET, 'Sum of MediaGeneration UpstreamNeedsOperator in 300 s'],
  UpstreamQuota: [ABOVE, 0, '1 of 1', QUIET, 'Sum of MediaGeneration UpstreamErrors in 300 s'],
  UpstreamFailing: [ABOVE, 20, '1 of 1', QUIET, 'Sum of MediaGeneration UpstreamErrors in 900 s'],
  ServerErrors: [ABOVE, 0.05, '2 of 3', QUIET, 'Average of AWS/ApiGateway 5XXError in 300 s'],
  BudgetNearlyUsed: [ABOVE, 0, '1 of 1', QUIET, 'Sum of MediaGeneration BudgetsNearlyUsed in 300 s'],
  ChargesNotRecorded: [ABOVE, 0, '1 of 1', QUIET, 'Sum of MediaGeneration ChargesNotRecorded in 300 s'],
  FunctionThrottles1: [ABOVE, 0, '1 of 1', QUIET, 'Sum of AWS/Lambda Throttles in 300 s'],
  FunctionThrottles2: [ABOVE, 0, '1 of 1', QUIET, 'Sum of AWS/Lambda Throttles in 300 s'],
  FunctionThrottles3: [ABOVE, 0, '1 of 1', QUIET, 'Sum of AWS/Lambda Throttles in 300 s'],
  FunctionThrottles4: [ABOVE, 0, '1 of 1', QUIET, 'Sum of AWS/Lambda Throttles in 300 s'],
  FunctionThrottles5: [ABOVE, 0, '1 of 1', QUIET, 'Sum of AWS/Lambda Throttles in 300 s'],
  FunctionThrottles6: [ABOVE, 0, '1 of 1', QUIET, 'Sum of AWS/Lambda Throttles in 300 s'],
  AccountConcurrency: [ABOVE, 800, '2 of 3', QUIET, 'Maximum of AWS/Lambda ConcurrentExecutions in 300 s'],
  TableThrottles1: [ABOVE, 0, '2 of 3', QUIET, 'Sum of AWS/DynamoDB ThrottledRequests in 300 s'],
  TableThrottles2: [ABOVE, 0, '2 of 3', QUIET, 'Sum of AWS/DynamoDB ThrottledRequests in 300 s'],
  RequestThrottles: [
    ABOVE,
    100,
    '1 of 1',
    QUIET,
    'Sum of MediaGeneration/MediaGeneration ThrottledRequests in 300 s',
  ],
};

const alarmsIn = (of: typeof template): Record<string, Alarm> =>
  Object.fromEntries(
    resourcesOf(of, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [
      id.replace(/^Operations(\w+)[0-9A-F]{8}$/, '$1'),
      alarmSchema.parse(Properties),
    ]),
  );
const alarms = alarmsIn(template);

describe('an alarm rings when the table says:', () => {
  for (const [name, row] of Object.entries(TABLE))
    test(name, () => assert.deepEqual(rowOf(alarms[name] ?? assert.fail('it is not there')), row));

  test('and there is no other', () => {
    assert.deepEqual(Object.keys(alarms).toSorted(), Object.keys(TABLE).toSorted());
  });

  test('and where several metrics are one figure, it is their sum', () => {
    for (const [name, { Metrics }] of Object.entries(alarms)) {
      const parts = Metrics.filter(({ MetricStat }) => MetricStat !== undefined);
      const sums = Metrics.flatMap(({ Expression }) => (Expression === undefined ? [] : [Expression]));
      const sum = parts.map((_, position) => `FILL(m${position}, 0)`).join(' + ');
      assert.deepEqual(sums, parts.length < 2 ? [] : [sum], name);
    }
  });
});

test('the concurrency of the account is measured by the quota that is configured', async () => {
  const { AccountConcurrency } = alarmsIn(await templateWith({ lambdaConcurrencyQuota: 10 }));
  assert.equal(AccountConcurrency?.Threshold, 8);
});

test('throttled requests are those that the access log has as 429', () => {
  const [[, filter] = assert.fail('no filter')] = resourcesOf(template, 'AWS::Logs::MetricFilter');
  assert.equal(filter.Properties.FilterPattern, '{ $.status = "429" }');
  const [{ MetricNamespace, MetricName, MetricValue } = assert.fail('no metric')] = Object(
    filter.Properties.MetricTransformations,
  );
  assert.deepEqual(
    [MetricNamespace, MetricName, MetricValue],
    ['MediaGeneration/MediaGeneration', 'ThrottledRequests', '1'],
  );
});
