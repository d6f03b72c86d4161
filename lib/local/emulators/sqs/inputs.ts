import * as z from 'zod';

export const MessageAttribute = z.object({
  DataType: z.string(),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});
export const MessageAttributes = z.record(z.string(), MessageAttribute);
export type MessageAttributes = z.infer<typeof MessageAttributes>;

const QueueUrl = z.string();
const EntryId = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/);
const Names = z.array(z.string()).default([]);

const batchOf = <T extends z.ZodType>(entry: T) =>
  z.object({ QueueUrl, Entries: z.array(entry).min(1).max(10) });

const Sent = z.object({
  MessageBody: z.string().min(1),
  DelaySeconds: z.number().int().min(0).max(900).optional(),
  // On a standard queue: whose messages these are, for the order in which they are received.
  MessageGroupId: z
    .string()
    .regex(/^[!-~]{1,128}$/)
    .optional(),
  MessageAttributes: MessageAttributes.default({}),
  // The one attribute of the system that a sender may set.
  MessageSystemAttributes: z.strictObject({ AWSTraceHeader: MessageAttribute.optional() }).default({}),
});
export type Sent = z.infer<typeof Sent>;

export const OnQueue = z.object({ QueueUrl });
export const CreateQueue = z.object({
  QueueName: z.string().regex(/^[A-Za-z0-9_-]{1,80}$/),
  Attributes: z.record(z.string(), z.string()).default({}),
});
export const GetQueueUrl = z.object({ QueueName: z.string() });
export const GetQueueAttributes = OnQueue.extend({ AttributeNames: Names });
export const SetQueueAttributes = OnQueue.extend({ Attributes: z.record(z.string(), z.string()) });
export const SendMessage = Sent.extend({ QueueUrl });
export const SendMessageBatch = batchOf(Sent.extend({ Id: EntryId }));
export const DeleteMessageBatch = batchOf(z.object({ Id: EntryId, ReceiptHandle: z.string() }));
export const ReceiveMessage = OnQueue.extend({
  MaxNumberOfMessages: z.number().int().min(1).max(10).default(1),
  VisibilityTimeout: z.number().int().min(0).max(43_200).optional(),
  WaitTimeSeconds: z.number().int().min(0).max(20).optional(),
  AttributeNames: Names,
  MessageSystemAttributeNames: Names,
  MessageAttributeNames: Names,
});
export type ReceiveMessage = z.infer<typeof ReceiveMessage>;
