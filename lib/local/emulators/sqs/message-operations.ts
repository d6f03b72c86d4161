import { hash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { AwsError, type AwsRequest, type JsonOperation } from '../aws-http/service.ts';
import * as inputs from './inputs.ts';
import type { Delivery, MessageStore } from './message-store.ts';
import { type Queue, type QueueStore, setting } from './queues.ts';

const md5 = (text: string): string => hash('md5', text);

/** Long polls wait until a message arrives, a time is reached, or the client disconnects. */
export const longPolls = () => {
  const arrivals = new EventEmitter().setMaxListeners(0);
  const eventName = (queue: string): string => `message in ${queue}`;
  return {
    wake: (queue: string): void => void arrivals.emit(eventName(queue)),
    wait: async (queue: string, until: number, gone: AbortSignal): Promise<void> => {
      const signal = AbortSignal.any([gone, AbortSignal.timeout(Math.max(0, until - Date.now()))]);
      await once(arrivals, eventName(queue), { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
  };
};

type LongPolls = ReturnType<typeof longPolls>;

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

const toMessage = (delivery: Delivery, request: inputs.ReceiveMessage) => {
  const names = [...request.AttributeNames, ...request.MessageSystemAttributeNames];
  return {
    MessageId: delivery.id,
    ReceiptHandle: delivery.receipt,
    Body: delivery.body,
    MD5OfBody: md5(delivery.body),
    ...(names.length > 0 && { Attributes: systemAttributes(delivery, names) }),
  };
};

const receive = async (
  { messages, longPolls }: { readonly messages: MessageStore; readonly longPolls: LongPolls },
  queue: Queue,
  request: inputs.ReceiveMessage,
  signal: AbortSignal,
) => {
  const timeout = request.VisibilityTimeout ?? setting(queue, 'VisibilityTimeout');
  const wait = request.WaitTimeSeconds ?? setting(queue, 'ReceiveMessageWaitTimeSeconds');
  const deadline = Date.now() + wait * 1000;
  // A disconnected client must not receive messages.
  while (!signal.aborted) {
    const deliveries = messages.take(queue, request.MaxNumberOfMessages, timeout);
    if (deliveries.length > 0) return { Messages: deliveries.map((each) => toMessage(each, request)) };
    if (Date.now() >= deadline) break;
    await longPolls.wait(queue.name, Math.min(deadline, messages.nextAt(queue)), signal);
  }
  return {};
};

type Failed = {
  readonly Id: string;
  readonly SenderFault: boolean;
  readonly Code: string;
  readonly Message: string;
};

const checkDistinct = (entries: readonly { Id: string }[]): void => {
  if (new Set(entries.map(({ Id }) => Id)).size === entries.length) return;
  const message = 'Two or more batch entries in the request have the same Id.';
  throw new AwsError(400, 'com.amazonaws.sqs#BatchEntryIdsNotDistinct', message);
};

/** Processes each entry separately: a failed one does not affect the others. */
const batched = <Entry extends { Id: string }>(
  queue: Queue,
  entries: readonly Entry[],
  one: (queue: Queue, entry: Entry) => object,
) => {
  checkDistinct(entries);
  const Successful: object[] = [];
  const Failed: Failed[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...one(queue, entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      const Code = error.code.replace(/^.*#/, '');
      Failed.push({ Id: entry.Id, SenderFault: true, Code, Message: error.message });
    }
  }
  return { Successful, Failed };
};

export const messageOperations = (
  queues: QueueStore,
  messages: MessageStore,
  longPolls: LongPolls,
  closing: AbortSignal,
): Record<string, JsonOperation> => {
  const send = (queue: Queue, entry: inputs.Sent, { headers }: AwsRequest) => {
    inputs.checkBody(queue, entry);
    const { MessageBody: body, MessageSystemAttributes: system } = entry;
    const delay = entry.DelaySeconds ?? setting(queue, 'DelaySeconds');
    // The message's own attribute takes precedence over the header of the request.
    const trace = system.AWSTraceHeader?.StringValue ?? headers['x-amzn-trace-id'] ?? null;
    const group = entry.MessageGroupId ?? null;
    return {
      MessageId: messages.send(queue, { body, trace, group }, delay),
      MD5OfMessageBody: md5(body),
    };
  };
  const remove = (queue: Queue, { ReceiptHandle }: { ReceiptHandle: string }) => {
    inputs.checkReceipt(ReceiptHandle);
    messages.remove(queue, ReceiptHandle);
    return {};
  };

  return {
    SendMessage(input, request) {
      const entry = inputs.SendMessage.parse(input);
      return send(queues.at(entry.QueueUrl), entry, request);
    },
    SendMessageBatch(input, request) {
      const { QueueUrl, Entries } = inputs.SendMessageBatch.parse(input);
      return batched(queues.at(QueueUrl), Entries, (queue, entry) => send(queue, entry, request));
    },
    ReceiveMessage(input, { signal }) {
      const request = inputs.ReceiveMessage.parse(input);
      const gone = AbortSignal.any([signal, closing]);
      return receive({ messages, longPolls }, queues.at(request.QueueUrl), request, gone);
    },
    DeleteMessageBatch(input) {
      const { QueueUrl, Entries } = inputs.DeleteMessageBatch.parse(input);
      return batched(queues.at(QueueUrl), Entries, remove);
    },
  };
};
