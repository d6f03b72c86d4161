import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { StepQueue } from '../domain/ports.ts';
import { CLIENT_OPTIONS } from './aws-clients.ts';

/** The longest delay that SQS offers. */
const MAX_DELAY_SECONDS = 900;

export const sqsSteps = (queueUrl: string): StepQueue => {
  const client = new SQSClient(CLIENT_OPTIONS);
  return {
    send: async (message, delayMilliseconds) => {
      const delaySeconds = Math.ceil(delayMilliseconds / 1000);
      // Work that is due later than a message can wait is left to the sweeper.
      if (delaySeconds > MAX_DELAY_SECONDS) return;
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          DelaySeconds: delaySeconds,
        }),
      );
    },

    sendAll: async (messages) => {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: messages.map((message, position) => ({
            Id: String(position),
            MessageBody: JSON.stringify(message),
          })),
        }),
      );
      const refused = new Set(Failed.map(({ Id }) => Id));
      return messages.filter((_, position) => refused.has(String(position)));
    },
  };
};
