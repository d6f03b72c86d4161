import { ComparisonOperator, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { type AlarmRow, customMetric, type Monitored } from './metrics.ts';

/** The objectives of the service over 30 days, as docs/operate.md states them. */
export const OBJECTIVES = {
  /** Requests that are not answered with 5xx. */
  availability: { share: 0.995 },
  /** Creates that the function of POST /v1/videos answers in time. */
  create: { share: 0.99, seconds: 3 },
  /** Videos that are stored in time after the upstream has reported them as finished. */
  completion: { share: 0.99, seconds: 60 },
} as const;

/** At this multiple of the errors that an objective allows, an hour uses up 2 % of those of 30 days. */
const BURN_RATE = 14.4;

const allowedShare = ({ share }: { readonly share: number }): number => BURN_RATE * (1 - share);

/**
 * The rate must be exceeded over an hour, so that a short burst does not ring, and in the last five minutes, so that the
 * alarm ends soon after the errors. Each request counts as 0 or 1, so the average is the error rate.
 */
const availabilityParts = ({ api: { rest } }: Monitored): AlarmRow[] =>
  (
    [
      ['AvailabilityHour', 60],
      ['AvailabilityNow', 5],
    ] as const
  ).map(([id, minutes]) => ({
    id,
    section: 'Availability',
    description: `More than 7.2 % of the requests within ${minutes} minutes were answered with 5xx. Part of the alarm Availability, which notifies.`,
    metric: rest.metricServerError({ statistic: 'Average', period: Duration.minutes(minutes) }),
    threshold: Number(allowedShare(OBJECTIVES.availability).toFixed(3)),
    isPart: true,
  }));

/**
 * Each half of the hour must exceed the rate: then the hour does, and one slow request among few does not ring. A pair of
 * windows would cost another metric and a composite alarm.
 */
const slowAlarm = (
  row: Pick<AlarmRow, 'id' | 'description'>,
  objective: { readonly share: number },
  metric: Metric,
  longest: number,
): AlarmRow => ({
  ...row,
  // The share of values up to the longest, in percent.
  metric: metric.with({ statistic: `PR(:${longest})`, period: Duration.minutes(30) }),
  threshold: Number((100 * (1 - allowedShare(objective))).toFixed(1)),
  datapoints: [2, 2],
  comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
});

export const objectiveAlarms = (monitored: Monitored): AlarmRow[] => {
  const { create, completion } = OBJECTIVES;
  return [
    ...availabilityParts(monitored),
    slowAlarm(
      {
        id: 'CreatesSlow',
        description: `More than 14.4 % of the creates took longer than ${create.seconds} seconds, for an hour.`,
      },
      create,
      monitored.functions.get('create-video').metricDuration(),
      create.seconds * 1000,
    ),
    slowAlarm(
      {
        id: 'CompletionsSlow',
        description: `More than 14.4 % of the videos were completed later than ${completion.seconds} seconds after the upstream finished them, for an hour.`,
      },
      completion,
      customMetric(monitored, 'CompletionDelay'),
      completion.seconds,
    ),
  ];
};
