import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { until } from '../../../support/until.ts';
import { runFixture } from '../fixture/open-fixture.ts';

const END = 20;

const running = await runFixture();

describe('a function that sends to its own queue', () => {
  const findLogs = (name: string) => {
    const functionId = running.cloud.functionId(name);
    return running.messages.filter((message) => message.functionId === functionId);
  };
  const countTurns = (name: string, outcome: string) =>
    findLogs(name)
      .filter((message) => message.outcome === outcome)
      .map(({ body }) => Number(JSON.parse(body).turn))
      .toSorted((one, other) => one - other);
  const sqs = () => new SQSClient(running.cloud.clientConfig('test'));
  const begin = (queue: string) =>
    sqs().send(
      new SendMessageCommand({
        QueueUrl: running.cloud.queueUrl(queue),
        MessageBody: JSON.stringify({ turn: 1, end: END }),
      }),
    );
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

  it('is stopped after 16 invocations, and its message moves to the dead-letter queue', async () => {
    await begin('LoopTerminate');
    await until(() => findLogs('LooperTerminate').length >= 17);
    assert.deepEqual(countTurns('LooperTerminate', 'stopped as a loop'), [17]);
    assert.deepEqual(countTurns('LooperTerminate', 'done'), upTo(16));
    const { Messages = [] } = await sqs().send(
      new ReceiveMessageCommand({
        QueueUrl: running.cloud.queueUrl('LostTerminate'),
        WaitTimeSeconds: 5,
        MessageSystemAttributeNames: ['AWSTraceHeader'],
      }),
    );
    const bodies = Messages.map(({ Body }) => Body);
    assert.deepEqual(bodies, [JSON.stringify({ turn: 17, end: END })]);
    assert.match(
      Messages[0]?.Attributes?.AWSTraceHeader ?? '',
      /^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0;Lineage=[0-9a-f]{8}:16$/,
    );
  });

  it('continues if the template allows it', async () => {
    await begin('LoopAllow');
    await until(() => findLogs('LooperAllow').length >= END);
    assert.deepEqual(countTurns('LooperAllow', 'done'), upTo(END));
  });

  it('is counted anew for each message from outside', async () => {
    const before = countTurns('LooperTerminate', 'done').length;
    await begin('LoopTerminate');
    await until(() => countTurns('LooperTerminate', 'done').length === before + 16);
  });
});
