import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { AlarmRow } from './alarm-row.ts';
import { type MonitoredResources, sumOf, TABLES } from './metrics.ts';

/** The most metrics that an alarm's expression can have. */
const MAX_METRICS = 10;

/** In groups that an alarm can have, of much the same size, so that no group has one metric alone. */
const groupsOf = (metrics: readonly IMetric[]): IMetric[][] => {
  const count = Math.ceil(metrics.length / MAX_METRICS);
  const size = Math.ceil(metrics.length / count);
  return Array.from({ length: count }, (_, group) => metrics.slice(group * size, (group + 1) * size));
};

export const throttleAlarms = (monitored: MonitoredResources): AlarmRow[] => {
  const functions = [...monitored.functions.values()].map((each) => each.metricThrottles());
  return [
    ...groupsOf(functions).map((group, position) => ({
      id: `FunctionThrottles${position + 1}`,
      section: 'Function throttles',
      description: 'Lambda turned invocations away: the concurrency of the account is used up.',
      metric: sumOf(group, 'throttles', 5),
      threshold: 0,
    })),
    {
      id: 'AccountConcurrency',
      section: 'Account concurrency',
      description:
        'The functions of the account use more than 80 % of the concurrent executions that it may have.',
      metric: LambdaFunction.metricAllConcurrentExecutions({ period: Duration.minutes(5) }),
      threshold: Math.floor(monitored.concurrencyQuota * 0.8),
      datapoints: [2, 3],
    },
    ...groupsOf(tableThrottles(monitored)).map((group, position) => ({
      id: `TableThrottles${position + 1}`,
      section: 'Table throttles',
      description: 'DynamoDB turned requests away.',
      metric: sumOf(group, 'throttled requests', 5),
      threshold: 0,
      datapoints: [2, 3] as const,
    })),
    {
      id: 'RequestThrottles',
      section: 'Request throttles',
      description: 'More than 100 requests were answered with 429 in 5 minutes.',
      metric: monitored.throttledRequests,
      threshold: 100,
    },
  ];
};

/** What is called often; the rest of a table's calls are throttled with it. */
const OPERATIONS: Readonly<Record<keyof MonitoredResources['tables'], readonly Operation[]>> = {
  tasks: [
    Operation.GET_ITEM,
    Operation.PUT_ITEM,
    Operation.UPDATE_ITEM,
    Operation.DELETE_ITEM,
    Operation.QUERY,
  ],
  charges: [Operation.TRANSACT_WRITE_ITEMS],
  keys: [Operation.GET_ITEM],
  sessions: [Operation.GET_ITEM],
  accounts: [Operation.UPDATE_ITEM],
  usage: [Operation.TRANSACT_WRITE_ITEMS],
  files: [Operation.GET_ITEM, Operation.TRANSACT_WRITE_ITEMS],
  webhookEndpoints: [Operation.GET_ITEM, Operation.QUERY],
  webhookDeliveries: [Operation.GET_ITEM, Operation.PUT_ITEM],
};

const tableThrottles = ({ tables }: MonitoredResources): IMetric[] =>
  TABLES.flatMap((name) =>
    OPERATIONS[name].map((operation) => tables[name].table.metricThrottledRequestsForOperation(operation)),
  );
