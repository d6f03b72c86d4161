import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { dynamoClient, LONGEST_CALL, RESPONSE_TIMEOUT } from '../../functions/platform/aws/aws-clients.ts';
import { s3Client } from '../../functions/platform/aws/s3-client.ts';
import { cachedSecret } from '../../functions/platform/aws/secret.ts';
import { dynamoTasks } from '../../functions/videos/adapters/dynamo-tasks.ts';
import { s3Media } from '../../functions/videos/adapters/s3-media.ts';
import { sqsSteps } from '../../functions/videos/adapters/step-queue.ts';
import { slowReader, startQuietServer, unanswering } from '../functions/platform/aws/quiet-server.ts';

const server = await startQuietServer((request, response) =>
  request.url?.includes('slow') ? slowReader(request, response) : unanswering(request, response),
);
after(() => server.close());

const IMAGE = { bytes: new Uint8Array(3_000_000), mimeType: 'image/png' } as const;
const SECRET = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:key';

const CALLS: Readonly<Record<string, readonly [request: RegExp, call: () => Promise<unknown>]>> = {
  'DynamoDB, reading': [/GetItem/, () => dynamoTasks(dynamoClient(), 'tasks').find('task_1')],
  'SQS, sending': [
    /SendMessage/,
    () => sqsSteps(`${process.env.AWS_ENDPOINT_URL}/0/steps`).send({ taskId: '1', step: 0 }, 0),
  ],
  'S3, reading': [/GET .*read/, () => s3Media(s3Client(), 'media').getInput('read')],
  'S3, writing': [/PUT .*written/, () => s3Media(s3Client(), 'media').putInput('written', IMAGE)],
  'Secrets Manager, reading': [/GetSecretValue/, () => cachedSecret(SECRET)()],
};

const outcomeWithin = async (milliseconds: number, call: Promise<unknown>): Promise<string> => {
  const limit = new AbortController();
  const outcome = await Promise.race([
    call.then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
    ),
    wait(milliseconds, 'still waiting', { signal: limit.signal }),
  ]);
  limit.abort();
  return outcome;
};

describe('a call', { concurrency: true }, () => {
  test('whose bytes move is not cut off, though it takes longer than an answer may', async () => {
    const started = performance.now();
    const image = { ...IMAGE, bytes: new Uint8Array(24_000_000) };
    await s3Media(s3Client(), 'media').putInput('slow', image);
    assert.ok(performance.now() - started > RESPONSE_TIMEOUT);
    assert.equal(server.calls.filter((seen) => /PUT .*slow/.test(seen)).length, 1);
  });

  for (const [name, [request, call]] of Object.entries(CALLS))
    test(`that AWS does not answer is tried again and then given up within its budget: ${name}`, async () => {
      assert.equal(await outcomeWithin(LONGEST_CALL, call()), 'TimeoutError');
      assert.ok(server.calls.filter((seen) => request.test(seen)).length > 1);
    });
});
