import type { Message } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { LocalCloudError } from '../errors.ts';
import { createFunctionFinder } from '../functions/definition.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';
import type { Resource } from '../template/template.ts';

/** Of SQS, for one call. A larger batch needs a batching window. */
const RECEIVE_LIMIT = 10;

const mappingSchema = z.object({
  FunctionName: z.string(),
  EventSourceArn: z.string(),
  Enabled: z.boolean().default(true),
  BatchSize: z.int().min(1).max(RECEIVE_LIMIT).default(RECEIVE_LIMIT),
  MaximumBatchingWindowInSeconds: z.literal(0, 'the local cloud delivers messages at once').default(0),
  FunctionResponseTypes: z.array(z.string()).default([]),
  ScalingConfig: z.object({ MaximumConcurrency: z.int().min(2).max(1000).optional() }).default({}),
  FilterCriteria: z.undefined('the local cloud does not filter queue messages').optional(),
});

export type QueueEventSource = {
  readonly logicalId: string;
  readonly functionId: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly deadLetterUrl: string | undefined;
  readonly visibilitySeconds: number;
  readonly batchSize: number;
  readonly maximumConcurrency: number;
  readonly reportsItemFailures: boolean;
};

const queueSchema = z.object({
  VisibilityTimeout: z.number().default(30),
  RedrivePolicy: z.object({ deadLetterTargetArn: z.string() }).optional(),
});

/** AWS allows 1,000; one machine does not need as many. */
const UNLIMITED_CONCURRENCY = 10;

export const readEventSources = (stack: Stack): readonly QueueEventSource[] => {
  const findFunction = createFunctionFinder(stack);
  return stack.resources(SUPPORTED_TYPES.eventSourceMapping).flatMap((resource) => {
    const mapping = stack.properties(resource, mappingSchema);
    if (!mapping.Enabled) return [];
    const queue =
      stack
        .resources(SUPPORTED_TYPES.queue)
        .find(({ logicalId }) => stack.identity(logicalId).attributes.Arn === mapping.EventSourceArn) ??
      fail(resource.logicalId, mapping.EventSourceArn);
    return {
      logicalId: resource.logicalId,
      functionId: findFunction(mapping.FunctionName) ?? fail(resource.logicalId, mapping.FunctionName),
      queueUrl: stack.identity(queue.logicalId).ref,
      ...readQueue(stack, queue),
      queueArn: mapping.EventSourceArn,
      batchSize: mapping.BatchSize,
      maximumConcurrency: mapping.ScalingConfig.MaximumConcurrency ?? UNLIMITED_CONCURRENCY,
      reportsItemFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    };
  });
};

const readQueue = (stack: Stack, queue: Resource) => {
  const { VisibilityTimeout, RedrivePolicy } = stack.properties(queue, queueSchema);
  const deadLetters = stack
    .resources(SUPPORTED_TYPES.queue)
    .map(({ logicalId }) => stack.identity(logicalId))
    .find(({ attributes }) => attributes.Arn === RedrivePolicy?.deadLetterTargetArn);
  return { visibilitySeconds: VisibilityTimeout, deadLetterUrl: deadLetters?.ref };
};

const fail = (logicalId: string, name: string): never => {
  throw new LocalCloudError(
    `${logicalId} refers to ${name}, which is not a queue or function of the template.`,
  );
};

type Source = {
  readonly queueArn: string;
  readonly region: string;
};

/** The event that Lambda passes to the function. */
export const queueEvent = (messages: readonly Message[], { queueArn, region }: Source) => {
  const Records = messages.map((message) => ({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: {},
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  }));
  return { Records };
};

const partialResponseSchema = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullable();

/** The successful messages. An invalid response or an unknown id fails the whole batch, as on AWS. */
export const succeeded = (messages: readonly Message[], payload: string): readonly Message[] => {
  const parsed = partialResponseSchema.safeParse(JSON.parse(payload));
  if (!parsed.success) return [];
  const failed = new Set((parsed.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
  const known = new Set(messages.map(({ MessageId }) => MessageId));
  if ([...failed].some((id) => !known.has(id))) return [];
  return messages.filter(({ MessageId }) => MessageId === undefined || !failed.has(MessageId));
};
