import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { MetricName } from '../../functions/platform/runtime/logger.ts';
import type { StepQueue, WebhookQueue } from '../resources/queues.ts';
import { customMetric, type Monitored, NAMESPACE } from './metrics.ts';

const graph = (title: string, left: IMetric[], right: IMetric[] = []): IWidget =>
  new GraphWidget({ title, left, right, width: 8, height: 6 });

/** One line per value of the dimension. */
const byDimension = (
  { config: { stackName: service } }: Monitored,
  metric: MetricName,
  dimension: string,
  statistic = 'Sum',
): IMetric =>
  new MathExpression({
    expression: `SEARCH('{${NAMESPACE},service,${dimension}} MetricName="${metric}" service="${service}"', '${statistic}', 300)`,
    label: '',
    period: Duration.minutes(5),
  });

const percentiles = (monitored: Monitored, metric: MetricName): IMetric[] =>
  ['p50', 'p90', 'p99'].map((statistic) => customMetric(monitored, metric, { statistic, label: statistic }));

const queueGraph = (title: string, { queue, deadLetters }: StepQueue | WebhookQueue): IWidget =>
  graph(
    title,
    [
      queue.metricApproximateNumberOfMessagesVisible({ label: 'waiting' }),
      queue.metricApproximateNumberOfMessagesNotVisible({ label: 'in progress' }),
      deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'dead letters' }),
    ],
    [queue.metricApproximateAgeOfOldestMessage({ label: 'oldest (s)', statistic: 'Maximum' })],
  );

const videoWidgets = (monitored: Monitored): IWidget[] => [
  graph(
    'Tasks by outcome',
    [
      customMetric(monitored, 'TasksCreated', { label: 'created' }),
      byDimension(monitored, 'TasksFailed', 'code'),
    ],
    [customMetric(monitored, 'TasksCompleted', { label: 'completed' })],
  ),
  graph('Generation time (s)', percentiles(monitored, 'GenerationTime')),
  graph('From the upstream being done to completion (s)', percentiles(monitored, 'CompletionDelay')),
  graph('Seconds billed', [byDimension(monitored, 'SecondsBilled', 'model')]),
];

const queueWidgets = (monitored: Monitored): IWidget[] => [
  graph('Wait before submission to the upstream (s)', percentiles(monitored, 'QueueWait')),
  queueGraph('Steps waiting', monitored.steps),
  graph(
    'Repairs',
    (
      [
        'SweeperRepairs',
        'SweeperBacklog',
        'SweeperFailures',
        'UnreadableItems',
        'DeniedCalls',
        'MessagesFailed',
        'DeadLetters',
      ] as const
    ).map((name) => customMetric(monitored, name)),
  ),
];

const webhookWidgets = (monitored: Monitored, queue: WebhookQueue): IWidget[] => [
  graph('From event to delivery (s)', percentiles(monitored, 'WebhookDelay')),
  graph('Webhooks', [
    customMetric(monitored, 'WebhooksDelivered', { label: 'delivered' }),
    customMetric(monitored, 'WebhookTriesFailed', { label: 'failed attempts' }),
    customMetric(monitored, 'WebhooksGivenUp', { label: 'given up' }),
    byDimension(monitored, 'WebhookEndpointsDisabled', 'reason'),
  ]),
  queueGraph('Webhooks waiting', queue),
];

const upstreamWidgets = (monitored: Monitored): IWidget[] => [
  graph('Upstream errors by fault', [byDimension(monitored, 'UpstreamErrors', 'fault')]),
  graph('Submits and pauses by upstream', [
    byDimension(monitored, 'TasksSubmitted', 'upstream'),
    byDimension(monitored, 'UpstreamPauses', 'upstream'),
    customMetric(monitored, 'TasksInLine', { label: 'waiting in line' }),
  ]),
  graph('Errors by upstream', [byDimension(monitored, 'UpstreamErrors', 'upstream')]),
  graph('Videos that differ from the request, by upstream', [
    byDimension(monitored, 'VideosDiffer', 'upstream'),
  ]),
  graph('Upstream latency by call, p90 (ms)', [byDimension(monitored, 'UpstreamLatency', 'call', 'p90')]),
  graph('Images', [
    customMetric(monitored, 'ImagesMade', { label: 'made' }),
    customMetric(monitored, 'ImagesBlocked', { label: 'blocked' }),
    byDimension(monitored, 'ImagesFailed', 'code'),
    byDimension(monitored, 'BudgetsNearlyUsed', 'account'),
  ]),
];

const requestWidgets = (monitored: Monitored): IWidget[] => {
  const { rest, throttledRequests } = monitored.api;
  const create = monitored.functions.get('create-video');
  return [
    graph('Requests', [rest.metricCount({ label: 'requests' })], [customMetric(monitored, 'ServerErrors')]),
    graph('Server errors by family', [...monitored.familyErrors.values()]),
    graph('Rejected requests', [
      rest.metricClientError({ label: '4xx' }),
      rest.metricServerError({ label: '5xx' }),
      throttledRequests,
    ]),
    graph('Creates (ms)', [
      create.metricDuration({ statistic: 'p50', label: 'p50' }),
      create.metricDuration({ statistic: 'p99', label: 'p99' }),
    ]),
    graph('Latency (ms)', [
      rest.metricLatency({ statistic: 'p50', label: 'p50' }),
      rest.metricLatency({ statistic: 'p99', label: 'p99' }),
    ]),
  ];
};

const functionWidgets = (monitored: Monitored): IWidget[] => {
  const functions = [...monitored.functions.all].map(([label, each]) => ({ label, each }));
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
      [monitored.functions.get('video-worker').metricInvocations({ label: 'worker invocations' })],
    ),
  ];
};

export const addDashboard = (scope: Construct, monitored: Monitored, alarms: IAlarm[]): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    dashboardName: monitored.config.stackName,
    defaultInterval: Duration.hours(12),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 3 })],
      videoWidgets(monitored),
      queueWidgets(monitored),
      ...(monitored.webhooks === undefined ? [] : [webhookWidgets(monitored, monitored.webhooks.queue)]),
      upstreamWidgets(monitored),
      requestWidgets(monitored),
      functionWidgets(monitored),
    ],
  });
