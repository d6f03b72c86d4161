import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { LogEvents, Logger } from '../domain/log-events.ts';
import { withLogFields } from './logger.ts';

type MessageFields = Omit<LogEvents['message failed'], 'messageId'>;

/** Handles each message of a batch, and returns those that must be delivered again. */
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

/** Time for calls in progress to end. */
const RESERVE_MILLISECONDS = 15_000;

/** The time after which a scheduled run starts nothing new, so that it ends before its timeout. */
export const stopBefore = ({ getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>): number =>
  Date.now() + getRemainingTimeInMillis() - RESERVE_MILLISECONDS;

/** Waits for all parts of a run, even if one fails: Lambda stops all work when a handler throws. */
export const allDone = async (parts: readonly Promise<void>[]): Promise<void> => {
  const results = await Promise.allSettled(parts);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};
