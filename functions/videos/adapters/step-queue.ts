import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { type Attributes, encode, number, optional } from '../../platform/aws/dynamo.ts';
import { messageHandler, sqsClient, sqsQueue } from '../../platform/runtime/queue.ts';
import type { QueueAges, QueueDepth, StepMessage, StepQueue } from '../domain/step-queue.ts';

/** Messages are grouped by account for fairness and carry the time when their delay ends. */
export const sqsSteps = (queueUrl: string, client = sqsClient()): StepQueue => {
  const { send, sendAll } = sqsQueue(queueUrl, ({ account }: StepMessage) => account, client);
  return {
    send: (message, delayMs) => send({ ...message, readyAt: Date.now() + delayMs }, delayMs),
    sendAll: async (messages) => {
      const readyAt = Date.now();
      const refused = await sendAll(messages.map((message) => ({ ...message, readyAt })));
      return refused.map(({ readyAt: _, ...message }) => message);
    },
  };
};

export const sqsDepth = (queueUrl: string, client = sqsClient()): QueueDepth => ({
  waiting: async () => {
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    const waiting = Number(Attributes?.ApproximateNumberOfMessages);
    if (Number.isNaN(waiting)) throw new Error('SQS did not return the number of messages');
    return waiting;
  },
});

const stepSchema = z.object({
  taskId: z.string(),
  account: z.optional(z.string()),
  step: z.number(),
  poll: z.optional(
    z.object({
      operation: z.string(),
      upstream: z.object({ name: z.string(), definition: z.optional(z.string()) }),
      submittedAt: z.number(),
      leaseUntil: z.number(),
    }),
  ),
  readyAt: z.optional(z.number()),
});

export const stepHandler = messageHandler<StepMessage>(
  (body) => stepSchema.parse(body),
  ({ taskId, step }) => ({ taskId, step }),
);

/** The task table has one item for each minute, in none of its indexes. */
const minuteKey = (minute: number): Attributes => encode({ id: `queue-age-${minute}` });

const SLOT_PREFIX = 'late_';
/** DynamoDB limits an expression; a worker meets fewer accounts between two records. */
const MAX_SLOTS = 150;
const AGE_LIFETIME_SECONDS = 60 * 60;

const readLate = (item: Attributes): ReadonlyMap<string, number> =>
  new Map(
    Object.keys(item)
      .filter((name) => name.startsWith(SLOT_PREFIX))
      .map((name) => [name.slice(SLOT_PREFIX.length), number(item, name)] as const),
  );

export const dynamoQueueAges = (client: DynamoDBClient, table: string): QueueAges => ({
  record: async (minute, { onTime, late, stalledSince }) => {
    const slots = [...late].slice(0, MAX_SLOTS);
    const values = {
      expires: minute * 60 + AGE_LIFETIME_SECONDS,
      ...(onTime ? { on_time: 1 } : {}),
      ...(stalledSince === undefined ? {} : { stalled_since: stalledSince }),
      ...Object.fromEntries(slots.map(([slot, readyAt]) => [`${SLOT_PREFIX}${slot}`, readyAt])),
    };
    const names = Object.keys(values);
    await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: minuteKey(minute),
        UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`,
        ExpressionAttributeValues: encode(
          Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
        ),
      }),
    );
  },

  read: async (minute) => {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: minuteKey(minute) }));
    return (
      Item && {
        onTime: optional(Item, 'on_time', number) !== undefined,
        late: readLate(Item),
        stalledSince: optional(Item, 'stalled_since', number),
      }
    );
  },
});
