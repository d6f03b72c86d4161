import { type Message, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Puts messages that Lambda refuses to deliver into the dead-letter queue; without one they are lost, as on AWS. */
export const moveToDeadLetters = async (
  client: SQSClient,
  deadLetterUrl: string | undefined,
  messages: readonly Message[],
): Promise<void> => {
  if (deadLetterUrl === undefined) return;
  for (const { Body, MessageAttributes, Attributes } of messages) {
    const trace = Attributes?.AWSTraceHeader;
    await client.send(
      new SendMessageCommand({
        QueueUrl: deadLetterUrl,
        MessageBody: Body,
        ...(MessageAttributes && { MessageAttributes }),
        ...(trace !== undefined && {
          MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: trace } },
        }),
      }),
    );
  }
};
