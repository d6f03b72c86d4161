import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { sqsClient, sqsQueue } from '../../platform/aws/sqs-queue.ts';
import { messageHandler } from '../../platform/runtime/queue.ts';
import type { QueueDepth, StepMessage, StepQueue } from '../domain/ports.ts';

/** One account's messages cannot hold up another's. Each says when it can be received first. */
export const sqsSteps = (queueUrl: string, client = sqsClient()): StepQueue => {
  const { send, sendAll } = sqsQueue(queueUrl, ({ account }: StepMessage) => account, client);
  return {
    send: (message, delayMs) => send({ ...message, readyAt: Date.now() + delayMs }, delayMs),
    sendAll: async (messages) => {
      const readyAt = Date.now();
      const refused = await sendAll(messages.map((message) => ({ ...message, readyAt })));
      return refused.map(({ readyAt: _, ...message }) => message);
    },
  };
};

export const sqsDepth = (queueUrl: string, client = sqsClient()): QueueDepth => ({
  waiting: async () => {
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    const waiting = Number(Attributes?.ApproximateNumberOfMessages);
    if (Number.isNaN(waiting)) throw new Error('SQS did not say how many messages wait');
    return waiting;
  },
});

const stepSchema = z.object({
  taskId: z.string(),
  account: z.optional(z.string()),
  step: z.number(),
  poll: z.optional(z.object({ operation: z.string(), submittedAt: z.number(), leaseUntil: z.number() })),
  readyAt: z.optional(z.number()),
});

export const queueHandler = messageHandler<StepMessage>(
  (body) => stepSchema.parse(body),
  ({ taskId, step }) => ({ taskId, step }),
);
