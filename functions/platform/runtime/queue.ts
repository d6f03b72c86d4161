import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { CLIENT_OPTIONS, impatientClient } from '../aws/aws-clients.ts';
import type { LogEvents, Logger } from '../domain/log-events.ts';
import { withLogFields } from './logger.ts';

/** The longest delay that SQS offers. */
const MAX_DELAY_SECONDS = 900;

/** SQS accepts this many messages per call. */
const BATCH = 10;

export const sqsClient = (): SQSClient => impatientClient(new SQSClient(CLIENT_OPTIONS));

type Queue<Message> = {
  send(message: Message, delayMs: number): Promise<void>;
  sendAll(messages: readonly Message[]): Promise<readonly Message[]>;
};

/** A fair queue: while messages of one group occupy the workers, those of other groups go first. */
export const sqsQueue = <Message>(
  queueUrl: string,
  groupOf: (message: Message) => string | undefined,
  client: SQSClient,
): Queue<Message> => {
  const toEntry = (message: Message, delaySeconds: number) => {
    const group = groupOf(message);
    return {
      MessageBody: JSON.stringify(message),
      ...(group === undefined ? {} : { MessageGroupId: group }),
      DelaySeconds: delaySeconds,
    };
  };

  const sendBatch = async (messages: readonly Message[]): Promise<readonly Message[]> => {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: messages.map((message, position) => ({ Id: String(position), ...toEntry(message, 0) })),
      }),
    );
    const refused = new Set(Failed.map(({ Id }) => Id));
    return messages.filter((_, position) => refused.has(String(position)));
  };

  return {
    send: async (message, delayMs) => {
      const delaySeconds = Math.ceil(delayMs / 1000);
      // Work that is due after the longest delay is left to the sweeper.
      if (delaySeconds > MAX_DELAY_SECONDS) return;
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, ...toEntry(message, delaySeconds) }));
    },

    sendAll: async (messages) => {
      const refused: Message[] = [];
      for (let start = 0; start < messages.length; start += BATCH)
        refused.push(...(await sendBatch(messages.slice(start, start + BATCH))));
      return refused;
    },
  };
};

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
