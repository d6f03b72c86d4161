import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { type Attributes, number, optional, text, time } from '../../platform/aws/attributes.ts';
import { dynamoTable, getMany } from '../../platform/aws/table.ts';
import { messageHandler, sqsClient, sqsQueue } from '../../platform/runtime/queue.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import { type RetiredModels, retiredModel } from '../domain/offered.ts';
import {
  NO_WORK,
  type QueueAges,
  type QueueDepth,
  type ReceivedMessages,
  type Retirements,
  type StepMessage,
  type StepQueue,
  type WorkDone,
} from '../domain/step-queue.ts';
import { NO_LOAD, type WorkerNews } from '../domain/worker-capacity.ts';
import { LOAD_KEY, readLoad } from './dynamo-worker-loads.ts';

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
const minuteKey = (minute: number) => ({ id: `queue-age-${minute}` });

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

export const dynamoQueueAges = (client: DynamoDBClient, name: string): QueueAges => {
  const table = dynamoTable(client, name);
  return {
    record: async (minute, { onTime, late, stalledSince, work = NO_WORK }) => {
      const slots = [...late].slice(0, MAX_SLOTS);
      const sums = Object.entries(toWorkSums(work)).filter(([, sum]) => sum > 0);
      await table.update(minuteKey(minute), {
        set: {
          expires: minute * 60 + AGE_LIFETIME_SECONDS,
          ...(onTime && { on_time: 1 }),
          ...(stalledSince !== undefined && { stalled_since: stalledSince }),
          ...Object.fromEntries(slots.map(([slot, readyAt]) => [`${SLOT_PREFIX}${slot}`, readyAt])),
        },
        add: Object.fromEntries(sums),
      });
    },

    read: (minute) => table.get(minuteKey(minute), readReceived, false),
  };
};

const toWorkSums = ({ busyMs, messages, started, ended }: WorkDone) => ({
  busy_ms: busyMs,
  messages,
  started,
  ended,
});

const readWork = (item: Attributes): WorkDone => {
  const sum = (name: keyof ReturnType<typeof toWorkSums>) => optional(item, name, number) ?? 0;
  return { busyMs: sum('busy_ms'), messages: sum('messages'), started: sum('started'), ended: sum('ended') };
};

const readReceived = (item: Attributes): ReceivedMessages => ({
  onTime: optional(item, 'on_time', number) !== undefined,
  late: readLate(item),
  stalledSince: optional(item, 'stalled_since', number),
  work: readWork(item),
});

/** One item for all retired models: an attribute for each, with the time until which it counts. */
const RETIRED_KEY = { id: 'retired-models' };

const readRetired = (item: Attributes, now: number): RetiredModels =>
  new Set(
    Object.keys(item)
      .filter((name) => name.includes('/'))
      .filter((name) => time(item, name) > now),
  );

export const dynamoRetirements = (
  client: DynamoDBClient,
  table: string,
  upstreams: readonly Upstream[],
): Retirements => ({
  note: async (name, model, until) => {
    const upstream = upstreams.find((one) => one.name === name);
    if (upstream === undefined) return;
    await dynamoTable(client, table).update(RETIRED_KEY, { set: { [retiredModel(upstream, model)]: until } });
  },
});

/** Forgets the retired models, for an operator who knows better. */
export const forgetRetirements = async (client: DynamoDBClient, table: string): Promise<void> => {
  await dynamoTable(client, table).remove(RETIRED_KEY);
};

export const dynamoWorkerNews = (client: DynamoDBClient, table: string): WorkerNews => ({
  read: async (minute) => {
    const items = await getMany(client, table, [minuteKey(minute), RETIRED_KEY, LOAD_KEY]);
    const find = (key: { readonly id: string }) => items.find((item) => text(item, 'id') === key.id);
    const received = find(minuteKey(minute));
    const retired = find(RETIRED_KEY);
    const load = find(LOAD_KEY);
    return {
      received: received && readReceived(received),
      retired: retired === undefined ? new Set() : readRetired(retired, Date.now()),
      load: load === undefined ? NO_LOAD : readLoad(load),
    };
  },
});
