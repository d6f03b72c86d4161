import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { MetricName } from '../functions/runtime/metrics.ts';
import { functionNamed, NAMESPACE, type Watched, written } from './service-metrics.ts';

const graph = (title: string, left: IMetric[], right: IMetric[] = []): IWidget =>
  new GraphWidget({ title, left, right, width: 8, height: 6 });

/** One line for each value that the dimension has had, without a list of them here. */
const each = ({ service }: Watched, metric: MetricName, dimension: string, statistic = 'Sum'): IMetric =>
  new MathExpression({
    expression: `SEARCH('{${NAMESPACE},service,${dimension}} MetricName="${metric}" service="${service}"', '${statistic}', 300)`,
    label: '',
    period: Duration.minutes(5),
  });

const percentiles = (watched: Watched, metric: MetricName): IMetric[] =>
  ['p50', 'p90', 'p99'].map((statistic) => written(watched, metric, { statistic, label: statistic }));

const videoWidgets = (watched: Watched): IWidget[] => [
  graph(
    'Tasks by outcome',
    [written(watched, 'TasksCreated', { label: 'created' }), each(watched, 'TasksFailed', 'code')],
    [written(watched, 'TasksCompleted', { label: 'completed' })],
  ),
  graph('Generation time (s)', percentiles(watched, 'GenerationTime')),
  graph('Seconds billed', [each(watched, 'SecondsBilled', 'model')]),
];

const queueWidgets = (watched: Watched): IWidget[] => {
  const { queue, deadLetters } = watched.steps;
  return [
    graph('Wait before the upstream takes a task (s)', percentiles(watched, 'QueueWait')),
    graph(
      'Steps waiting',
      [
        queue.metricApproximateNumberOfMessagesVisible({ label: 'waiting' }),
        queue.metricApproximateNumberOfMessagesNotVisible({ label: 'at work' }),
        deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'dead' }),
      ],
      [queue.metricApproximateAgeOfOldestMessage({ label: 'oldest (s)', statistic: 'Maximum' })],
    ),
    graph(
      'Repairs',
      (['SweeperRepairs', 'SweeperBacklog', 'SweeperFailures', 'MessagesFailed', 'DeadLetters'] as const).map(
        (name) => written(watched, name),
      ),
    ),
  ];
};

const upstreamWidgets = (watched: Watched): IWidget[] => [
  graph('Upstream errors by fault', [each(watched, 'UpstreamErrors', 'fault')]),
  graph('Upstream latency by call, p90 (ms)', [each(watched, 'UpstreamLatency', 'call', 'p90')]),
  graph('Images', [
    written(watched, 'ImagesMade', { label: 'made' }),
    written(watched, 'ImagesBlocked', { label: 'blocked' }),
    each(watched, 'ImagesFailed', 'code'),
  ]),
];

const requestWidgets = (watched: Watched): IWidget[] => {
  const { rest, throttledRequests } = watched;
  return [
    graph('Requests', [rest.metricCount({ label: 'requests' })], [written(watched, 'ServerErrors')]),
    graph('Refused requests', [
      rest.metricClientError({ label: '4xx' }),
      rest.metricServerError({ label: '5xx' }),
      throttledRequests,
    ]),
    graph('Latency (ms)', [
      rest.metricLatency({ statistic: 'p50', label: 'p50' }),
      rest.metricLatency({ statistic: 'p99', label: 'p99' }),
    ]),
  ];
};

const functionWidgets = (watched: Watched): IWidget[] => {
  const functions = [...watched.functions].map(([label, each]) => ({ label, each }));
  return [
    graph(
      'Function errors',
      functions.map(({ label, each }) => each.metricErrors({ label })),
    ),
    graph(
      'Function throttles',
      functions.map(({ label, each }) => each.metricThrottles({ label })),
    ),
    graph(
      'Function time, p90 (ms)',
      functions.map(({ label, each }) => each.metricDuration({ label, statistic: 'p90' })),
      [functionNamed(watched, 'video-worker').metricInvocations({ label: 'worker invocations' })],
    ),
  ];
};

export const addDashboard = (scope: Construct, watched: Watched, alarms: Alarm[]): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    dashboardName: watched.service,
    defaultInterval: Duration.hours(12),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 3 })],
      videoWidgets(watched),
      queueWidgets(watched),
      upstreamWidgets(watched),
      requestWidgets(watched),
      functionWidgets(watched),
    ],
  });
