import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toItem } from '../../../functions/videos/adapters/task-item.ts';
import { aTask } from '../../support/builders/task.ts';
import { startQuietServer } from '../platform/aws/quiet-server.ts';

const CLAIM_SECONDS = 60;
const NOW = Date.now();
const task = aTask({
  status: 'in_progress',
  operation: 'operations/1',
  source: { kind: 'address', uri: '/files/1' },
  submittedAt: NOW,
  generatedAt: NOW,
  work: { kind: 'fetch', dueAt: NOW },
});

const ANSWERS: Readonly<Record<string, object>> = {
  GetItem: { Item: toItem(task) },
  GetSecretValue: { SecretString: 'key' },
};

test('a download times out before its claim ends, so that there are never two at once', async (context) => {
  const aws = await startQuietServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    request.resume();
    response.end(JSON.stringify(ANSWERS[operation] ?? {}));
  });
  context.after(() => aws.close());
  Object.assign(process.env, {
    TASK_TABLE: 'tasks',
    CHARGE_TABLE: 'charges',
    USAGE_TABLE: 'usage',
    ACCOUNT_TABLE: 'accounts',
    RESERVATION_TABLE: 'reservations',
    STEP_QUEUE_URL: `${process.env.AWS_ENDPOINT_URL}/0/steps`,
    WEBHOOK_QUEUE_URL: `${process.env.AWS_ENDPOINT_URL}/0/webhooks`,
    MEDIA_BUCKET: 'media',
    UPSTREAMS: JSON.stringify([
      {
        name: 'default',
        kind: 'gemini',
        baseUrl: 'https://upstream.test',
        keyHeader: 'x-key',
        models: {},
        priority: 1,
        weight: 1,
      },
    ]),
    UPSTREAM_TABLE: '',
    UPSTREAM_SECRET_ARN: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:key',
    PRICES: '{"currency":"USD","videoSecond":{},"image":{}}',
    WORKER_CONCURRENCY: '10',
    FETCH_CLAIM_SECONDS: String(CLAIM_SECONDS),
    VIDEO_RETENTION_SECONDS: '1',
  });
  const fetched = context.mock.method(globalThis, 'fetch', async () => new Response('', { status: 500 }));
  const timeouts = context.mock.method(AbortSignal, 'timeout');
  const { handler } = await import('../../../functions/videos/video-worker.ts');
  const body = JSON.stringify({ taskId: task.id, step: task.step });
  const event = { Records: [{ messageId: '1', body, attributes: { ApproximateReceiveCount: '1' } }] };
  assert.deepEqual(await Reflect.apply(handler, undefined, [event]), { batchItemFailures: [] });
  assert.equal(fetched.mock.callCount(), 1);
  const used = timeouts.mock.calls.map(({ arguments: [milliseconds] }) => milliseconds);
  assert.deepEqual(used, [54_000]);
});
