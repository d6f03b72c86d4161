import { hash } from 'node:crypto';
import { AwsError, type AwsRequest, type JsonOperation } from '../aws-http/service.ts';
import * as inputs from './inputs.ts';
import type { Delivery, MessageStore } from './message-store.ts';
import { type Queue, type QueueStore, setting } from './queues.ts';

const md5 = (data: string | Uint8Array): string => hash('md5', data);

const counted = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const STRING_VALUE = Buffer.from([1]);
const BINARY_VALUE = Buffer.from([2]);

/** The digest that SQS documents: length-prefixed name, type and value of each attribute, sorted by name. */
const md5OfAttributes = (attributes: inputs.MessageAttributes): string | undefined => {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const parts = names.flatMap((name) => {
    const { DataType = '', StringValue, BinaryValue } = attributes[name] ?? {};
    const value =
      StringValue === undefined
        ? [BINARY_VALUE, counted(Buffer.from(BinaryValue ?? '', 'base64'))]
        : [STRING_VALUE, counted(Buffer.from(StringValue))];
    return [counted(Buffer.from(name)), counted(Buffer.from(DataType)), ...value];
  });
  return md5(Buffer.concat(parts));
};

/** Long polls wait until a message arrives, a time is reached, or the client disconnects. */
export const longPolls = () => {
  const waiting = new Map<string, Set<() => void>>();

  const leave = (queue: string, wake: () => void) => {
    const others = waiting.get(queue);
    others?.delete(wake);
    if (others?.size === 0) waiting.delete(queue);
  };

  return {
    wake(queue: string): void {
      for (const wake of waiting.get(queue) ?? []) wake();
    },
    wait(queue: string, until: number, signal: AbortSignal): Promise<void> {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          leave(queue, wake);
          resolve();
        };
        const timer = setTimeout(wake, Math.max(0, until - Date.now()));
        signal.addEventListener('abort', wake);
        waiting.set(queue, (waiting.get(queue) ?? new Set()).add(wake));
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

const messageAttributes = ({ attributes }: Delivery, names: readonly string[]): inputs.MessageAttributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => wants(names, name)));

const unlessEmpty = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length === 0 ? undefined : value;

const toMessage = (delivery: Delivery, request: inputs.ReceiveMessage) => {
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
    const { MessageBody: body, MessageAttributes: attributes, MessageSystemAttributes: system } = entry;
    const delay = entry.DelaySeconds ?? setting(queue, 'DelaySeconds');
    // The message's own attribute takes precedence over the header of the request.
    const trace = system.AWSTraceHeader?.StringValue ?? headers['x-amzn-trace-id'] ?? null;
    const group = entry.MessageGroupId ?? null;
    return {
      MessageId: messages.send(queue, { body, attributes, trace, group }, delay),
      MD5OfMessageBody: md5(body),
      MD5OfMessageAttributes: md5OfAttributes(attributes),
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
