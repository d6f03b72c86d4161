import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmRow } from './alarm-row.ts';
import { throttleAlarms } from './alarm-throttles.ts';
import { customMetric, functionNamed, type MonitoredResources, sumOf } from './metrics.ts';

const BACKGROUND = ['video-worker', 'webhook-worker', 'dead-letter', 'sweeper'];
/** Those that send to the queue that invokes them. */
const LOOPING = ['video-worker', 'webhook-worker'];

export const alarmsOf = (monitored: MonitoredResources): readonly AlarmRow[] => [
  ...workAlarms(monitored),
  ...webhookAlarms(monitored),
  ...upstreamAlarms(monitored),
  ...requestAlarms(monitored),
  ...throttleAlarms(monitored),
];

/** Watches a deployment minute by minute: any failure of what it changes gradually stops it. */
export const deploymentAlarm = (monitored: MonitoredResources): AlarmRow => {
  const period = Duration.minutes(1);
  const gradual = [...monitored.functions.values()].filter(({ liveAlias }) => liveAlias !== undefined);
  const families = (['Videos', 'Images'] as const).flatMap((name) => monitored.familyErrors.get(name) ?? []);
  return {
    id: 'DeploymentErrors',
    section: 'Deployment errors',
    description: 'Creates, images or the worker failed; a deployment that is under way is rolled back.',
    metric: sumOf(
      [
        ...gradual.map((each) => each.metricErrors({ period })),
        ...families.map((metric) => metric.with({ period })),
        customMetric(monitored, 'MessagesFailed', { minutes: 1 }),
      ],
      'failures',
      1,
    ),
    threshold: 0,
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
      section: 'Dead letters',
      description: 'A step of a task failed ten times, and its task was failed.',
      metric: customMetric(monitored, 'DeadLetters'),
      threshold: 0,
    },
    {
      id: 'DeadLettersWait',
      section: 'Dead letters wait',
      description:
        'Messages stay in the dead-letter queue: the function that fails their tasks does not work.',
      metric: steps.deadLetters.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      threshold: 15 * 60,
    },
    {
      id: 'StepsLate',
      section: 'Steps late',
      description: 'Steps of tasks have waited for more than 20 minutes, longer than any is put off.',
      metric: steps.queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      threshold: 20 * 60,
      datapoints: [2, 2],
    },
    {
      id: 'WorkerErrors',
      section: 'Worker errors',
      description:
        'A worker, the sweeper or the dead-letter function failed more than 3 times in 15 minutes.',
      metric: sumOf([customMetric(monitored, 'MessagesFailed', { minutes: 15 }), ...errors], 'failures', 15),
      threshold: 3,
    },
    {
      id: 'InvocationsDropped',
      section: 'Invocations dropped',
      description: 'Lambda took the steps of a task for an endless loop and dropped one.',
      metric: sumOf(
        LOOPING.map((name) =>
          functionNamed(monitored, name).metric('RecursiveInvocationsDropped', { statistic: 'Sum' }),
        ),
        'dropped',
        5,
      ),
      threshold: 0,
    },
    {
      id: 'SweeperRepairs',
      section: 'Sweeper repairs',
      description: 'The sweeper put more than 5 overdue tasks back on the queue in 15 minutes.',
      metric: customMetric(monitored, 'SweeperRepairs', { minutes: 15 }),
      threshold: 5,
    },
    {
      id: 'SweeperSilent',
      section: 'Sweeper silent',
      description: 'The sweeper, which runs every minute, has not run for 15 minutes.',
      metric: functionNamed(monitored, 'sweeper').metricInvocations(),
      threshold: 1,
      datapoints: [3, 3],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      missing: TreatMissingData.BREACHING,
    },
    {
      id: 'SweeperFailures',
      section: 'Sweeper failures',
      description: 'For three hours in a row, the sweeper or the clean-up could not handle something.',
      metric: customMetric(monitored, 'SweeperFailures', { minutes: 60 }),
      threshold: 0,
      datapoints: [3, 3],
    },
    {
      id: 'UnreadableItems',
      section: 'Unreadable items',
      description: 'A list or a background function skipped an item of a table that it could not read.',
      metric: customMetric(monitored, 'UnreadableItems'),
      threshold: 0,
    },
    {
      id: 'LeftoversNotRemoved',
      section: 'Leftovers not removed',
      description: 'The hourly clean-up failed in two of three hours.',
      metric: functionNamed(monitored, 'remove-leftovers').metricErrors({ period: Duration.hours(1) }),
      threshold: 0,
      datapoints: [2, 3],
    },
    {
      id: 'TasksTimeOut',
      section: 'Tasks time out',
      description: 'More than 2 tasks ran out of time in an hour.',
      metric: sumOf(timeouts, 'timeouts', 60),
      threshold: 2,
    },
  ];
};

const webhookAlarms = ({ webhooks: { queue, deadLetters } }: MonitoredResources): AlarmRow[] => [
  {
    id: 'WebhookDeadLetters',
    section: 'Webhook dead letters',
    description: 'A message of the webhook queue failed for two hours: an event may not be told.',
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
    threshold: 0,
  },
  {
    id: 'WebhooksLate',
    section: 'Webhooks late',
    description: 'Events have waited for more than 20 minutes, longer than any try is put off.',
    metric: queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
    threshold: 20 * 60,
    datapoints: [2, 2],
  },
];

const upstreamAlarms = (monitored: MonitoredResources): AlarmRow[] => {
  const faults = (fault: string, minutes: number) =>
    customMetric(monitored, 'UpstreamErrors', { by: { fault }, minutes });
  return [
    {
      id: 'UpstreamNeedsOperator',
      section: 'Upstream needs the operator',
      description: 'The upstream refuses the key, asks for payment or does not know the model.',
      metric: customMetric(monitored, 'UpstreamNeedsOperator'),
      threshold: 0,
    },
    {
      id: 'UpstreamQuota',
      section: 'Upstream quota',
      description: 'A daily quota of the upstream is used up.',
      metric: faults('exhausted', 5),
      threshold: 0,
    },
    {
      id: 'UpstreamFailing',
      section: 'Upstream failing',
      description: 'More than 20 calls to the upstream failed or had no answer in 15 minutes.',
      metric: sumOf([faults('failing', 15), faults('unanswered', 15)], 'failed calls', 15),
      threshold: 20,
    },
  ];
};

const requestAlarms = (monitored: MonitoredResources): AlarmRow[] => [
  {
    id: 'ServerErrors',
    section: 'Server errors',
    description: 'More than 5 % of the requests were answered with 5xx in two of three periods of 5 minutes.',
    // Each request counts 0 or 1, so that the average is the rate.
    metric: monitored.rest.metricServerError({ statistic: 'Average' }),
    threshold: 0.05,
    datapoints: [2, 3],
  },
  ...[...monitored.familyErrors].map(([family, metric]) => ({
    id: `ServerErrors${family}`,
    section: 'Server errors of a family',
    description: `Requests of the family ${family} failed on our side in two hours of the last 24.`,
    metric: metric.with({ period: Duration.hours(1) }),
    threshold: 0,
    datapoints: [2, 24] as const,
  })),
  {
    id: 'BudgetNearlyUsed',
    section: 'Budget nearly used',
    description: 'An account passed 80 % of its monthly budget.',
    metric: customMetric(monitored, 'BudgetsNearlyUsed'),
    threshold: 0,
  },
  {
    id: 'ChargesNotRecorded',
    section: 'Charges not recorded',
    description: 'An image was made and its charge could not be written.',
    metric: customMetric(monitored, 'ChargesNotRecorded'),
    threshold: 0,
  },
];
