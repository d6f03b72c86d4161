import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SQSRecord } from 'aws-lambda';
import { jsonLogger } from '../../../../functions/platform/runtime/logger.ts';
import { allDone, stopBefore } from '../../../../functions/platform/runtime/queue.ts';
import { stepHandler } from '../../../../functions/videos/adapters/step-queue.ts';

const sqsRecord = (messageId: string, body: string): SQSRecord => ({
  messageId,
  body,
  receiptHandle: '',
  attributes: {
    ApproximateReceiveCount: '3',
    SentTimestamp: '0',
    SenderId: '',
    ApproximateFirstReceiveTimestamp: '0',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: '',
  awsRegion: '',
});

test('returns only the messages that cannot be parsed or handled to the queue', async () => {
  const handled: unknown[] = [];
  const faults: unknown[] = [];
  const logger = {
    info: () => {},
    error: (event: string, _: unknown, fields?: object) => void faults.push([event, fields]),
  };
  const lines: string[] = [];
  const handle = stepHandler(logger, async (message, receives) => {
    if (message.taskId === 'broken') throw new Error('no');
    jsonLogger({ write: (line) => void lines.push(line) }).info('request failed', {});
    handled.push([message, receives]);
  });
  const upstream = { name: 'studio', definition: '{}' };
  const poll = { operation: 'operations/1', upstream, submittedAt: 1, leaseUntil: 2 };
  const good = { taskId: 'good', step: 1, poll };
  const answer = await handle({
    Records: [
      sqsRecord('1', JSON.stringify(good)),
      sqsRecord('2', JSON.stringify({ taskId: 'broken', step: 2 })),
      sqsRecord('3', 'not JSON'),
    ],
  });
  assert.deepEqual(answer, { batchItemFailures: [{ itemIdentifier: '2' }, { itemIdentifier: '3' }] });
  assert.deepEqual(handled, [[good, 3]]);
  const { messageId, taskId, step } = JSON.parse(lines.join());
  assert.deepEqual({ messageId, taskId, step }, { messageId: '1', taskId: 'good', step: 1 });
  assert.deepEqual(
    faults.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
    [
      ['message failed', { messageId: '2', taskId: 'broken', step: 2 }],
      ['message failed', { messageId: '3' }],
    ],
  );
});

test('a scheduled run starts nothing new in its last 15 seconds', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  assert.equal(stopBefore({ getRemainingTimeInMillis: () => 55_000 }), 1_040_000);
});

test('allDone waits for all parts, then throws the error of the one that failed', async () => {
  let isOtherDone = false;
  const other = new Promise<void>((resolve) =>
    setImmediate(() => {
      isOtherDone = true;
      resolve();
    }),
  );
  await assert.rejects(allDone([Promise.reject(new Error('one part fails')), other]), /one part fails/);
  assert.equal(isOtherDone, true);
});
