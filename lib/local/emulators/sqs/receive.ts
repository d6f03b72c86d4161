import { md5, md5OfAttributes } from './digests.ts';
import type { MessageAttributes, ReceiveMessage } from './inputs.ts';
import type { LongPolls } from './long-polls.ts';
import type { Delivery, MessageStore } from './message-store.ts';
import { type Queue, setting } from './queues.ts';

const wants = (names: readonly string[], name: string): boolean =>
  names.some(
    (wanted) =>
      wanted === 'All' || wanted === name || (wanted.endsWith('.*') && name.startsWith(wanted.slice(0, -2))),
  );

const systemAttributes = (delivery: Delivery, names: readonly string[]): Record<string, string> => {
  const all = {
    SenderId: 'LOCAL',
    SentTimestamp: String(delivery.sent),
    ApproximateReceiveCount: String(delivery.received),
    ApproximateFirstReceiveTimestamp: String(delivery.firstReceived),
    ...(delivery.trace !== null && { AWSTraceHeader: delivery.trace }),
    ...(delivery.group !== null && { MessageGroupId: delivery.group }),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => wants(names, name)));
};

const messageAttributes = ({ attributes }: Delivery, names: readonly string[]): MessageAttributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => wants(names, name)));

const unlessEmpty = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length === 0 ? undefined : value;

const toMessage = (delivery: Delivery, request: ReceiveMessage) => {
  const attributes = messageAttributes(delivery, request.MessageAttributeNames);
  const names = [...request.AttributeNames, ...request.MessageSystemAttributeNames];
  return {
    MessageId: delivery.id,
    ReceiptHandle: delivery.receipt,
    Body: delivery.body,
    MD5OfBody: md5(delivery.body),
    MessageAttributes: unlessEmpty(attributes),
    MD5OfMessageAttributes: md5OfAttributes(attributes),
    Attributes: unlessEmpty(systemAttributes(delivery, names)),
  };
};

export const receive = async (
  messages: MessageStore,
  longPolls: LongPolls,
  queue: Queue,
  request: ReceiveMessage,
  signal: AbortSignal,
) => {
  const timeout = request.VisibilityTimeout ?? setting(queue, 'VisibilityTimeout');
  const wait = request.WaitTimeSeconds ?? setting(queue, 'ReceiveMessageWaitTimeSeconds');
  const deadline = Date.now() + wait * 1000;
  // A client that has gone takes nothing with it.
  while (!signal.aborted) {
    const deliveries = messages.take(queue, request.MaxNumberOfMessages, timeout);
    if (deliveries.length > 0) return { Messages: deliveries.map((each) => toMessage(each, request)) };
    if (Date.now() >= deadline) break;
    await longPolls.wait(queue.name, Math.min(deadline, messages.nextAt(queue)), signal);
  }
  return {};
};
