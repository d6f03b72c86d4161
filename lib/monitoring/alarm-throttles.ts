import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { AlarmRow } from './alarm-row.ts';
import { type MonitoredResources, sumOf } from './metrics.ts';

/** The most metrics that an alarm's expression can have. */
const MAX_METRICS = 10;

export const throttleAlarms = (monitored: MonitoredResources): AlarmRow[] => {
  const functions = [...monitored.functions.values()];
  const count = Math.ceil(functions.length / MAX_METRICS);
  // Of much the same size, so that no group has one function alone.
  const size = Math.ceil(functions.length / count);
  const groups = Array.from({ length: count }, (_, group) =>
    functions.slice(group * size, (group + 1) * size),
  );
  return [
    ...groups.map((group, position) => ({
      id: `FunctionThrottles${position + 1}`,
      section: 'Function throttles',
      description: 'Lambda turned invocations away: the concurrency of the account is used up.',
      metric: sumOf(
        group.map((each) => each.metricThrottles()),
        'throttles',
        5,
      ),
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
    {
      id: 'TableThrottles',
      section: 'Table throttles',
      description: 'DynamoDB turned requests away.',
      metric: tableThrottles(monitored),
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
};

const OPERATIONS = {
  tasks: [
    Operation.GET_ITEM,
    Operation.PUT_ITEM,
    Operation.UPDATE_ITEM,
    Operation.DELETE_ITEM,
    Operation.QUERY,
  ],
  charges: [Operation.TRANSACT_WRITE_ITEMS],
  keys: [Operation.GET_ITEM],
  accounts: [Operation.UPDATE_ITEM],
  usage: [Operation.TRANSACT_WRITE_ITEMS],
} as const satisfies Record<keyof MonitoredResources['tables'], readonly Operation[]>;

const tableThrottles = ({ tables }: MonitoredResources): IMetric => {
  const metrics = (['tasks', 'charges', 'keys', 'accounts', 'usage'] as const).flatMap((name) =>
    OPERATIONS[name].map((operation) => tables[name].metricThrottledRequestsForOperation(operation)),
  );
  return sumOf(metrics, 'throttled requests', 5);
};
