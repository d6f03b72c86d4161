import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { dynamoWorkerLoads } from '../../../../functions/videos/adapters/dynamo-worker-loads.ts';
import {
  dynamoQueueAges,
  dynamoRetirements,
  dynamoWorkerNews,
  forgetRetirements,
  sqsDepth,
  sqsSteps,
  stepHandler,
} from '../../../../functions/videos/adapters/step-queue.ts';
import { NO_WORK, type QueueAges } from '../../../../functions/videos/domain/step-queue.ts';
import { NO_LOAD } from '../../../../functions/videos/domain/worker-capacity.ts';
import { sqsWebhooks, webhookQueueHandler } from '../../../../functions/webhooks/adapters/sqs-webhooks.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';
import { aBudgetEvent, aWebhookEvent } from '../../../support/builders/webhook.ts';
import { createTable } from '../../../support/create-table.ts';
import { recordingLogger } from '../../../support/loggers.ts';

const MESSAGES = Array.from({ length: 23 }, (_, step) => ({ taskId: `task_${step}`, step }));

const cloud = await sharedEmulators();
const client = cloud.clients.sqs;
after(() => client.destroy());

const createQueue = async (QueueName: string, Attributes: Record<string, string> = {}): Promise<string> =>
  (await client.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? '';

test('all messages are sent without delay, ten in a call', async () => {
  const queueUrl = await createQueue('steps', { DelaySeconds: '900' });
  await cloud.emulators.clearCalls();
  assert.deepEqual(await sqsSteps(queueUrl, client).sendAll(MESSAGES), []);
  const actions = (await cloud.emulators.calls()).map(({ action }) => action);
  assert.deepEqual(actions, Array(3).fill('sqs:SendMessage'));
  assert.equal(await sqsDepth(queueUrl, client).waiting(), MESSAGES.length);
});

test('refused messages are returned, and the others are sent', async () => {
  const queueUrl = await createQueue('short-messages', { MaximumMessageSize: '1024' });
  const long = (position: number) => ({ taskId: `${position}`.repeat(1100), step: 1 });
  const mixed = [long(1), ...MESSAGES, long(2)];
  assert.deepEqual(await sqsSteps(queueUrl, client).sendAll(mixed), [long(1), long(2)]);
  assert.equal(await sqsDepth(queueUrl, client).waiting(), MESSAGES.length);
});

for (const [delayMs, delaySeconds] of [
  [0, 0],
  [1, 1],
  [1500, 2],
  [899_001, 900],
  [900_000, 900],
] as const)
  test(`a message that is due in ${delayMs} ms is delayed by ${delaySeconds} s`, async (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    const sent = context.mock.method(client, 'send', async () => ({}));
    const QueueUrl = 'http://queue.test/0/steps';
    await sqsSteps(QueueUrl, client).send({ taskId: 'one', account: 'acme', step: 1 }, delayMs);
    const MessageBody = `{"taskId":"one","account":"acme","step":1,"readyAt":${1_000_000 + delayMs}}`;
    const inputs = sent.mock.calls.map(({ arguments: [command] }) => Object(command).input);
    assert.deepEqual(inputs, [{ QueueUrl, MessageBody, MessageGroupId: 'acme', DelaySeconds: delaySeconds }]);
  });

test('a message with a delay beyond the limit of SQS is left to the sweeper', async (context) => {
  const sent = context.mock.method(client, 'send', async () => ({}));
  const steps = sqsSteps('http://queue.test/0/steps', client);
  for (const delayMs of [900_001, 7_200_000]) await steps.send({ taskId: 'one', step: 1 }, delayMs);
  assert.equal(sent.mock.callCount(), 0);
});

const groupsIn = async (QueueUrl: string) => {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['MessageGroupId'],
    }),
  );
  return Messages.map(({ Attributes }) => Attributes?.MessageGroupId);
};

test('messages are grouped by account', async () => {
  const queueUrl = await createQueue('groups');
  const steps = sqsSteps(queueUrl, client);
  await steps.send({ taskId: 'one', account: 'acme', step: 1 }, 0);
  await steps.sendAll([{ taskId: 'two', account: 'other@example.com', step: 1 }]);
  await steps.send({ taskId: 'three', step: 1 }, 0);
  assert.deepEqual(await groupsIn(queueUrl), ['acme', 'other@example.com', undefined]);
});

test('events and prompt deliveries are grouped by account, all other deliveries share one group', async () => {
  const queueUrl = await createQueue('webhook-groups');
  const webhooks = sqsWebhooks(queueUrl, client);
  const delivery = (account: string) => ({ id: 'd', endpointId: 'we_1', attempts: 0, account });
  await webhooks.send({ kind: 'event', event: aWebhookEvent({ account: 'acme' }) }, 0);
  await webhooks.sendAll([
    { kind: 'delivery', delivery: delivery('acme'), isPrompt: true },
    { kind: 'delivery', delivery: delivery('acme') },
    { kind: 'delivery', delivery: delivery('other') },
  ]);
  assert.deepEqual(await groupsIn(queueUrl), ['acme', 'acme', 'slow:attempts', 'slow:attempts']);
});

test('a message that is sent again is ready now', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 5 });
  const sent = context.mock.method(client, 'send', async () => ({}));
  await sqsSteps('http://queue.test/0/steps', client).sendAll([{ taskId: 'one', step: 1, readyAt: 7 }]);
  const [{ MessageBody }] = Object(sent.mock.calls[0]?.arguments[0]).input.Entries;
  assert.equal(MessageBody, '{"taskId":"one","step":1,"readyAt":5}');
});

const poll = { operation: 'op', upstream: { name: 'a', definition: '{}' }, submittedAt: 1, leaseUntil: 2 };
const step = { taskId: 'one', account: 'acme', step: 1, poll, readyAt: 3 };
const event = aWebhookEvent({ callbackUrl: 'https://hooks.example.com/done' });
const delivery = { id: 'wd_1', endpointId: 'we_1', attempts: 2, account: 'acme' };
for (const [title, readMessages, message, fields] of [
  ['a step', stepHandler, step, { taskId: 'one', step: 1 }],
  ['a video event', webhookQueueHandler, { kind: 'event', event }, { eventId: 'evt_1' }],
  ['a budget event', webhookQueueHandler, { kind: 'event', event: aBudgetEvent() }, { eventId: 'evt_2' }],
  ['a delivery', webhookQueueHandler, { kind: 'delivery', delivery }, { deliveryId: 'wd_1' }],
] as const)
  test(`${title} is received as it was sent, and logged if it fails`, async () => {
    const { logger, errors } = recordingLogger();
    const received: unknown[] = [];
    const handle = readMessages(logger, async (message: unknown) => {
      received.push(message);
      throw new Error('no');
    });
    const record = { messageId: '7', body: JSON.stringify(message), attributes: {} };
    await Reflect.apply(handle, undefined, [{ Records: [record] }]);
    assert.deepEqual(received, [message]);
    assert.deepEqual(errors, [
      { event: 'message failed', fields: { messageId: '7', ...fields }, message: 'no' },
    ]);
  });

test('the depth of a queue is the number of messages that can be received now', async () => {
  const QueueUrl = await createQueue('depth');
  const steps = sqsSteps(QueueUrl, client);
  const { waiting } = sqsDepth(QueueUrl, client);
  assert.equal(await waiting(), 0);
  await steps.send({ taskId: 'delayed', step: 1 }, 900_000);
  assert.equal(await waiting(), 0);
  await steps.sendAll(MESSAGES);
  assert.equal(await waiting(), MESSAGES.length);
});

describe('the recorded ages of messages', () => {
  const TableName = 'queue-ages';
  let dynamo: DynamoDBClient;
  let ages: QueueAges;
  before(async () => {
    dynamo = cloud.clients.dynamo;
    await createTable(dynamo, TableName, ['id']);
    ages = dynamoQueueAges(dynamo, TableName);
  });

  const NOTHING = { onTime: false, late: new Map<string, number>() };

  test('are truncated if there are more accounts than an expression can hold', async () => {
    const late = new Map(Array.from({ length: 1024 }, (_, slot) => [String(slot), 1_794_801_338_528]));
    await ages.record(4, { onTime: true, late });
    assert.equal((await ages.read(4))?.late.size, 150);
  });

  test('expire an hour after their minute and are in no index', async () => {
    const minute = 29_000_000;
    await ages.record(minute, { ...NOTHING, onTime: true });
    const Key = { id: { S: `queue-age-${minute}` } };
    const { Item } = await dynamo.send(new GetItemCommand({ TableName, Key }));
    assert.deepEqual(Item, { ...Key, on_time: { N: '1' }, expires: { N: String(minute * 60 + 3600) } });
  });

  describe('with the retired models', () => {
    const LATER = Date.now() + 3_600_000;
    const [A, B] = [anUpstream('a'), anUpstream('b')];
    const MODEL = 'video-3.1-generate-preview';
    const LOAD = { ...NO_LOAD, heldUntil: 5000 };

    test('are read in one call', async () => {
      await ages.record(5, { ...NOTHING, onTime: true });
      await dynamoWorkerLoads(dynamo, TableName).hold(5000);
      await dynamoRetirements(dynamo, TableName, [A, B]).note('b', MODEL, LATER);
      await cloud.emulators.clearCalls();
      assert.deepEqual(await dynamoWorkerNews(dynamo, TableName).read(5), {
        received: { ...NOTHING, onTime: true, stalledSince: undefined, work: NO_WORK },
        retired: new Set([`b/${MODEL}`]),
        load: LOAD,
      });
      const actions = (await cloud.emulators.calls()).map(({ action }) => action);
      assert.deepEqual(actions, ['dynamodb:BatchGetItem']);
    });

    test('leave out those that are past, and are empty without any', async () => {
      const retirements = dynamoRetirements(dynamo, TableName, [A, B]);
      await retirements.note('a', MODEL, Date.now() - 1);
      const news = dynamoWorkerNews(dynamo, TableName);
      assert.deepEqual((await news.read(6)).retired, new Set([`b/${MODEL}`]));
      await forgetRetirements(dynamo, TableName);
      assert.deepEqual(await news.read(6), { received: undefined, retired: new Set(), load: LOAD });
    });

    test('ignore an upstream that has left the settings', async () => {
      await dynamoRetirements(dynamo, TableName, [A]).note('gone', MODEL, LATER);
      assert.deepEqual((await dynamoWorkerNews(dynamo, TableName).read(6)).retired, new Set());
    });
  });
});
