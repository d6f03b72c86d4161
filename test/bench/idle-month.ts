import * as z from 'zod';
import type { Quantities } from './prices.ts';

/** A month has 30 days here, as in the prices that are quoted by the month. */
const MINUTES_A_MONTH = 60 * 24 * 30;
/** Lambda keeps five long polls of 20 seconds open for each queue that it reads, message or not. */
const POLLS_A_MINUTE = 5 * 3;

const alarmSchema = z.looseObject({
  Metrics: z
    .array(z.looseObject({ MetricStat: z.unknown().optional(), Expression: z.string().optional() }))
    .optional(),
});
const ruleSchema = z.looseObject({ ScheduleExpression: z.string() });
const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});
type Properties = Readonly<Record<string, unknown>>;

/** Every metric that an expression reads is paid for; a query costs each metric that it finds, at least one. */
const metricsIn = (alarm: Properties): number => {
  const { Metrics } = alarmSchema.parse(alarm);
  if (Metrics === undefined) return 1;
  return Metrics.filter(
    ({ MetricStat, Expression = '' }) => MetricStat !== undefined || /^SELECT\b/.test(Expression),
  ).length;
};

const MINUTES = { minute: 1, hour: 60, day: 24 * 60 } as const;

/** How often a rule with a rate runs in a month. */
export const runsAMonth = (expression: string): number => {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (unit !== 'minute' && unit !== 'hour' && unit !== 'day')
    throw new Error(`nothing is known of the schedule ${expression}`);
  return MINUTES_A_MONTH / (Number(count) * MINUTES[unit]);
};

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);

/** The monthly cost of an idle stack: fixed monthly prices and scheduled work. */
export const standingQuantities = (template: unknown): Quantities => {
  const { Resources } = templateSchema.parse(template);
  const all = (type: string): Properties[] =>
    Object.values(Resources)
      .filter(({ Type }) => Type === type)
      .map(({ Properties }) => Properties);
  const runs = sum(
    all('AWS::Events::Rule').map((rule) => runsAMonth(ruleSchema.parse(rule).ScheduleExpression)),
  );
  return {
    alarmMetric: sum(all('AWS::CloudWatch::Alarm').map(metricsIn)),
    compositeAlarm: all('AWS::CloudWatch::CompositeAlarm').length,
    dashboard: all('AWS::CloudWatch::Dashboard').length,
    secretMonth: all('AWS::SecretsManager::Secret').length,
    keyMonth: all('AWS::KMS::Key').length,
    sqsRequest: all('AWS::Lambda::EventSourceMapping').length * POLLS_A_MINUTE * MINUTES_A_MONTH,
    scheduledEvent: runs,
    // One trace a second is always taken, and these come further apart.
    trace: runs,
  };
};
