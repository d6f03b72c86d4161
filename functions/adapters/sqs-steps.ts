import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { StepMessage, StepQueue } from '../domain/ports.ts';
import { CLIENT_OPTIONS, lean } from './aws-clients.ts';

/** The longest delay that SQS offers. */
const MAX_DELAY_SECONDS = 900;

/** As many messages as SQS takes in one call. */
const BATCH = 10;

/** Makes the queue fair: while one account's messages keep the workers busy, those of others go first. */
const groupOf = ({ account }: StepMessage): { MessageGroupId?: string } =>
  account === undefined ? {} : { MessageGroupId: account };

export const sqsClient = (): SQSClient => lean(new SQSClient(CLIENT_OPTIONS));

export const sqsSteps = (queueUrl: string, client = sqsClient()): StepQueue => {
  const sendBatch = async (messages: readonly StepMessage[]): Promise<readonly StepMessage[]> => {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: messages.map((message, position) => ({
          Id: String(position),
          MessageBody: JSON.stringify(message),
          ...groupOf(message),
          DelaySeconds: 0,
        })),
      }),
    );
    const refused = new Set(Failed.map(({ Id }) => Id));
    return messages.filter((_, position) => refused.has(String(position)));
  };

  return {
    send: async (message, delayMs) => {
      const delaySeconds = Math.ceil(delayMs / 1000);
      // Work that is due later than a message can wait is left to the sweeper.
      if (delaySeconds > MAX_DELAY_SECONDS) return;
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          ...groupOf(message),
          DelaySeconds: delaySeconds,
        }),
      );
    },

    sendAll: async (messages) => {
      const refused: StepMessage[] = [];
      for (let start = 0; start < messages.length; start += BATCH)
        refused.push(...(await sendBatch(messages.slice(start, start + BATCH))));
      return refused;
    },
  };
};
