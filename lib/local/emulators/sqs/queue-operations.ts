import type { JsonOperation } from '../aws-http/json-service.ts';
import type { Home } from '../options.ts';
import { checkAttributes } from './checks.ts';
import * as inputs from './inputs.ts';
import type { MessageStore } from './message-store.ts';
import { queueAttributes } from './queue-attributes.ts';
import { type QueueStore, queueDoesNotExist } from './queues.ts';

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
