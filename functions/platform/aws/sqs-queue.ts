import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CLIENT_OPTIONS, lean, refuseWhenThrottled } from './aws-clients.ts';

/** The longest delay that SQS offers. */
const MAX_DELAY_SECONDS = 900;

/** SQS accepts this many messages per call. */
const BATCH = 10;

export const sqsClient = (): SQSClient => {
  const client = lean(new SQSClient(CLIENT_OPTIONS));
  refuseWhenThrottled(client.middlewareStack, 0);
  return client;
};

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
