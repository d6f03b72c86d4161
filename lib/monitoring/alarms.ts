import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import {
  type AlarmRow,
  customMetric,
  functionNamed,
  type MonitoredResources,
  sumMetrics,
} from './metrics.ts';
import { objectiveAlarms } from './objectives.ts';
import { requestAlarms, throttleAlarms, upstreamAlarms } from './request-alarms.ts';

/** A failure of the dead-letter function is a failed message, or leaves it in the queue, which has its own alarm. */
const BACKGROUND = ['video-worker', 'webhook-worker', 'sweeper'];

export const listAlarms = (monitored: MonitoredResources): readonly AlarmRow[] => [
  ...workAlarms(monitored),
  ...webhookAlarms(monitored),
  ...upstreamAlarms(monitored),
  ...objectiveAlarms(monitored),
  ...requestAlarms(monitored),
  ...throttleAlarms(monitored),
];

/** Watches a deployment minute by minute: any failure of a gradually deployed function stops it. */
export const deploymentAlarm = (monitored: MonitoredResources): AlarmRow => {
  const period = Duration.minutes(1);
  const gradual = [...monitored.functions.values()].filter(({ liveAlias }) => liveAlias !== undefined);
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

const workAlarms = (monitored: MonitoredResources): AlarmRow[] => {
  const { steps } = monitored;
  const errors = BACKGROUND.map((name) =>
    functionNamed(monitored, name).metricErrors({ period: Duration.minutes(15) }),
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
      metric: functionNamed(monitored, 'sweeper').metricInvocations(),
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
      metric: functionNamed(monitored, 'remove-leftovers').metricErrors({ period: Duration.hours(1) }),
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

const webhookAlarms = ({ webhooks: { queue, deadLetters } }: MonitoredResources): AlarmRow[] => [
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
