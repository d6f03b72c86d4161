import * as z from 'zod';
import type { EmulatorOptions } from '../emulators/start.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const redriveSchema = z.object({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z.union([z.number(), z.string()]),
});

const queueSchema = z.object({
  VisibilityTimeout: z.number().optional(),
  DelaySeconds: z.number().optional(),
  MessageRetentionPeriod: z.number().optional(),
  ReceiveMessageWaitTimeSeconds: z.number().optional(),
  MaximumMessageSize: z.number().optional(),
  RedrivePolicy: redriveSchema.transform((policy) => JSON.stringify(policy)).optional(),
  FifoQueue: z.literal(false, 'the local cloud does not support FIFO queues').default(false),
});

/** The attributes of the template's queues by name. */
export const readQueues = (
  stack: Stack,
  resources = stack.resources(SUPPORTED_TYPES.queue),
): NonNullable<EmulatorOptions['queues']> =>
  Object.fromEntries(
    resources.map((resource) => {
      const { FifoQueue: _, ...attributes } = stack.properties(resource, queueSchema);
      const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
      return [
        stack.identity(resource.logicalId).attributes.QueueName ?? resource.logicalId,
        Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      ];
    }),
  );
