import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { LogEvents } from '../domain/log-events.ts';
import type { Logger, StepMessage } from '../domain/ports.ts';
import { withLogFields } from './logger.ts';

type MessageFields = Omit<LogEvents['message failed'], 'messageId'>;

/** Hands over one message at a time, and names those that must come again. */
export const messageHandler =
  <Message>(parse: (body: unknown) => Message, fieldsOf: (message: Message) => MessageFields) =>
  (logger: Logger, handle: (message: Message, receives: number) => Promise<void>) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const outcomes = await Promise.all(
      Records.map(async ({ messageId, body, attributes }) => {
        let fields: LogEvents['message failed'] = { messageId };
        try {
          const message = parse(JSON.parse(body));
          fields = { messageId, ...fieldsOf(message) };
          await withLogFields(fields, () => handle(message, Number(attributes.ApproximateReceiveCount)));
          return [];
        } catch (error) {
          logger.error('message failed', error, fields);
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    return { batchItemFailures: outcomes.flat() };
  };

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
