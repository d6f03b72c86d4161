import { ComparisonOperator, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import type { WebhookQueue } from '../resources/queues.ts';
import { type AlarmRow, customMetric, type Monitored, sumMetrics } from './metrics.ts';
import { objectiveAlarms } from './objectives.ts';

/** A failure of the dead-letter function is a failed message, or leaves it in the queue, which has its own alarm. */
const background = ({ webhooks }: Monitored): readonly string[] => [
  'video-worker',
  ...(webhooks === undefined ? [] : ['webhook-worker']),
  'sweeper',
];

export const listAlarms = (monitored: Monitored): readonly AlarmRow[] => [
  ...workAlarms(monitored),
  ...(monitored.webhooks === undefined ? [] : webhookAlarms(monitored.webhooks.queue)),
  ...upstreamAlarms(monitored),
  ...objectiveAlarms(monitored),
  ...requestAlarms(monitored),
  ...throttleAlarms(monitored),
  ...addressAlarms(monitored),
];

/** Watches a deployment minute by minute: any failure of a gradually deployed function stops it. */
export const deploymentAlarm = (monitored: Monitored): AlarmRow => {
  const period = Duration.minutes(1);
  const gradual = [...monitored.functions.all.values()].filter(({ liveAlias }) => liveAlias !== undefined);
  const families = (['Videos', 'Images'] as const).flatMap((name) => monitored.familyErrors.get(name) ?? []);
  return {
    id: 'DeploymentErrors',
    description: 'Creates, images or the worker failed; a deployment in progress is rolled back.',
    metric: sumMetrics(
      [
        ...gradual.map((each) => each.metricErrors({ period })),
        ...families.map((metric) => metric.with({ period })),
        customMetric(monitored, 'MessagesFailed', { minutes: 1 }),
      ],
      'failures',
      1,
    ),
  };
};

const workAlarms = (monitored: Monitored): AlarmRow[] => {
  const { steps } = monitored;
  const errors = background(monitored).map((name) =>
    monitored.functions.get(name).metricErrors({ period: Duration.minutes(15) }),
  );
  const timeouts = ['queue_timeout', 'generation_timeout'].map((code) =>
    customMetric(monitored, 'TasksFailed', { by: { code }, minutes: 60 }),
  );
  return [
    {
      id: 'DeadLetters',
      description: 'A step of a task failed ten times, and its task was failed.',
      metric: customMetric(monitored, 'DeadLetters'),
    },
    {
      id: 'DeadLettersWait',
      description: 'Messages stay in the dead-letter queue: the function that handles them does not work.',
      metric: steps.deadLetters.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      threshold: 15 * 60,
    },
    {
      id: 'StepsLate',
      description: 'Steps of tasks have waited for more than 20 minutes, longer than the longest delay.',
      metric: steps.queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      threshold: 20 * 60,
      datapoints: [2, 2],
    },
    {
      id: 'WorkerErrors',
      description:
        'A worker, the sweeper or the dead-letter function failed more than 3 times in 15 minutes.',
      metric: sumMetrics(
        [customMetric(monitored, 'MessagesFailed', { minutes: 15 }), ...errors],
        'failures',
        15,
      ),
      threshold: 3,
    },
    {
      id: 'AccessDenied',
      description:
        'AWS denied a call of a function: its role lacks a permission, or the KMS key is disabled.',
      metric: customMetric(monitored, 'DeniedCalls'),
    },
    {
      id: 'SweeperRepairs',
      description: 'The sweeper put more than 5 overdue tasks back on the queue in 15 minutes.',
      metric: customMetric(monitored, 'SweeperRepairs', { minutes: 15 }),
      threshold: 5,
    },
    {
      id: 'SweeperSilent',
      description: 'The sweeper, which runs every minute, has not run for 15 minutes.',
      metric: monitored.functions.get('sweeper').metricInvocations(),
      threshold: 1,
      datapoints: [3, 3],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      missing: TreatMissingData.BREACHING,
    },
    {
      id: 'SweeperFailures',
      description: 'The sweeper or the clean-up failed to handle an item in three consecutive hours.',
      metric: customMetric(monitored, 'SweeperFailures', { minutes: 60 }),
      datapoints: [3, 3],
    },
    {
      id: 'UnreadableItems',
      description: 'A list or a background function skipped a table item that it could not read.',
      metric: customMetric(monitored, 'UnreadableItems'),
    },
    {
      id: 'LeftoversNotRemoved',
      description: 'The hourly clean-up failed in two of three hours.',
      metric: monitored.functions.get('remove-leftovers').metricErrors({ period: Duration.hours(1) }),
      datapoints: [2, 3],
    },
    {
      id: 'TasksTimeOut',
      description: 'More than 2 tasks timed out in an hour.',
      metric: sumMetrics(timeouts, 'timeouts', 60),
      threshold: 2,
    },
  ];
};

const webhookAlarms = ({ queue, deadLetters }: WebhookQueue): AlarmRow[] => [
  {
    id: 'WebhookDeadLetters',
    description: 'A message of the webhook queue failed for two hours: an event may be lost.',
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
  },
  {
    id: 'WebhooksLate',
    description: 'Events have waited for more than 20 minutes, longer than the longest delay.',
    metric: queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
    threshold: 20 * 60,
    datapoints: [2, 2],
  },
];

const upstreamAlarms = (monitored: Monitored): AlarmRow[] => {
  const faults = (fault: string, minutes: number) =>
    customMetric(monitored, 'UpstreamErrors', { by: { fault }, minutes });
  return [
    ...monitored.upstreams.list.flatMap(({ name: upstream }): AlarmRow[] => [
      {
        id: `UpstreamNeedsOperator-${upstream}`,
        section: 'Upstream needs the operator',
        description: `The upstream ${upstream} rejects its credential, requires payment, or has retired a model; the log names the replacement.`,
        metric: customMetric(monitored, 'UpstreamNeedsOperator', { by: { upstream } }),
      },
      {
        id: `VideosDiffer-${upstream}`,
        description: `The upstream ${upstream} delivered a video with another size or duration than requested.`,
        metric: customMetric(monitored, 'VideosDiffer', { by: { upstream }, minutes: 60 }),
      },
    ]),
    {
      id: 'UpstreamQuota',
      description: 'A daily quota of the upstream is used up.',
      metric: faults('exhausted', 5),
    },
    {
      id: 'UpstreamFailing',
      description: 'More than 20 calls to the upstream failed or timed out in 15 minutes.',
      metric: sumMetrics([faults('failing', 15), faults('unanswered', 15)], 'failed calls', 15),
      threshold: 20,
    },
  ];
};

const requestAlarms = (monitored: Monitored): AlarmRow[] => [
  {
    id: 'RouteErrors',
    description: 'Requests failed with 500, 502 or 504 in two of the last 24 hours.',
    metric: monitored.routeErrors.with({ period: Duration.hours(1) }),
    datapoints: [2, 24],
  },
  {
    id: 'BudgetNearlyUsed',
    description: 'An account passed 80 % of its monthly budget.',
    metric: customMetric(monitored, 'BudgetsNearlyUsed'),
  },
  {
    id: 'ChargesNotRecorded',
    description: 'An image was generated but not returned, because its charge could not be recorded.',
    metric: customMetric(monitored, 'ChargesNotRecorded'),
  },
];

/** Of faults that keep requests from arriving, so that no other alarm notices them. */
const addressAlarms = ({ config, functions, api: { certificate } }: Monitored): AlarmRow[] => [
  ...(config.probe
    ? [
        {
          id: 'AddressNotReached',
          description: 'More than 2 of 5 requests from the probe to the public address failed.',
          metric: functions.get('probe').metricErrors({ period: Duration.minutes(5) }),
          threshold: 2,
          missing: TreatMissingData.BREACHING,
        },
      ]
    : []),
  ...(certificate === undefined
    ? []
    : [
        {
          id: 'CertificateExpires',
          description: 'The certificate of the domain expires in less than 30 days.',
          // A day has two values, and none at all after the end.
          metric: certificate.metricDaysToExpiry(),
          threshold: 30,
          comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
          missing: TreatMissingData.IGNORE,
        },
      ]),
];

/**
 * DynamoDB counts throttles by table and operation. One query over all of them costs one metric, while an alarm per
 * pair would cost dozens. A query cannot name several tables, so it covers all tables of the account.
 */
const tableThrottles = (): MathExpression =>
  new MathExpression({
    expression: 'SELECT SUM(ThrottledRequests) FROM SCHEMA("AWS/DynamoDB", Operation, TableName)',
    period: Duration.minutes(5),
    label: 'throttled requests',
  });

/** These watch the whole account: it shares its concurrency, and each metric of an alarm costs money. */
const throttleAlarms = (monitored: Monitored): AlarmRow[] => [
  {
    id: 'FunctionThrottles',
    description: 'Lambda throttled invocations: the concurrency of the account is used up.',
    metric: LambdaFunction.metricAllThrottles({ period: Duration.minutes(5) }),
  },
  {
    id: 'AccountConcurrency',
    description: 'The functions of the account use more than 80 % of its concurrent executions.',
    metric: LambdaFunction.metricAllConcurrentExecutions({ period: Duration.minutes(5) }),
    threshold: Math.floor(monitored.config.lambdaConcurrencyQuota * 0.8),
    datapoints: [2, 3],
  },
  {
    id: 'TableThrottles',
    description: 'DynamoDB throttled requests.',
    metric: tableThrottles(),
    datapoints: [2, 3],
  },
  {
    id: 'RequestThrottles',
    description: 'More than 100 requests were answered with 429 in 5 minutes.',
    metric: monitored.api.throttledRequests,
    threshold: 100,
  },
];
