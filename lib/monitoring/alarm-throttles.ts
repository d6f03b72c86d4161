import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { AlarmRow } from './alarm-row.ts';
import type { MonitoredResources } from './metrics.ts';

/**
 * DynamoDB counts by table and operation, and only where it throttles: a query over all of them costs a metric where
 * an alarm for each pair would cost dozens. A query cannot name several tables, so it covers those of the account.
 */
const tableThrottles = (): MathExpression =>
  new MathExpression({
    expression: 'SELECT SUM(ThrottledRequests) FROM SCHEMA("AWS/DynamoDB", Operation, TableName)',
    period: Duration.minutes(5),
    label: 'throttled requests',
  });

/** Concurrency is shared by the account, and each metric of an alarm is paid for: so these watch the account. */
export const throttleAlarms = (monitored: MonitoredResources): AlarmRow[] => [
  {
    id: 'FunctionThrottles',
    section: 'Function throttles',
    description: 'Lambda turned invocations away: the concurrency of the account is used up.',
    metric: LambdaFunction.metricAllThrottles({ period: Duration.minutes(5) }),
    threshold: 0,
  },
  {
    id: 'AccountConcurrency',
    section: 'Account concurrency',
    description:
      'The functions of the account use more than 80 % of the concurrent executions that it may have.',
    metric: LambdaFunction.metricAllConcurrentExecutions({ period: Duration.minutes(5) }),
    threshold: Math.floor(monitored.concurrencyQuota * 0.8),
    datapoints: [2, 3],
  },
  {
    id: 'TableThrottles',
    section: 'Table throttles',
    description: 'DynamoDB turned requests away.',
    metric: tableThrottles(),
    threshold: 0,
    datapoints: [2, 3],
  },
  {
    id: 'RequestThrottles',
    section: 'Request throttles',
    description: 'More than 100 requests were answered with 429 in 5 minutes.',
    metric: monitored.throttledRequests,
    threshold: 100,
  },
];
