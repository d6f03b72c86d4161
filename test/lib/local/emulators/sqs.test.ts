import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as SQS from '@aws-sdk/client-sqs';
import { until } from '../../../support/until.ts';
import { ACCOUNT, createClients, emulated, errorName, REGION, sharedEmulators } from './emulated.ts';

const cloud = await sharedEmulators('restarted');

const create = async (QueueName: string, Attributes: Record<string, string> = {}): Promise<string> => {
  const { QueueUrl } = await cloud.clients.sqs.send(new SQS.CreateQueueCommand({ QueueName, Attributes }));
  assert.ok(QueueUrl);
  return QueueUrl;
};

const send = (QueueUrl: string, MessageBody: string, DelaySeconds = 0) =>
  cloud.clients.sqs.send(new SQS.SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds }));

const receive = async (QueueUrl: string, WaitTimeSeconds = 0): Promise<SQS.Message[]> => {
  const { Messages = [] } = await cloud.clients.sqs.send(
    new SQS.ReceiveMessageCommand({
      QueueUrl,
      WaitTimeSeconds,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
    }),
  );
  return Messages;
};

const bodies = (messages: readonly SQS.Message[]) => messages.map(({ Body }) => Body);

test('hides a delayed message until it is due, then wakes a long poll', async () => {
  const queue = await create('delayed');
  await send(queue, 'later', 1);
  assert.deepEqual(await receive(queue), []);
  assert.deepEqual(bodies(await receive(queue, 5)), ['later']);
});

test('returns only the attributes that a request names', async () => {
  const queue = await create('attributes');
  await send(queue, 'plain');
  const { Messages } = await cloud.clients.sqs.send(new SQS.ReceiveMessageCommand({ QueueUrl: queue }));
  const received = Messages?.map(({ Body, Attributes }) => [Body, Attributes]);
  assert.deepEqual(received, [['plain', undefined]]);
});

test('wakes a long poll when a message arrives', async () => {
  const queue = await create('polled');
  const poll = receive(queue, 10);
  await send(queue, 'now');
  assert.deepEqual(bodies(await poll), ['now']);
});

test('delivers nothing to a long poll whose client has disconnected', async () => {
  const queue = await create('abandoned');
  const { sqs } = createClients(cloud.emulators, 'LeavingFunction');
  const gone = new AbortController();
  const poll = (WaitTimeSeconds: number) =>
    sqs.send(new SQS.ReceiveMessageCommand({ QueueUrl: queue, WaitTimeSeconds }), {
      abortSignal: gone.signal,
    });
  // The first call opens the connection, so the next one reaches the queue before those of other clients.
  await poll(0);
  const abandoned = errorName(poll(20));
  await receive(queue);
  const leftAt = Date.now();
  gone.abort();
  assert.equal(await abandoned, 'AbortError');
  const ended = async () =>
    (await cloud.emulators.calls()).filter(({ principal }) => principal === 'LeavingFunction');
  await until(async () => (await ended()).length === 2);
  assert.ok(((await ended())[1]?.time ?? 0) < leftAt + 15_000, 'the poll lasted until its own end');
  await send(queue, 'for the living');
  const [message] = await receive(queue, 5);
  assert.equal(message?.Body, 'for the living');
  assert.equal(message?.Attributes?.ApproximateReceiveCount, '1');
});

const remove = (QueueUrl: string, { ReceiptHandle }: SQS.Message) =>
  cloud.clients.sqs.send(
    new SQS.DeleteMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'one', ReceiptHandle }] }),
  );

test('redelivers a message after its visibility timeout, and deletes it only by its last receipt', async () => {
  const queue = await create('returned', { VisibilityTimeout: '2' });
  await send(queue, 'again');
  const [first] = await receive(queue);
  assert.ok(first);
  assert.deepEqual(await receive(queue), []);
  const [second] = await receive(queue, 5);
  assert.ok(second);
  assert.equal(second.Attributes?.ApproximateReceiveCount, '2');
  const left = async () => {
    const { Attributes } = await cloud.clients.sqs.send(
      new SQS.GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: ['All'] }),
    );
    const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = Attributes ?? {};
    return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
  };
  await remove(queue, first);
  assert.equal(await left(), 1);
  await remove(queue, second);
  assert.equal(await left(), 0);
});

test('moves a message to the dead-letter queue after its last receive', async () => {
  const dead = await create('dead');
  const deadLetterTargetArn = `arn:aws:sqs:${REGION}:${ACCOUNT}:dead`;
  const queue = await create('redriven', {
    VisibilityTimeout: '0',
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 }),
  });
  const waiting = receive(dead, 10);
  await send(queue, 'poison');
  assert.equal((await receive(queue)).length, 1);
  assert.equal((await receive(queue)).length, 1);
  assert.deepEqual(await receive(queue), []);
  assert.deepEqual(bodies(await waiting), ['poison']);
});

test('processes each entry of a batch separately', async () => {
  const QueueUrl = await create('batched');
  const { Successful, Failed } = await cloud.clients.sqs.send(
    new SQS.SendMessageBatchCommand({
      QueueUrl,
      Entries: [
        { Id: 'good', MessageBody: 'text' },
        { Id: 'bad', MessageBody: 'nul \u0000' },
      ],
    }),
  );
  assert.deepEqual([Successful?.length, Failed?.[0]?.Code], [1, 'InvalidMessageContents']);
  assert.deepEqual(bodies(await receive(QueueUrl)), ['text']);
  const attributes = { kind: { DataType: 'String', StringValue: 'a' } };
  const unsupported = { QueueUrl, MessageBody: 'text', MessageAttributes: attributes };
  assert.equal(
    await errorName(cloud.clients.sqs.send(new SQS.SendMessageCommand(unsupported))),
    'ValidationException',
  );
  const answer = await remove(QueueUrl, { ReceiptHandle: 'nonsense' });
  assert.equal(answer.Failed?.[0]?.Code, 'ReceiptHandleIsInvalid');
});

test('updates the attributes of a queue of the stack, whose messages stay', async () => {
  const own = await emulated({ queues: { given: { DelaySeconds: '900' } } });
  try {
    const QueueUrl = `${own.emulators.endpoint}/${ACCOUNT}/given`;
    const AttributeNames: SQS.QueueAttributeName[] = ['DelaySeconds', 'ApproximateNumberOfMessagesDelayed'];
    await own.clients.sqs.send(new SQS.SendMessageCommand({ QueueUrl, MessageBody: 'kept' }));
    await own.restart({ queues: { given: {} } });
    const { Attributes } = await own.clients.sqs.send(
      new SQS.GetQueueAttributesCommand({ QueueUrl, AttributeNames }),
    );
    assert.deepEqual(Attributes, { DelaySeconds: '0', ApproximateNumberOfMessagesDelayed: '1' });
  } finally {
    await own.end();
  }
});

test('rejects settings that SQS rejects', async () => {
  for (const Attributes of [
    { VisibilityTimeout: '43201' },
    { DelaySeconds: 'soon' },
    { RedrivePolicy: '{}' },
  ]) {
    assert.equal(await errorName(create('refused', Attributes)), 'InvalidAttributeValue');
  }
  const deadLetterTargetArn = `arn:aws:sqs:${REGION}:${ACCOUNT}:nowhere`;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 });
  assert.equal(await errorName(create('refused', { RedrivePolicy })), 'InvalidParameterValue');
  await create('settled', { DelaySeconds: '1' });
  assert.equal(await errorName(create('settled', { DelaySeconds: '2' })), 'QueueNameExists');
});

test('reports a missing queue', async () => {
  assert.equal(
    await errorName(send(`${cloud.emulators.endpoint}/${ACCOUNT}/nowhere`, 'lost')),
    'QueueDoesNotExist',
  );
});

test('keeps messages, including hidden ones, after a restart on another port and after a kill', async () => {
  const queue = await create('kept', { VisibilityTimeout: '1' });
  await send(queue, 'waiting', 1);
  await send(queue, 'taken');
  assert.deepEqual(bodies(await receive(queue)), ['taken']);
  await cloud.restart();
  // The URL still has the old port.
  assert.ok(!queue.startsWith(cloud.emulators.endpoint));
  const found = [...(await receive(queue, 5)), ...(await receive(queue, 5))];
  assert.deepEqual([...new Set(bodies(found))].sort(), ['taken', 'waiting']);
  cloud.kill();
  await cloud.answering();
  const counts = await cloud.clients.sqs.send(
    new SQS.GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: ['All'] }),
  );
  const { ApproximateNumberOfMessages: visible, ApproximateNumberOfMessagesNotVisible: hidden } =
    counts.Attributes ?? {};
  assert.equal(Number(visible) + Number(hidden), 2);
});

const sendAs = (QueueUrl: string, MessageGroupId: string | undefined, MessageBody: string) =>
  cloud.clients.sqs.send(new SQS.SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId }));

const receiveOne = async (QueueUrl: string): Promise<SQS.Message | undefined> => {
  const MessageSystemAttributeNames = ['MessageGroupId'] as const;
  const { Messages = [] } = await cloud.clients.sqs.send(
    new SQS.ReceiveMessageCommand({
      QueueUrl,
      MessageSystemAttributeNames: [...MessageSystemAttributeNames],
    }),
  );
  return Messages[0];
};

test('delivers messages of other groups first while one group keeps the consumers busy', async () => {
  const queue = await create('fair');
  for (const body of ['a1', 'a2', 'a3']) await sendAs(queue, 'a', body);
  const first = await receiveOne(queue);
  assert.deepEqual([first?.Body, first?.Attributes?.MessageGroupId], ['a1', 'a']);
  await sendAs(queue, 'b', 'b1');
  await sendAs(queue, undefined, 'nobody’s');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const rest = [await receiveOne(queue), await receiveOne(queue), await receiveOne(queue)];
  const texts = rest.map((message) => message?.Body);
  assert.deepEqual(texts, ['b1', 'nobody’s', 'a2']);
});

test('rejects a group that SQS rejects', async () => {
  const queue = await create('grouped');
  for (const group of ['two words', 'é', 'x'.repeat(129)])
    assert.notEqual(await errorName(sendAs(queue, group, 'body')), 'no failure', group);
});
