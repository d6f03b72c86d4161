import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { AlarmRow } from './alarm-row.ts';
import { sumOf, type Watched } from './service-metrics.ts';

/** The most metrics that an alarm's expression can have. */
const MAX_METRICS = 10;

export const throttleAlarms = (watched: Watched): AlarmRow[] => {
  const functions = [...watched.functions.values()];
  const groups = Array.from({ length: Math.ceil(functions.length / MAX_METRICS) }, (_, group) =>
    functions.slice(group * MAX_METRICS, (group + 1) * MAX_METRICS),
  );
  return [
    ...groups.map((group, position) => ({
      id: `FunctionThrottles${position + 1}`,
      section: 'Function throttles',
      says: 'Lambda turned invocations away: the concurrency of the account is used up.',
      metric: sumOf(
        group.map((each) => each.metricThrottles()),
        'throttles',
        5,
      ),
      above: 0,
    })),
    {
      id: 'AccountConcurrency',
      section: 'Account concurrency',
      says: 'The functions of the account use more than 80 % of the concurrent executions that it may have.',
      metric: LambdaFunction.metricAllConcurrentExecutions({ period: Duration.minutes(5) }),
      above: Math.floor(watched.concurrencyQuota * 0.8),
      bad: [2, 3],
    },
    {
      id: 'TableThrottles',
      section: 'Table throttles',
      says: 'DynamoDB turned requests away.',
      metric: tableThrottles(watched),
      above: 0,
      bad: [2, 3],
    },
    {
      id: 'RequestThrottles',
      section: 'Request throttles',
      says: 'More than 100 requests were answered with 429 in 5 minutes.',
      metric: watched.throttledRequests,
      above: 100,
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
  charges: [Operation.PUT_ITEM],
  keys: [Operation.GET_ITEM],
} as const satisfies Record<keyof Watched['tables'], readonly Operation[]>;

const tableThrottles = ({ tables }: Watched): IMetric => {
  const metrics = (['tasks', 'charges', 'keys'] as const).flatMap((name) =>
    OPERATIONS[name].map((operation) => tables[name].metricThrottledRequestsForOperation(operation)),
  );
  return sumOf(metrics, 'throttled requests', 5);
};
