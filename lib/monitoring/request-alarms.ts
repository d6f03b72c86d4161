import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { type AlarmRow, customMetric, type MonitoredResources, sumMetrics } from './metrics.ts';

export const upstreamAlarms = (monitored: MonitoredResources): AlarmRow[] => {
  const faults = (fault: string, minutes: number) =>
    customMetric(monitored, 'UpstreamErrors', { by: { fault }, minutes });
  return [
    ...monitored.upstreams.flatMap((upstream): AlarmRow[] => [
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

export const requestAlarms = (monitored: MonitoredResources): AlarmRow[] => [
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
export const throttleAlarms = (monitored: MonitoredResources): AlarmRow[] => [
  {
    id: 'FunctionThrottles',
    description: 'Lambda throttled invocations: the concurrency of the account is used up.',
    metric: LambdaFunction.metricAllThrottles({ period: Duration.minutes(5) }),
  },
  {
    id: 'AccountConcurrency',
    description: 'The functions of the account use more than 80 % of its concurrent executions.',
    metric: LambdaFunction.metricAllConcurrentExecutions({ period: Duration.minutes(5) }),
    threshold: Math.floor(monitored.concurrencyQuota * 0.8),
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
    metric: monitored.throttledRequests,
    threshold: 100,
  },
];
