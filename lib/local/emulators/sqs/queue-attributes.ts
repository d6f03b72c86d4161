import type { Home } from '../options.ts';
import type { MessageStore } from './message-store.ts';
import { type Queue, queueArn } from './queues.ts';

export const queueAttributes = (
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
