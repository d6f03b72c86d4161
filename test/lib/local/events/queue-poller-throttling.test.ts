import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { type MessageLog, QueuePoller } from '../../../../lib/local/events/queue-poller.ts';
import type { InvocationResult } from '../../../../lib/local/functions/function-host.ts';
import { until } from '../../../support/until.ts';
import { configFor, REGION, sharedEmulators } from '../emulators/emulated.ts';

const cloud = await sharedEmulators();

const eventSchema = z.object({
  Records: z.array(z.object({ attributes: z.object({ ApproximateReceiveCount: z.string() }) })),
});

/** A queue with a function that is throttled a given number of times. */
const consume = async (name: string, visibilitySeconds: number, throttles: number) => {
  const { sqs } = cloud.clients;
  const { QueueUrl: queueUrl = '' } = await sqs.send(
    new CreateQueueCommand({ QueueName: name, Attributes: { VisibilityTimeout: String(visibilitySeconds) } }),
  );
  const receives: number[] = [];
  const logs: MessageLog[] = [];
  const invoke = async (_functionId: string, payload: string): Promise<InvocationResult> => {
    const [record] = eventSchema.parse(JSON.parse(payload)).Records;
    receives.push(Number(record?.attributes.ApproximateReceiveCount));
    return receives.length <= throttles
      ? { type: 'throttled' }
      : { type: 'response', requestId: 'request', payload: 'null' };
  };
  const poller = new QueuePoller({
    source: {
      logicalId: name,
      functionId: 'Worker',
      queueUrl,
      queueArn: `arn:aws:sqs:${REGION}:000000000000:${name}`,
      deadLetterUrl: undefined,
      visibilitySeconds,
      batchSize: 1,
      maximumConcurrency: 2,
      reportsItemFailures: false,
    },
    functions: { invoke, stopsLoop: () => false },
    config: configFor(cloud.emulators),
    lambdaConfig: configFor(cloud.emulators),
    onMessage: (log) => logs.push(log),
  });
  after(() => poller.close());
  const send = (body: string) => sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
  const visible = async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages);
  };
  const outcomes = () => logs.map(({ outcome }) => outcome);
  return { send, visible, receives, outcomes, poller };
};

describe('a message whose function is throttled', () => {
  it('is retried while it is hidden, without another receive', async () => {
    const { send, receives, outcomes } = await consume('patient', 30, 2);
    await send('one');
    await until(() => outcomes().length > 0);
    assert.deepEqual(receives, [1, 1, 1]);
    assert.deepEqual(outcomes(), ['done']);
  });

  it('returns to the queue after the visibility timeout, with one more receive', async () => {
    const { send, receives, outcomes } = await consume('impatient', 2, 2);
    await send('one');
    await until(() => outcomes().length > 1);
    assert.deepEqual(receives, [1, 1, 2]);
    assert.deepEqual(outcomes(), ['throttled', 'done']);
  });

  it('counts as a concurrent batch, so that no more messages are received', async () => {
    const { send, visible, receives } = await consume('full', 30, Number.POSITIVE_INFINITY);
    for (const body of ['one', 'two', 'three', 'four']) await send(body);
    await until(() => receives.length >= 4);
    assert.equal(await visible(), 2);
  });

  it('does not delay stopping the poller', async () => {
    const { send, receives, outcomes, poller } = await consume('ending', 600, Number.POSITIVE_INFINITY);
    await send('one');
    await until(() => receives.length > 0);
    await poller.close();
    assert.deepEqual(outcomes(), ['throttled']);
  });
});

describe('a poller that waits for messages', () => {
  it('is stopped at once, and leaves later messages to others', async () => {
    const { send, visible, receives, poller } = await consume('waiting', 30, 0);
    await send('one');
    await until(() => receives.length > 0);
    await poller.close();
    // Another call gives SQS the time to notice that nobody waits for messages any more.
    assert.equal(await visible(), 0);
    await send('two');
    assert.equal(await visible(), 1);
    assert.equal(receives.length, 1);
  });
});
