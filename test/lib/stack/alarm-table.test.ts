import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { FEATURES } from '../../../functions/platform/domain/features.ts';
import { CONFIGURATIONS } from '../../../lib/evidence/configurations.ts';
import { readApi } from '../../../lib/local/gateway/api-definition.ts';
import { createStack } from '../../../lib/local/template/stack.ts';
import { templateSchema } from '../../../lib/local/template/template.ts';
import { FAMILY_NAMES, routeFamilies } from '../../../lib/monitoring/metrics.ts';
import { findResources, sharedTemplate, templateWith } from './synthesized-template.ts';

const template = await sharedTemplate();
const families = routeFamilies(FEATURES);

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
  ExtendedStatistic: z.string().optional(),
  Period: z.number().optional(),
  Metrics: z
    .array(
      z.looseObject({
        MetricStat: statSchema.optional(),
        Expression: z.string().optional(),
        Period: z.number().optional(),
      }),
    )
    .default([]),
});
type Alarm = z.infer<typeof alarmSchema>;

const toMetrics = ({ Namespace, MetricName, Period, Metrics, ...alarm }: Alarm): string[] => [
  ...(Namespace === undefined
    ? []
    : [`${alarm.Statistic ?? alarm.ExtendedStatistic} of ${Namespace} ${MetricName} in ${Period} s`]),
  ...new Set(
    Metrics.flatMap(({ MetricStat: stat, Expression = '', Period: seconds }) =>
      stat === undefined
        ? Expression.startsWith('SELECT')
          ? [`${Expression} in ${seconds} s`]
          : []
        : [`${stat.Stat} of ${stat.Metric.Namespace} ${stat.Metric.MetricName} in ${stat.Period} s`],
    ),
  ),
];

const toRow = (alarm: Alarm): string => {
  const sign = alarm.ComparisonOperator === 'GreaterThanThreshold' ? '>' : alarm.ComparisonOperator;
  const quiet = alarm.TreatMissingData === 'notBreaching' ? '' : `, ${alarm.TreatMissingData}`;
  const periods = `${alarm.DatapointsToAlarm} of ${alarm.EvaluationPeriods}`;
  return `${sign} ${alarm.Threshold} in ${periods}${quiet}: ${toMetrics(alarm).join(' + ')}`;
};

/** When each alarm rings: operator, threshold, bad periods of how many, what no data mean, and what is measured. */
const TABLE: Record<string, string> = {
  DeadLetters: '> 0 in 1 of 1: Sum of MediaGeneration DeadLetters in 300 s',
  DeadLettersWait: '> 900 in 1 of 1: Maximum of AWS/SQS ApproximateAgeOfOldestMessage in 300 s',
  StepsLate: '> 1200 in 2 of 2: Maximum of AWS/SQS ApproximateAgeOfOldestMessage in 300 s',
  WebhookDeadLetters: '> 0 in 1 of 1: Maximum of AWS/SQS ApproximateNumberOfMessagesVisible in 300 s',
  WebhooksLate: '> 1200 in 2 of 2: Maximum of AWS/SQS ApproximateAgeOfOldestMessage in 300 s',
  WorkerErrors:
    '> 3 in 1 of 1: Sum of MediaGeneration MessagesFailed in 900 s + Sum of AWS/Lambda Errors in 900 s',
  AccessDenied: '> 0 in 1 of 1: Sum of MediaGeneration DeniedCalls in 300 s',
  SweeperRepairs: '> 5 in 1 of 1: Sum of MediaGeneration SweeperRepairs in 900 s',
  SweeperSilent: 'LessThanThreshold 1 in 3 of 3, breaching: Sum of AWS/Lambda Invocations in 300 s',
  SweeperFailures: '> 0 in 3 of 3: Sum of MediaGeneration SweeperFailures in 3600 s',
  UnreadableItems: '> 0 in 1 of 1: Sum of MediaGeneration UnreadableItems in 300 s',
  LeftoversNotRemoved: '> 0 in 2 of 3: Sum of AWS/Lambda Errors in 3600 s',
  TasksTimeOut: '> 2 in 1 of 1: Sum of MediaGeneration TasksFailed in 3600 s',
  UpstreamNeedsOperatorsample: '> 0 in 1 of 1: Sum of MediaGeneration UpstreamNeedsOperator in 300 s',
  UpstreamQuota: '> 0 in 1 of 1: Sum of MediaGeneration UpstreamErrors in 300 s',
  VideosDiffersample: '> 0 in 1 of 1: Sum of MediaGeneration VideosDiffer in 3600 s',
  UpstreamFailing: '> 20 in 1 of 1: Sum of MediaGeneration UpstreamErrors in 900 s',
  AvailabilityHour: '> 0.072 in 1 of 1: Average of AWS/ApiGateway 5XXError in 3600 s',
  AvailabilityNow: '> 0.072 in 1 of 1: Average of AWS/ApiGateway 5XXError in 300 s',
  CreatesSlow: 'LessThanThreshold 85.6 in 2 of 2: PR(:3000) of AWS/Lambda Duration in 1800 s',
  CompletionsSlow: 'LessThanThreshold 85.6 in 2 of 2: PR(:60) of MediaGeneration CompletionDelay in 1800 s',
  RouteErrors: '> 0 in 2 of 24: Sum of MediaGeneration/MediaGeneration ServerErrors in 3600 s',
  BudgetNearlyUsed: '> 0 in 1 of 1: Sum of MediaGeneration BudgetsNearlyUsed in 300 s',
  ChargesNotRecorded: '> 0 in 1 of 1: Sum of MediaGeneration ChargesNotRecorded in 300 s',
  FunctionThrottles: '> 0 in 1 of 1: Sum of AWS/Lambda Throttles in 300 s',
  AccountConcurrency: '> 800 in 2 of 3: Maximum of AWS/Lambda ConcurrentExecutions in 300 s',
  TableThrottles:
    '> 0 in 2 of 3: SELECT SUM(ThrottledRequests) FROM SCHEMA("AWS/DynamoDB", Operation, TableName) in 300 s',
  RequestThrottles: '> 100 in 1 of 1: Sum of MediaGeneration/MediaGeneration ThrottledRequests in 300 s',
};

const filterSchema = z.object({
  FilterPattern: z.string(),
  MetricTransformations: z.tuple([
    z.object({
      MetricNamespace: z.literal('MediaGeneration/MediaGeneration'),
      MetricName: z.string(),
      MetricValue: z.literal('1'),
    }),
  ]),
});
const filters = findResources(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) =>
  filterSchema.parse(Properties),
);

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
/** As a filter of CloudWatch Logs matches text: a star stands for any. */
const matchesPattern = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(text);

const alarmsIn = (of: typeof template): Record<string, Alarm> =>
  Object.fromEntries(
    findResources(of, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [
      id.replace(/^Operations(\w+)[0-9A-F]{8}$/, '$1'),
      alarmSchema.parse(Properties),
    ]),
  );
const alarms = alarmsIn(template);

test('the alarms have the thresholds of the table', () => {
  const rows = Object.entries(alarms).map(([name, alarm]) => [name, toRow(alarm)]);
  assert.deepEqual(Object.fromEntries(rows), TABLE);
});

test('the address and the certificate have alarms if there is a probe or a domain', async () => {
  const added = Object.entries(alarmsIn(await templateWith(CONFIGURATIONS.everything)))
    .filter(([name]) => /^(Address|Certificate)/.test(name))
    .map(([name, alarm]) => [name, toRow(alarm)]);
  assert.deepEqual(Object.fromEntries(added), {
    AddressNotReached: '> 2 in 1 of 1, breaching: Sum of AWS/Lambda Errors in 300 s',
    CertificateExpires:
      'LessThanThreshold 30 in 1 of 1, ignore: Minimum of AWS/CertificateManager DaysToExpiry in 86400 s',
  });
});

test('several metrics of an alarm are added', () => {
  for (const [name, { Metrics }] of Object.entries(alarms)) {
    const parts = Metrics.filter(({ MetricStat }) => MetricStat !== undefined);
    const sums = Metrics.flatMap(({ Expression = 'SELECT' }) =>
      Expression.startsWith('SELECT') ? [] : [Expression],
    );
    const sum = parts.map((_, position) => `FILL(m${position}, 0)`).join(' + ');
    assert.deepEqual(sums, parts.length < 2 ? [] : [sum], name);
  }
});

test('the availability alarm rings if both of its windows do, and they notify nobody themselves', () => {
  const [[, { Properties }] = assert.fail('no composite alarm'), ...others] = findResources(
    template,
    'AWS::CloudWatch::CompositeAlarm',
  );
  assert.deepEqual(others, []);
  const rule = JSON.stringify(Properties.AlarmRule);
  const named = Array.from(rule.matchAll(/Operations(\w+?)[0-9A-F]{8}/g), ([, name]) => name);
  assert.deepEqual(named, ['AvailabilityHour', 'AvailabilityNow']);
  assert.match(rule, /ALARM.* AND ALARM/);
  for (const name of ['AvailabilityHour', 'AvailabilityNow'])
    assert.equal(alarms[name]?.AlarmActions, undefined, name);
});

test('the concurrency alarm uses the configured quota', async () => {
  const { AccountConcurrency } = alarmsIn(await templateWith(CONFIGURATIONS.default));
  assert.equal(AccountConcurrency?.Threshold, 8);
});

test('throttled requests are those with status 429 in the access log', () => {
  const filter = filters.find(
    ({ MetricTransformations: [{ MetricName }] }) => MetricName === 'ThrottledRequests',
  );
  assert.equal(filter?.FilterPattern, '{ $.status = "429" }');
});

describe('server errors are counted', () => {
  test('per route family, from the access log', () => {
    const counted = filters.map(({ MetricTransformations: [{ MetricName }] }) => MetricName);
    assert.deepEqual(
      counted.toSorted(),
      [
        ...FAMILY_NAMES.map((family) => `ServerErrors${family}`),
        'ServerErrors',
        'ThrottledRequests',
      ].toSorted(),
    );
  });

  test('except for 503, which the upstream causes', () => {
    const ours = filters.filter(({ MetricTransformations: [{ MetricName }] }) => /^Server/.test(MetricName));
    const statuses = '($.status = "500" || $.status = "502" || $.status = "504")';
    for (const { FilterPattern } of ours) assert.ok(FilterPattern.includes(statuses), FilterPattern);
  });

  test('once for every route of the API', () => {
    const stack = createStack(templateSchema.parse(template), {
      region: 'us-east-1',
      accountId: '000000000000',
      stackName: 'MediaGeneration',
    });
    const paths = new Set(readApi(stack).routes.map(({ resourcePath }) => resourcePath));
    assert.ok(paths.size > 40);
    for (const path of paths) {
      const owners = FAMILY_NAMES.filter((family) =>
        families.get(family)?.some((pattern) => matchesPattern(pattern, path)),
      );
      assert.equal(owners.length, 1, `${path}: ${owners.join(', ') || 'no family'}`);
    }
  });

  test('by patterns with a wildcard only where CloudWatch documents it', () => {
    for (const pattern of [...families.values()].flat()) assert.doesNotMatch(pattern, /.\*./);
  });
});
