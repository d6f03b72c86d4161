import type { JsonOperation } from '../aws-http/json-service.ts';
import type { Home } from '../messages.ts';
import { checkAttributes } from './checks.ts';
import * as inputs from './inputs.ts';
import type { MessageStore } from './message-store.ts';
import { type Queue, type QueueStore, queueArn, queueDoesNotExist } from './queues.ts';

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

export const queueOperations = (
  home: Home,
  queues: QueueStore,
  messages: MessageStore,
  endpoint: () => string,
): Record<string, JsonOperation> => {
  const urlOf = (name: string): string => `${endpoint()}/${home.accountId}/${name}`;

  return {
    CreateQueue(input) {
      const { QueueName, Attributes } = inputs.CreateQueue.parse(input);
      checkAttributes(Attributes);
      queues.create(QueueName, Attributes);
      return { QueueUrl: urlOf(QueueName) };
    },
    GetQueueUrl(input) {
      const { QueueName } = inputs.GetQueueUrl.parse(input);
      if (queues.find(QueueName) === undefined) throw queueDoesNotExist();
      return { QueueUrl: urlOf(QueueName) };
    },
    GetQueueAttributes(input) {
      const { QueueUrl, AttributeNames } = inputs.GetQueueAttributes.parse(input);
      return { Attributes: queueAttributes(home, messages, queues.at(QueueUrl), AttributeNames) };
    },
    SetQueueAttributes(input) {
      const { QueueUrl, Attributes } = inputs.SetQueueAttributes.parse(input);
      checkAttributes(Attributes);
      queues.set(queues.at(QueueUrl), Attributes);
    },
  };
};
