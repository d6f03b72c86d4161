import * as z from 'zod';
import type { Quantities } from './prices.ts';

/** AWS's monthly prices assume 30 days. */
const MINUTES_PER_MONTH = 60 * 24 * 30;
/** Lambda keeps five long polls of 20 seconds open per queue, even without messages. */
const POLLS_PER_MINUTE = 5 * 3;

const alarmSchema = z.looseObject({
  Metrics: z
    .array(z.looseObject({ MetricStat: z.unknown().optional(), Expression: z.string().optional() }))
    .optional(),
});
const webAclSchema = z.looseObject({ Rules: z.array(z.unknown()).default([]) });
const ruleSchema = z.looseObject({ ScheduleExpression: z.string() });
const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});
export type Properties = Readonly<Record<string, unknown>>;

/** Finds the properties of all resources of a type. */
export const readResources = (template: unknown) => {
  const resources = Object.values(templateSchema.parse(template).Resources);
  return (type: RegExp): Properties[] =>
    resources.filter(({ Type }) => type.test(Type)).map(({ Properties }) => Properties);
};

/** Every metric of an expression is charged; a query counts as one. */
const countMetrics = (alarm: Properties): number => {
  const { Metrics } = alarmSchema.parse(alarm);
  if (Metrics === undefined) return 1;
  return Metrics.filter(
    ({ MetricStat, Expression = '' }) => MetricStat !== undefined || /^SELECT\b/.test(Expression),
  ).length;
};

const MINUTES = { minute: 1, hour: 60, day: 24 * 60 } as const;

export const runsPerMonth = (expression: string): number => {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (unit !== 'minute' && unit !== 'hour' && unit !== 'day')
    throw new Error(`unknown schedule ${expression}`);
  return MINUTES_PER_MONTH / (Number(count) * MINUTES[unit]);
};

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);

/** The fixed quantities of a stack: resources with a monthly price, and scheduled work. */
export const standingQuantities = (template: unknown): Quantities => {
  const all = readResources(template);
  const runs = sum(
    all(/^AWS::Events::Rule$/).map((rule) => runsPerMonth(ruleSchema.parse(rule).ScheduleExpression)),
  );
  return {
    alarmMetric: sum(all(/^AWS::CloudWatch::Alarm$/).map(countMetrics)),
    compositeAlarm: all(/^AWS::CloudWatch::CompositeAlarm$/).length,
    dashboard: all(/^AWS::CloudWatch::Dashboard$/).length,
    secretMonth: all(/^AWS::SecretsManager::Secret$/).length,
    keyMonth: all(/^AWS::KMS::Key$/).length,
    webAcl: all(/^AWS::WAFv2::WebACL$/).length,
    webAclRule: sum(all(/^AWS::WAFv2::WebACL$/).map((acl) => webAclSchema.parse(acl).Rules.length)),
    sqsRequest: all(/^AWS::Lambda::EventSourceMapping$/).length * POLLS_PER_MINUTE * MINUTES_PER_MONTH,
    scheduledEvent: runs,
    // X-Ray records one trace per second, and these runs are rarer.
    trace: all(/^AWS::Lambda::Function$/).some(({ TracingConfig }) => TracingConfig !== undefined) ? runs : 0,
  };
};
