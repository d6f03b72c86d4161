import type { JsonOperation } from '../aws-http/json-service.ts';
import type { AwsRequest } from '../aws-http/service.ts';
import { batched } from './batches.ts';
import { checkBody, checkReceipt } from './checks.ts';
import { md5, md5OfAttributes } from './digests.ts';
import * as inputs from './inputs.ts';
import type { LongPolls } from './long-polls.ts';
import type { MessageStore } from './message-store.ts';
import { type Queue, type QueueStore, setting } from './queues.ts';
import { receive } from './receive.ts';

export const messageOperations = (
  queues: QueueStore,
  messages: MessageStore,
  longPolls: LongPolls,
  closing: AbortSignal,
): Record<string, JsonOperation> => {
  const send = (queue: Queue, entry: inputs.Sent, { headers }: AwsRequest) => {
    checkBody(queue, entry);
    const { MessageBody: body, MessageAttributes: attributes, MessageSystemAttributes: system } = entry;
    const delay = entry.DelaySeconds ?? setting(queue, 'DelaySeconds');
    // What the message itself says goes before the header of its request.
    const trace = system.AWSTraceHeader?.StringValue ?? headers['x-amzn-trace-id'] ?? null;
    const group = entry.MessageGroupId ?? null;
    return {
      MessageId: messages.send(queue, { body, attributes, trace, group }, delay),
      MD5OfMessageBody: md5(body),
      MD5OfMessageAttributes: md5OfAttributes(attributes),
    };
  };
  const remove = (queue: Queue, { ReceiptHandle }: { ReceiptHandle: string }) => {
    checkReceipt(ReceiptHandle);
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
      return receive(messages, longPolls, queues.at(request.QueueUrl), request, gone);
    },
    DeleteMessageBatch(input) {
      const { QueueUrl, Entries } = inputs.DeleteMessageBatch.parse(input);
      return batched(queues.at(QueueUrl), Entries, remove);
    },
  };
};
