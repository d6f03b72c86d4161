import * as z from 'zod';
import { propertyRule, type Rule, total } from './rule.ts';

/** Limits of alarms, dashboards and logs. */

const [HOUR, DAY, WEEK] = [3600, 86_400, 604_800];
const period = z
  .number()
  .refine(
    (seconds) => [10, 20, 30].includes(seconds) || seconds % 60 === 0,
    'is not a whole number of minutes',
  );

const alarmMetric = z.looseObject({
  Id: z.string().regex(/^[a-z][a-zA-Z0-9_]{0,254}$/),
  Expression: z.string().max(2048).optional(),
  ReturnData: z.boolean().default(true),
  MetricStat: z.looseObject({ Period: period }).optional(),
  Period: period.optional(),
});

const alarmMetrics = z
  .array(alarmMetric)
  .refine((all) => all.filter(({ MetricStat }) => MetricStat).length <= 10, 'are more than 10 metrics')
  .refine((all) => all.filter(({ ReturnData }) => ReturnData).length === 1, 'return not exactly one series');

const actions = z.array(z.unknown()).max(5).optional();

const alarm = z
  .looseObject({
    AlarmDescription: z.string().max(1024).optional(),
    AlarmActions: actions,
    OKActions: actions,
    Dimensions: z.array(z.unknown()).max(30).optional(),
    EvaluationPeriods: z.number().min(1),
    DatapointsToAlarm: z.number().min(1).optional(),
    Period: period.optional(),
    Metrics: alarmMetrics.optional(),
  })
  .refine(
    ({ DatapointsToAlarm, EvaluationPeriods }) => (DatapointsToAlarm ?? 1) <= EvaluationPeriods,
    'needs more data points than it looks at',
  )
  .refine(({ EvaluationPeriods, Period, Metrics }) => {
    const seconds = Math.max(
      Period ?? 0,
      ...(Metrics ?? []).map((metric) => metric.MetricStat?.Period ?? metric.Period ?? 0),
    );
    return seconds > 0 && EvaluationPeriods * seconds <= (seconds < HOUR ? DAY : WEEK);
  }, 'looks further back than an alarm can');

const widget = z
  .looseObject({
    x: z.number().default(0),
    width: z.number().min(1).max(24),
    height: z.number().min(1).max(1000),
    properties: z.looseObject({ metrics: z.array(z.unknown()).max(500).default([]) }),
  })
  .refine(({ x, width }) => x + width <= 24, 'is wider than the 24 columns');

const dashboardBody = z.object({
  widgets: z
    .array(widget)
    .max(500)
    .refine(
      (widgets) => total(widgets.map(({ properties }) => properties.metrics.length)) <= 2500,
      'have more than 2500 metrics together',
    ),
});

export const MONITORING_RULES: readonly Rule[] = [
  propertyRule('alarm', 'CloudWatch API: PutMetricAlarm', 'AWS::CloudWatch::Alarm', alarm),
  propertyRule(
    'composite alarm',
    'CloudWatch API: PutCompositeAlarm',
    'AWS::CloudWatch::CompositeAlarm',
    z.looseObject({
      AlarmDescription: z.string().max(1024).optional(),
      AlarmActions: actions,
      AlarmRule: z
        .string()
        .max(10_240)
        .refine(
          (rule) => (rule.match(/ALARM\(|OK\(|INSUFFICIENT_DATA\(/g) ?? []).length <= 100,
          'names more than 100 alarms',
        ),
    }),
  ),
  propertyRule(
    'dashboard',
    'CloudWatch quotas: dashboards',
    'AWS::CloudWatch::Dashboard',
    z.looseObject({
      DashboardBody: z
        .string()
        .transform((text) => JSON.parse(text))
        .pipe(dashboardBody),
    }),
  ),
  propertyRule(
    'log group',
    'CloudWatch Logs API: PutRetentionPolicy',
    'AWS::Logs::LogGroup',
    z.looseObject({
      RetentionInDays: z
        .literal([
          1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288,
          3653,
        ])
        .optional(),
    }),
  ),
  propertyRule(
    'metric filter',
    'CloudWatch Logs API: PutMetricFilter',
    'AWS::Logs::MetricFilter',
    z.looseObject({
      FilterName: z.string().min(1).max(512).optional(),
      FilterPattern: z.string().max(1024),
      MetricTransformations: z
        .array(
          z
            .looseObject({
              MetricName: z.string().regex(/^[^:*$]{0,255}$/),
              MetricNamespace: z.string().regex(/^[^:*$]{0,255}$/),
              MetricValue: z.string().max(100),
              DefaultValue: z.number().optional(),
              Dimensions: z.array(z.unknown()).max(3).optional(),
            })
            .refine(
              ({ DefaultValue, Dimensions }) => DefaultValue === undefined || Dimensions === undefined,
              'has both a default value and dimensions',
            ),
        )
        .length(1),
    }),
  ),
];
