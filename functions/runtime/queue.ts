import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Facts, Journal, StepMessage } from '../domain/ports.ts';
import { withFacts } from './journal.ts';

const messageSchema = z.object({
  taskId: z.string(),
  step: z.number(),
  poll: z.optional(z.object({ operation: z.string(), submittedAt: z.number(), leaseUntil: z.number() })),
});

/** Hands over one message at a time, and names those that must come again. */
export const queueHandler =
  (journal: Journal, handle: (message: StepMessage) => Promise<void>) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const outcomes = await Promise.all(
      Records.map(async ({ messageId, body }) => {
        let facts: Facts = { messageId };
        try {
          const message = messageSchema.parse(JSON.parse(body));
          facts = { messageId, taskId: message.taskId, step: message.step };
          await withFacts(facts, () => handle(message));
          return [];
        } catch (error) {
          journal.fault('message failed', error, facts);
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    return { batchItemFailures: outcomes.flat() };
  };
