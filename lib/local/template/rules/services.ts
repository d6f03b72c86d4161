import * as z from 'zod';
import { propertyRule, type Rule, total } from './rule.ts';

/** Limits of functions, queues, tables and others that the schemas of CloudFormation do not state. */

const ENVIRONMENT_BYTES = 4096;

const RESERVED_VARIABLE =
  /^(?:_HANDLER|_X_AMZN_TRACE_ID|AWS_(?:DEFAULT_)?REGION|AWS_EXECUTION_ENV|AWS_LAMBDA_(?:FUNCTION_(?:NAME|MEMORY_SIZE|VERSION)|INITIALIZATION_TYPE|LOG_(?:GROUP|STREAM)_NAME|RUNTIME_API)|AWS_(?:ACCESS_KEY|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)|LAMBDA_(?:TASK_ROOT|RUNTIME_DIR))$/;

const variables = (schema: z.ZodType) =>
  z.looseObject({ Environment: z.looseObject({ Variables: schema.optional() }).optional() });

const LAMBDA: readonly Rule[] = [
  propertyRule(
    'function size',
    'Lambda quotas: timeout, memory, layers',
    'AWS::Lambda::Function',
    z.looseObject({
      Description: z.string().max(256).optional(),
      Timeout: z.number().min(1).max(900).optional(),
      MemorySize: z.number().min(128).max(10_240).optional(),
      Layers: z.array(z.unknown()).max(5).optional(),
    }),
  ),
  propertyRule(
    'function environment',
    'Lambda quotas: environment variables',
    'AWS::Lambda::Function',
    variables(
      z
        .record(z.string(), z.string())
        .refine(
          (all) =>
            total(Object.entries(all).map((pair) => Buffer.byteLength(pair.join('')))) <= ENVIRONMENT_BYTES,
          `Lambda allows at most ${ENVIRONMENT_BYTES} bytes of environment variables`,
        ),
    ),
  ),
  propertyRule(
    'function variables',
    'Lambda developer guide: Working with Lambda environment variables',
    'AWS::Lambda::Function',
    variables(
      z
        .record(z.string(), z.string())
        .refine(
          (all) => Object.keys(all).every((name) => /^[A-Za-z]\w+$/.test(name)),
          'include a name that has no two characters, or does not begin with a letter',
        )
        .refine(
          (all) => !Object.keys(all).some((name) => RESERVED_VARIABLE.test(name)),
          'include one that Lambda reserves',
        ),
    ),
  ),
  propertyRule(
    'event source',
    'Lambda API: CreateEventSourceMapping',
    'AWS::Lambda::EventSourceMapping',
    z
      .looseObject({
        BatchSize: z.number().min(1).max(10_000).default(10),
        MaximumBatchingWindowInSeconds: z.number().min(0).max(300).default(0),
        ScalingConfig: z
          .looseObject({ MaximumConcurrency: z.number().min(2).max(1000).optional() })
          .optional(),
      })
      .refine(
        ({ BatchSize, MaximumBatchingWindowInSeconds }) =>
          BatchSize <= 10 || MaximumBatchingWindowInSeconds > 0,
        'a batch of more than 10 messages needs a batching window',
      ),
  ),
  propertyRule(
    'asynchronous invocations',
    'Lambda API: PutFunctionEventInvokeConfig',
    'AWS::Lambda::EventInvokeConfig',
    z.looseObject({
      MaximumEventAgeInSeconds: z.number().min(60).max(21_600).optional(),
      MaximumRetryAttempts: z.number().min(0).max(2).optional(),
    }),
  ),
];

const queue = z
  .looseObject({
    VisibilityTimeout: z.number().min(0).max(43_200).optional(),
    MessageRetentionPeriod: z.number().min(60).max(1_209_600).optional(),
    DelaySeconds: z.number().min(0).max(900).optional(),
    ReceiveMessageWaitTimeSeconds: z.number().min(0).max(20).optional(),
    RedrivePolicy: z.looseObject({ maxReceiveCount: z.coerce.number().min(1).max(1000) }).optional(),
    QueueName: z.string().optional(),
    FifoQueue: z.boolean().default(false),
    KmsMasterKeyId: z.string().optional(),
    SqsManagedSseEnabled: z.boolean().optional(),
  })
  .refine(
    ({ QueueName, FifoQueue }) => QueueName === undefined || QueueName.endsWith('.fifo') === FifoQueue,
    'the name of a FIFO queue ends with .fifo, and no other',
  )
  .refine(
    ({ KmsMasterKeyId, SqsManagedSseEnabled }) =>
      KmsMasterKeyId === undefined || SqsManagedSseEnabled !== true,
    'has both KmsMasterKeyId and SqsManagedSseEnabled: SQS allows only one of them',
  );

const keys = z.array(z.looseObject({ AttributeName: z.string() }));
const indexes = (most: number) =>
  z
    .array(z.looseObject({ KeySchema: keys }))
    .max(most)
    .default([]);
const table = z
  .looseObject({
    AttributeDefinitions: keys,
    KeySchema: keys,
    GlobalSecondaryIndexes: indexes(20),
    LocalSecondaryIndexes: indexes(5),
  })
  .refine(({ AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes }) => {
    const used = [
      KeySchema,
      ...[...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map((index) => index.KeySchema),
    ];
    const names = (all: z.infer<typeof keys>) =>
      [...new Set(all.map(({ AttributeName }) => AttributeName))].toSorted().join();
    return names(used.flat()) === names(AttributeDefinitions);
  }, 'defines other attributes than those of its keys');

const RATE = /^rate\((?:1 (?:minute|hour|day)|(?!1 )[1-9]\d* (?:minutes|hours|days))\)$/;

const OTHERS: readonly Rule[] = [
  propertyRule('queue', 'SQS API: CreateQueue', 'AWS::SQS::Queue', queue),
  propertyRule('table keys', 'DynamoDB API: CreateTable', 'AWS::DynamoDB::Table', table),
  propertyRule(
    'schedule',
    'EventBridge API: PutRule, PutTargets',
    'AWS::Events::Rule',
    z.looseObject({
      Targets: z.array(z.unknown()).min(1).max(5),
      ScheduleExpression: z.union([z.string().regex(RATE), z.string().regex(/^cron\(.+\)$/)]).optional(),
    }),
  ),
  propertyRule(
    'topic',
    'SNS API: CreateTopic',
    'AWS::SNS::Topic',
    z.looseObject({ DisplayName: z.string().max(100).optional() }),
  ),
  propertyRule(
    'deployment alarms',
    'CodeDeploy quotas: alarms in a deployment group',
    'AWS::CodeDeploy::DeploymentGroup',
    z.looseObject({ AlarmConfiguration: z.looseObject({ Alarms: z.array(z.unknown()).max(10) }).optional() }),
  ),
  propertyRule(
    'web ACL',
    'WAF API: CreateWebACL',
    'AWS::WAFv2::WebACL',
    z.looseObject({
      Description: z
        .string()
        .regex(/^[\w+=:#@/\-,.][\w+=:#@/\-,.\s]{0,254}[\w+=:#@/\-,.]$/)
        .optional(),
    }),
  ),
  propertyRule(
    'sign-in domain',
    'Cognito developer guide: Using the Amazon Cognito domain',
    'AWS::Cognito::UserPoolDomain',
    z.looseObject({
      Domain: z.string().refine((domain) => !/aws|amazon|cognito/.test(domain), 'contains a reserved word'),
    }),
  ),
];

export const SERVICE_RULES: readonly Rule[] = [...LAMBDA, ...OTHERS];
