import * as z from 'zod';
import { AwsError } from '../aws-http/service.ts';
import { isRedrivePolicy, type Queue, type QueueAttributes, setting } from './queues.ts';

const QueueUrl = z.string();
const EntryId = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/);
const Names = z.array(z.string()).default([]);

const toBatch = <T extends z.ZodType>(entry: T) =>
  z.object({ QueueUrl, Entries: z.array(entry).min(1).max(10) });

const Sent = z.object({
  MessageBody: z.string().min(1),
  DelaySeconds: z.number().int().min(0).max(900).optional(),
  // On a standard queue, groups affect the order of delivery.
  MessageGroupId: z
    .string()
    .regex(/^[!-~]{1,128}$/)
    .optional(),
  MessageAttributes: z.undefined('message attributes are not emulated').optional(),
  // The only system attribute that a sender may set.
  MessageSystemAttributes: z
    .strictObject({ AWSTraceHeader: z.object({ StringValue: z.string() }).optional() })
    .default({}),
});
export type Sent = z.infer<typeof Sent>;

export const OnQueue = z.object({ QueueUrl });
export const CreateQueue = z.object({
  QueueName: z.string().regex(/^[A-Za-z0-9_-]{1,80}$/),
  Attributes: z.record(z.string(), z.string()).default({}),
});
export const GetQueueAttributes = OnQueue.extend({ AttributeNames: Names });
export const SendMessage = Sent.extend({ QueueUrl });
export const SendMessageBatch = toBatch(Sent.extend({ Id: EntryId }));
export const DeleteMessageBatch = toBatch(z.object({ Id: EntryId, ReceiptHandle: z.string() }));
export const ReceiveMessage = OnQueue.extend({
  MaxNumberOfMessages: z.number().int().min(1).max(10).default(1),
  VisibilityTimeout: z.number().int().min(0).max(43_200).optional(),
  WaitTimeSeconds: z.number().int().min(0).max(20).optional(),
  AttributeNames: Names,
  MessageSystemAttributeNames: Names,
});
export type ReceiveMessage = z.infer<typeof ReceiveMessage>;

const RECEIPT = /^[0-9a-f-]{36}:[0-9a-f-]{36}$/;
// SQS allows only the characters of XML 1.0.
const FORBIDDEN = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const invalid = (code: string, message: string): AwsError =>
  new AwsError(400, `com.amazonaws.sqs#${code}`, message);

export const checkReceipt = (receipt: string): void => {
  if (RECEIPT.test(Buffer.from(receipt, 'base64url').toString())) return;
  throw invalid('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
};

export const checkBody = (queue: Queue, { MessageBody }: Sent): void => {
  if (FORBIDDEN.test(MessageBody)) {
    throw invalid('InvalidMessageContents', 'The message contains characters outside the allowed set.');
  }
  const limit = setting(queue, 'MaximumMessageSize');
  if (Buffer.byteLength(MessageBody) > limit) {
    throw invalid(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${limit} bytes.`,
    );
  }
};

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  VisibilityTimeout: [0, 43_200],
  DelaySeconds: [0, 900],
  MaximumMessageSize: [1024, 1_048_576],
  MessageRetentionPeriod: [60, 1_209_600],
  ReceiveMessageWaitTimeSeconds: [0, 20],
};

const isInRange = (value: string, [least, most]: readonly [number, number]): boolean =>
  /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most;

export const checkAttributes = (attributes: QueueAttributes): void => {
  for (const [name, value] of Object.entries(attributes)) {
    const range = RANGES[name];
    const valid = name === 'RedrivePolicy' ? isRedrivePolicy(value) : !range || isInRange(value, range);
    if (!valid) throw invalid('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
  }
};
