import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmRow } from './alarm-row.ts';
import { throttleAlarms } from './alarm-throttles.ts';
import { functionNamed, sumOf, type Watched, written } from './service-metrics.ts';

const BACKGROUND = ['video-worker', 'dead-letter', 'sweeper'];

export const alarmsOf = (watched: Watched): readonly AlarmRow[] => [
  ...workAlarms(watched),
  ...upstreamAlarms(watched),
  ...requestAlarms(watched),
  ...throttleAlarms(watched),
];

const workAlarms = (watched: Watched): AlarmRow[] => {
  const { steps } = watched;
  const errors = BACKGROUND.map((name) =>
    functionNamed(watched, name).metricErrors({ period: Duration.minutes(15) }),
  );
  const timeouts = ['queue_timeout', 'generation_timeout'].map((code) =>
    written(watched, 'TasksFailed', { by: { code }, minutes: 60 }),
  );
  return [
    {
      id: 'DeadLetters',
      section: 'Dead letters',
      says: 'A step of a task failed five times, and its task was failed.',
      metric: written(watched, 'DeadLetters'),
      above: 0,
    },
    {
      id: 'DeadLettersWait',
      section: 'Dead letters wait',
      says: 'Messages stay in the dead-letter queue: the function that fails their tasks does not work.',
      metric: steps.deadLetters.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      above: 15 * 60,
    },
    {
      id: 'StepsLate',
      section: 'Steps late',
      says: 'Steps of tasks have waited for more than 20 minutes, longer than any is put off.',
      metric: steps.queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      above: 20 * 60,
      bad: [2, 2],
    },
    {
      id: 'WorkerErrors',
      section: 'Worker errors',
      says: 'The worker, the sweeper or the dead-letter function failed more than 3 times in 15 minutes.',
      metric: sumOf([written(watched, 'MessagesFailed', { minutes: 15 }), ...errors], 'failures', 15),
      above: 3,
    },
    {
      id: 'InvocationsDropped',
      section: 'Invocations dropped',
      says: 'Lambda took the steps of a task for an endless loop and dropped one.',
      metric: sumOf(
        BACKGROUND.map((name) =>
          functionNamed(watched, name).metric('RecursiveInvocationsDropped', { statistic: 'Sum' }),
        ),
        'dropped',
        5,
      ),
      above: 0,
    },
    {
      id: 'SweeperRepairs',
      section: 'Sweeper repairs',
      says: 'The sweeper put more than 5 overdue tasks back on the queue in 15 minutes.',
      metric: written(watched, 'SweeperRepairs', { minutes: 15 }),
      above: 5,
    },
    {
      id: 'SweeperSilent',
      section: 'Sweeper silent',
      says: 'The sweeper, which runs every minute, has not run for 15 minutes.',
      metric: functionNamed(watched, 'sweeper').metricInvocations(),
      above: 1,
      bad: [3, 3],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      missing: TreatMissingData.BREACHING,
    },
    {
      id: 'TasksTimeOut',
      section: 'Tasks time out',
      says: 'More than 2 tasks ran out of time in an hour.',
      metric: sumOf(timeouts, 'timeouts', 60),
      above: 2,
    },
  ];
};

const upstreamAlarms = (watched: Watched): AlarmRow[] => {
  const faults = (fault: string, minutes: number) =>
    written(watched, 'UpstreamErrors', { by: { fault }, minutes });
  return [
    {
      id: 'UpstreamNeedsOperator',
      section: 'Upstream needs the operator',
      says: 'The upstream refuses the key, asks for payment or does not know the model.',
      metric: written(watched, 'UpstreamNeedsOperator'),
      above: 0,
    },
    {
      id: 'UpstreamQuota',
      section: 'Upstream quota',
      says: 'A daily quota of the upstream is used up.',
      metric: faults('exhausted', 5),
      above: 0,
    },
    {
      id: 'UpstreamFailing',
      section: 'Upstream failing',
      says: 'More than 20 calls to the upstream failed or had no answer in 15 minutes.',
      metric: sumOf([faults('failing', 15), faults('unanswered', 15)], 'failed calls', 15),
      above: 20,
    },
  ];
};

const requestAlarms = (watched: Watched): AlarmRow[] => [
  {
    id: 'ServerErrors',
    section: 'Server errors',
    says: 'More than 5 % of the requests were answered with 5xx in two of three periods of 5 minutes.',
    // Each request counts 0 or 1, so that the average is the rate.
    metric: watched.rest.metricServerError({ statistic: 'Average' }),
    above: 0.05,
    bad: [2, 3],
  },
  {
    id: 'ChargesNotRecorded',
    section: 'Charges not recorded',
    says: 'An image was made and its charge could not be written.',
    metric: written(watched, 'ChargesNotRecorded'),
    above: 0,
  },
];
