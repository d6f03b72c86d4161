import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  QueueNameExists,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { ClientConfig } from '../emulators/start.ts';
import { LocalCloudError } from '../errors.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const redriveSchema = z.object({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z.union([z.number(), z.string()]),
});

const queueSchema = z.object({
  VisibilityTimeout: z.number().default(30),
  DelaySeconds: z.number().default(0),
  MessageRetentionPeriod: z.number().default(345_600),
  ReceiveMessageWaitTimeSeconds: z.number().default(0),
  MaximumMessageSize: z.number().optional(),
  RedrivePolicy: redriveSchema.optional(),
  KmsMasterKeyId: z.string().optional(),
  /** AWS rejects a queue with both kinds of encryption. */
  SqsManagedSseEnabled: z.boolean().optional(),
  FifoQueue: z.literal(false, 'the local cloud does not support FIFO queues').default(false),
});

export const provisionQueues = async (stack: Stack, config: ClientConfig): Promise<void> => {
  const client = new SQSClient(config);
  const queues = stack.resources(SUPPORTED_TYPES.queue).map((resource) => {
    const {
      FifoQueue: _,
      KmsMasterKeyId,
      SqsManagedSseEnabled,
      RedrivePolicy,
      ...numbers
    } = stack.properties(resource, queueSchema);
    if (KmsMasterKeyId !== undefined && SqsManagedSseEnabled === true)
      throw new LocalCloudError(
        `${resource.logicalId} has both KmsMasterKeyId and SqsManagedSseEnabled: SQS allows only one of them.`,
      );
    const given = Object.entries(numbers).filter(([, value]) => value !== undefined);
    const attributes = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    const name = stack.identity(resource.logicalId).attributes.QueueName ?? resource.logicalId;
    return { name, attributes, redrive: RedrivePolicy && JSON.stringify(RedrivePolicy) };
  });
  try {
    await Promise.all(queues.map(({ name, attributes }) => provisionQueue(client, name, attributes)));
    // SQS rejects a redrive policy whose dead-letter queue does not exist yet.
    await Promise.all(
      queues.map(async ({ name, redrive }) => {
        if (redrive !== undefined) await provisionQueue(client, name, { RedrivePolicy: redrive });
      }),
    );
  } finally {
    client.destroy();
  }
};

const provisionQueue = async (
  client: SQSClient,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<void> => {
  try {
    await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  } catch (error) {
    if (!(error instanceof QueueNameExists)) throw error;
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName }));
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  }
};
