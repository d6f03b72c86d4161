import * as z from 'zod';
import { policyLength } from '../../../lib/evidence/template-counts.ts';
import { methodSettingsSchema } from '../../../lib/local/gateway/api-definition.ts';

/** Limits of the services that no schema of CloudFormation states; a deployment would fail on them, or work badly. */

const policyDocument = (limit: number) =>
  z.unknown().refine((document) => policyLength(document) <= limit, `has more than ${limit} characters`);

const total = (lengths: readonly number[]): number => lengths.reduce((sum, length) => sum + length, 0);

const role = z.looseObject({
  Description: z.string().max(1000).optional(),
  AssumeRolePolicyDocument: policyDocument(2048),
  ManagedPolicyArns: z.array(z.string()).max(10).optional(),
  Policies: z
    .array(z.looseObject({ PolicyDocument: z.unknown() }))
    .refine(
      (policies) => total(policies.map(({ PolicyDocument }) => policyLength(PolicyDocument))) <= 10_240,
      'have more than 10240 characters together',
    )
    .optional(),
});

const variables = z
  .record(z.string(), z.string())
  .refine(
    (record) => total(Object.entries(record).map(([name, value]) => Buffer.byteLength(name + value))) <= 4096,
    'take more than 4 KB',
  );

const lambda = z.looseObject({
  Description: z.string().max(256).optional(),
  Timeout: z.number().min(1).max(900),
  MemorySize: z.number().min(128).max(10_240),
  Layers: z.array(z.unknown()).max(5).optional(),
  Environment: z.looseObject({ Variables: variables }).optional(),
});

const LARGEST_BATCH_AT_ONCE = 10;

const eventSource = z
  .looseObject({
    BatchSize: z.number().min(1).max(10_000),
    MaximumBatchingWindowInSeconds: z.number().max(300).default(0),
    ScalingConfig: z.looseObject({ MaximumConcurrency: z.number().min(2).max(1000) }).optional(),
  })
  .refine(
    ({ BatchSize, MaximumBatchingWindowInSeconds }) =>
      BatchSize <= LARGEST_BATCH_AT_ONCE || MaximumBatchingWindowInSeconds > 0,
    'a batch of more than 10 messages needs a batching window',
  );

const queue = z.looseObject({
  VisibilityTimeout: z.number().min(0).max(43_200).optional(),
  MessageRetentionPeriod: z.number().min(60).max(1_209_600).optional(),
  DelaySeconds: z.number().max(900).optional(),
  RedrivePolicy: z.looseObject({ maxReceiveCount: z.number().min(1).max(1000) }).optional(),
});

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

const alarm = z
  .looseObject({
    AlarmName: z.string().max(255).optional(),
    AlarmDescription: z.string().max(1024),
    AlarmActions: z.array(z.unknown()).max(5).optional(),
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

const widget = z.looseObject({
  x: z.number(),
  width: z.number().min(1).max(24),
  height: z.number().min(1).max(1000),
  properties: z.looseObject({ metrics: z.array(z.unknown()).max(500).default([]) }),
});
const dashboardBody = z.object({
  widgets: z
    .array(widget.refine(({ x, width }) => x + width <= 24, 'is wider than the 24 columns'))
    .max(500)
    .refine(
      (widgets) => total(widgets.map(({ properties }) => properties.metrics.length)) <= 2500,
      'have more than 2500 metrics together',
    ),
});
const dashboard = z.looseObject({
  DashboardBody: z
    .string()
    .transform((text) => JSON.parse(text))
    .pipe(dashboardBody),
});

const keys = z.array(z.looseObject({ AttributeName: z.string() }));
const table = z
  .looseObject({
    AttributeDefinitions: keys,
    KeySchema: keys,
    GlobalSecondaryIndexes: z
      .array(z.looseObject({ KeySchema: keys }))
      .max(20)
      .default([]),
  })
  .refine(({ AttributeDefinitions, KeySchema, GlobalSecondaryIndexes }) => {
    const used = [KeySchema, ...GlobalSecondaryIndexes.map((index) => index.KeySchema)].flat();
    const names = (all: z.infer<typeof keys>) =>
      [...new Set(all.map(({ AttributeName }) => AttributeName))].sort();
    return String(names(used)) === String(names(AttributeDefinitions));
  }, 'defines other attributes than those of its keys');

/** Each beginning of a path is a resource of the API. */
const countResources = (paths: readonly string[]): number =>
  new Set(
    paths.flatMap((path) => path.split('/').map((_, end, parts) => parts.slice(0, end + 1).join('/') || '/')),
  ).size;

const restApi = z.looseObject({
  Body: z.looseObject({
    paths: z
      .record(z.string(), z.unknown())
      .refine((paths) => countResources(Object.keys(paths)) <= 300, 'have more than 300 resources'),
  }),
});

/** By resource type, for values whose intrinsic functions are replaced by long texts. */
export const SERVICE_LIMITS: Readonly<Record<string, z.ZodType>> = {
  'AWS::IAM::Role': role,
  'AWS::IAM::Policy': z.looseObject({ PolicyDocument: policyDocument(10_240) }),
  'AWS::IAM::ManagedPolicy': z.looseObject({ PolicyDocument: policyDocument(6144) }),
  'AWS::Lambda::Function': lambda,
  'AWS::Lambda::EventSourceMapping': eventSource,
  'AWS::SQS::Queue': queue,
  'AWS::CloudWatch::Alarm': alarm,
  'AWS::CloudWatch::Dashboard': dashboard,
  'AWS::DynamoDB::Table': table,
  'AWS::Logs::LogGroup': z.looseObject({
    LogGroupName: z
      .string()
      .regex(/^[\w.\-/#]{1,512}$/)
      .optional(),
  }),
  'AWS::ApiGateway::RestApi': restApi,
  'AWS::ApiGateway::Stage': z.looseObject({ MethodSettings: methodSettingsSchema }),
  'AWS::Events::Rule': z.looseObject({ Targets: z.array(z.unknown()).min(1).max(5) }),
};
