import type { Message } from '@aws-sdk/client-sqs';
import * as z from 'zod';

type Source = {
  readonly queueArn: string;
  readonly region: string;
};

/** The event that Lambda makes of received messages. */
export const queueEvent = (messages: readonly Message[], { queueArn, region }: Source) => {
  const Records = messages.map((message) => ({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, attribute]) => [
        name,
        {
          stringValue: attribute.StringValue,
          binaryValue: attribute.BinaryValue && Buffer.from(attribute.BinaryValue).toString('base64'),
          stringListValues: [],
          binaryListValues: [],
          dataType: attribute.DataType,
        },
      ]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  }));
  return { Records };
};

const partialAnswerSchema = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullable();

/** The messages that are done; an answer that Lambda cannot read, or an unknown id, fails the whole batch. */
export const succeeded = (messages: readonly Message[], payload: string): readonly Message[] => {
  const parsed = partialAnswerSchema.safeParse(JSON.parse(payload));
  if (!parsed.success) return [];
  const failed = new Set((parsed.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
  const known = new Set(messages.map(({ MessageId }) => MessageId));
  if ([...failed].some((id) => !known.has(id))) return [];
  return messages.filter(({ MessageId }) => MessageId === undefined || !failed.has(MessageId));
};
