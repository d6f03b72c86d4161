import { join } from 'node:path';
import { AwsError } from '../front/aws-error.ts';
import { type JsonOperation, jsonService } from '../front/json-service.ts';
import type { Service } from '../front/service.ts';
import type { Home } from '../options.ts';
import { openDatabase } from '../sqlite.ts';
import { batched } from './batches.ts';
import { md5, md5OfAttributes } from './digests.ts';
import * as inputs from './inputs.ts';
import { messageStore } from './message-store.ts';
import { queueAttributes } from './queue-attributes.ts';
import { nameInUrl, type Queue, queueArn, queueDoesNotExist, queueStore, SCHEMA, setting } from './queues.ts';
import { receive } from './receive.ts';
import { waitingRoom } from './waiting-room.ts';

const RECEIPT = /^[0-9a-f-]{36}:[0-9a-f-]{36}$/;
// What XML 1.0 allows, as SQS documents it.
const FORBIDDEN = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const invalid = (code: string, message: string): AwsError =>
  new AwsError(400, `com.amazonaws.sqs#${code}`, message);

const checkReceipt = (receipt: string): void => {
  if (RECEIPT.test(Buffer.from(receipt, 'base64url').toString())) return;
  throw invalid('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
};

const checkBody = (queue: Queue, { MessageBody, MessageAttributes }: inputs.Sent): void => {
  if (FORBIDDEN.test(MessageBody)) {
    throw invalid('InvalidMessageContents', 'The message contains characters outside the allowed set.');
  }
  const limit = setting(queue, 'MaximumMessageSize');
  const attributes = Object.entries(MessageAttributes).flatMap(([name, attribute]) => [
    name,
    ...Object.values(attribute),
  ]);
  const size = [MessageBody, ...attributes].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  if (size > limit) {
    throw invalid(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${limit} bytes.`,
    );
  }
};

export const sqs = (home: Home, dataDir: string, endpoint: () => string): Service => {
  const database = openDatabase(join(dataDir, 'queues.sqlite'), SCHEMA);
  const room = waitingRoom();
  const closing = new AbortController();
  const queues = queueStore(database);
  const messages = messageStore(database, queues, room.wake);

  const urlOf = (name: string): string => `${endpoint()}/${home.accountId}/${name}`;

  const send = (queue: Queue, entry: inputs.Sent) => {
    checkBody(queue, entry);
    const delay = entry.DelaySeconds ?? setting(queue, 'DelaySeconds');
    return {
      MessageId: messages.send(queue, entry.MessageBody, entry.MessageAttributes, delay),
      MD5OfMessageBody: md5(entry.MessageBody),
      MD5OfMessageAttributes: md5OfAttributes(entry.MessageAttributes),
    };
  };
  const remove = (queue: Queue, { ReceiptHandle }: { ReceiptHandle: string }) => {
    checkReceipt(ReceiptHandle);
    messages.remove(queue, ReceiptHandle);
    return {};
  };
  const hide = (queue: Queue, entry: { ReceiptHandle: string; VisibilityTimeout: number }) => {
    checkReceipt(entry.ReceiptHandle);
    if (messages.hide(queue, entry.ReceiptHandle, entry.VisibilityTimeout)) return {};
    throw invalid('MessageNotInflight', 'The specified message is not in flight.');
  };

  const operations: Record<string, JsonOperation> = {
    CreateQueue(input) {
      const { QueueName, Attributes } = inputs.CreateQueue.parse(input);
      queues.create(QueueName, Attributes);
      return { QueueUrl: urlOf(QueueName) };
    },
    GetQueueUrl(input) {
      const { QueueName } = inputs.GetQueueUrl.parse(input);
      if (queues.find(QueueName) === undefined) throw queueDoesNotExist();
      return { QueueUrl: urlOf(QueueName) };
    },
    ListQueues(input) {
      const { QueueNamePrefix } = inputs.ListQueues.parse(input);
      const names = queues.all().map(({ name }) => name);
      return { QueueUrls: names.filter((name) => name.startsWith(QueueNamePrefix)).map(urlOf) };
    },
    DeleteQueue: (input) => queues.remove(queues.at(inputs.OnQueue.parse(input).QueueUrl)),
    PurgeQueue: (input) => messages.purge(queues.at(inputs.OnQueue.parse(input).QueueUrl)),
    GetQueueAttributes(input) {
      const { QueueUrl, AttributeNames } = inputs.GetQueueAttributes.parse(input);
      return { Attributes: queueAttributes(home, messages, queues.at(QueueUrl), AttributeNames) };
    },
    SetQueueAttributes(input) {
      const { QueueUrl, Attributes } = inputs.SetQueueAttributes.parse(input);
      queues.set(queues.at(QueueUrl), Attributes);
    },
    SendMessage(input) {
      const entry = inputs.SendMessage.parse(input);
      return send(queues.at(entry.QueueUrl), entry);
    },
    SendMessageBatch(input) {
      const { QueueUrl, Entries } = inputs.SendMessageBatch.parse(input);
      return batched(queues.at(QueueUrl), Entries, send);
    },
    ReceiveMessage(input, signal) {
      const request = inputs.ReceiveMessage.parse(input);
      const gone = AbortSignal.any([signal, closing.signal]);
      return receive(messages, room, queues.at(request.QueueUrl), request, gone);
    },
    DeleteMessage(input) {
      const entry = inputs.DeleteMessage.parse(input);
      return remove(queues.at(entry.QueueUrl), entry);
    },
    DeleteMessageBatch(input) {
      const { QueueUrl, Entries } = inputs.DeleteMessageBatch.parse(input);
      return batched(queues.at(QueueUrl), Entries, remove);
    },
    ChangeMessageVisibility(input) {
      const entry = inputs.ChangeMessageVisibility.parse(input);
      return hide(queues.at(entry.QueueUrl), entry);
    },
    ChangeMessageVisibilityBatch(input) {
      const { QueueUrl, Entries } = inputs.ChangeMessageVisibilityBatch.parse(input);
      return batched(queues.at(QueueUrl), Entries, hide);
    },
  };

  return jsonService({
    target: 'AmazonSQS',
    operations: new Map(Object.entries(operations)),
    touched: (operation, input) => [
      // IAM has no actions of their own for batches.
      { action: `sqs:${operation.replace(/Batch$/, '')}`, resource: resourceOf(home, input) },
    ],
    async close() {
      closing.abort();
      database.close();
    },
  });
};

const resourceOf = (home: Home, input: unknown): string => {
  const onQueue = inputs.OnQueue.safeParse(input);
  if (onQueue.success) return queueArn(home, nameInUrl(onQueue.data.QueueUrl));
  const named = inputs.GetQueueUrl.safeParse(input);
  return queueArn(home, named.success ? named.data.QueueName : '*');
};
