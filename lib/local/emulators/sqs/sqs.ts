import { join } from 'node:path';
import { type JsonOperation, jsonService, type Service } from '../aws-http/service.ts';
import type { Home } from '../messages.ts';
import { openDatabase } from '../sqlite.ts';
import * as inputs from './inputs.ts';
import { longPolls, messageOperations } from './message-operations.ts';
import { type MessageStore, messageStore } from './message-store.ts';
import {
  nameInUrl,
  type Queue,
  type QueueAttributes,
  type QueueStore,
  queueArn,
  queueStore,
  SCHEMA,
} from './queues.ts';

const queueAttributes = (
  home: Home,
  messages: MessageStore,
  queue: Queue,
  names: readonly string[],
): Record<string, string> => {
  const all: Record<string, string> = {
    ...queue.attributes,
    QueueArn: queueArn(home, queue.name),
    CreatedTimestamp: String(queue.created),
    LastModifiedTimestamp: String(queue.modified),
    ApproximateNumberOfMessages: String(messages.count(queue, 'visible')),
    ApproximateNumberOfMessagesNotVisible: String(messages.count(queue, 'inFlight')),
    ApproximateNumberOfMessagesDelayed: String(messages.count(queue, 'delayed')),
  };
  const wanted = names.includes('All') ? Object.keys(all) : names;
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => wanted.includes(name) && value !== ''),
  );
};

const queueOperations = (
  home: Home,
  queues: QueueStore,
  messages: MessageStore,
  endpoint: () => string,
): Record<string, JsonOperation> => {
  return {
    CreateQueue(input) {
      const { QueueName, Attributes } = inputs.CreateQueue.parse(input);
      inputs.checkAttributes(Attributes);
      queues.create(QueueName, Attributes);
      return { QueueUrl: `${endpoint()}/${home.accountId}/${QueueName}` };
    },
    GetQueueAttributes(input) {
      const { QueueUrl, AttributeNames } = inputs.GetQueueAttributes.parse(input);
      return { Attributes: queueAttributes(home, messages, queues.at(QueueUrl), AttributeNames) };
    },
  };
};

const resourceArn = (home: Home, input: unknown): string => {
  const onQueue = inputs.OnQueue.safeParse(input);
  if (onQueue.success) return queueArn(home, nameInUrl(onQueue.data.QueueUrl));
  const named = inputs.CreateQueue.safeParse(input);
  return queueArn(home, named.success ? named.data.QueueName : '*');
};

export const sqs = (home: Home, dataDir: string, endpoint: () => string): Service => {
  const database = openDatabase(join(dataDir, 'queues.sqlite'), SCHEMA);
  const polls = longPolls();
  const closing = new AbortController();
  const queues = queueStore(database);
  let provisioned: Readonly<Record<string, QueueAttributes>> = {};
  const messages = messageStore(database, queues, polls.wake);
  const operations = {
    ...queueOperations(home, queues, messages, endpoint),
    ...messageOperations(queues, messages, polls, closing.signal),
  };

  const service = jsonService({
    target: 'AmazonSQS',
    operations: new Map(Object.entries(operations)),
    accessedBy: (operation, input) => [
      // IAM has no separate actions for batches.
      { action: `sqs:${operation.replace(/Batch$/, '')}`, resource: resourceArn(home, input) },
    ],
    async close() {
      closing.abort();
      database.close();
    },
  });
  return {
    ...service,
    provision({ queues: wanted = {} }) {
      for (const attributes of Object.values(wanted)) inputs.checkAttributes(attributes);
      for (const name of Object.keys(provisioned)) if (!Object.hasOwn(wanted, name)) queues.remove(name);
      queues.putAll(wanted);
      provisioned = wanted;
    },
  };
};
