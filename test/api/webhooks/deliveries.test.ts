import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import { dynamoWebhookDeliveries } from '../../../functions/webhooks/adapters/dynamo-webhook-deliveries.ts';
import { dynamoWebhookDescriptions } from '../../../functions/webhooks/adapters/dynamo-webhook-endpoints.ts';
import type { VideoEvent, WebhookDelivery } from '../../../functions/webhooks/domain/webhooks.ts';
import { aWebhookDelivery, aWebhookEvent } from '../../support/builders/webhook.ts';
import { call, createVideo, readError } from '../../support/http.ts';
import { strictLogger } from '../../support/loggers.ts';
import { openSharedService } from '../../support/open-service.ts';
import { startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const service = await openSharedService();
const dynamo = new DynamoDBClient(service.operator);
const stored = dynamoWebhookDeliveries(dynamo, service.webhookTables.deliveries, strictLogger);
const DAY = 86_400_000;
const NOW = Date.now();

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

/** Takes what is sent to it, and answers as it is told to. */
const received: Received[] = [];
let answerStatus = 204;
const receiver = await startServer(async (request, response) => {
  received.push({ headers: request.headers, body: await text(request) });
  response.writeHead(answerStatus).end();
});
after(() => receiver.close());

const newEndpoint = async () => {
  const account = `deliveries-${randomUUID()}`;
  const access = { ...service, apiKey: await service.issueKey(account) };
  const json = { name: 'Hook', url: `${receiver.url}/hook`, event_types: ['video.completed'] };
  const { body } = await call(access, 'POST', '/v1/webhook_endpoints', { json });
  const [id, secret] = [String(body.id), String(body.signing_secret)];
  return { account, access, id, path: `/v1/webhook_endpoints/${id}`, secret };
};

const addDelivery = async (
  { account, id }: { readonly account: string; readonly id: string },
  change: Partial<WebhookDelivery> = {},
  age = 0,
): Promise<WebhookDelivery & { readonly event: VideoEvent }> => {
  const event = aWebhookEvent({ account, id: `evt_${randomUUID()}`, createdAt: NOW - age });
  const delivery = aWebhookDelivery(id, event, change);
  await stored.add(delivery);
  return { ...delivery, event };
};

const FAILED = {
  status: 'failed',
  attempts: 7,
  nextAt: undefined,
  lastAttempt: { at: NOW, durationMs: 12, statusCode: 503, answer: 'no', error: undefined },
} as const;

test('deliveries are told as they stand', async () => {
  const endpoint = await newEndpoint();
  const { id, event } = await addDelivery(endpoint, FAILED);
  const { body } = await call(endpoint.access, 'GET', `${endpoint.path}/deliveries`);
  const seconds = Math.floor(NOW / 1000);
  assert.deepEqual(body, {
    object: 'list',
    data: [
      {
        id,
        object: 'webhook_delivery',
        event: {
          id: event.id,
          object: 'event',
          type: 'video.completed',
          created_at: seconds,
          data: { id: event.taskId },
        },
        status: 'failed',
        attempts: 7,
        created_at: seconds,
        next_attempt_at: null,
        last_attempt: { at: seconds, status_code: 503, duration_ms: 12, answer: 'no', error: null },
      },
    ],
    first_id: id,
    last_id: id,
    has_more: false,
  });
});

test('deliveries of 30 days are listed, the newest first, page by page', async () => {
  const endpoint = await newEndpoint();
  const ids: string[] = [];
  for (const days of [0, 1, 2, 3, 29]) ids.push((await addDelivery(endpoint, {}, days * DAY)).id);
  await addDelivery(endpoint, {}, 31 * DAY);
  const seen: unknown[] = [];
  let query = 'limit=2';
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    assert.ok(page <= 3, 'five deliveries fill three pages of two');
    const { body } = await call(endpoint.access, 'GET', `${endpoint.path}/deliveries?${query}`);
    seen.push(...Array.from(Object(body.data), ({ id }) => id));
    hasMore = body.has_more === true;
    query = `limit=2&after=${body.last_id}`;
  }
  assert.deepEqual(seen, ids);
});

const firstDelivery = async ({ access, path }: Awaited<ReturnType<typeof newEndpoint>>) =>
  Object((await call(access, 'GET', `${path}/deliveries`)).body.data)[0];

test('an event is delivered, and sent again with the same webhook-id when its owner asks', async () => {
  const endpoint = await newEndpoint();
  const { access, path } = endpoint;
  const taskId = await createVideo(access, 'a quiet harbour');
  const mine = () => received.filter(({ body }) => body.includes(taskId));
  await until(async () => (await firstDelivery(endpoint))?.status === 'delivered');
  const delivery = await firstDelivery(endpoint);
  const { signing_secret: rotated } = (
    await call(access, 'POST', `${path}/rotate_secret`, {
      json: { keep_old_secret_active_for_24_hours: true },
    })
  ).body;
  const resent = await call(access, 'POST', `${path}/deliveries/${delivery.id}/resend`);
  assert.deepEqual(
    [resent.status, resent.body.id, resent.body.status, resent.body.attempts],
    [200, delivery.id, 'pending', 1],
  );
  await until(() => mine().length === 2);
  await until(async () => (await firstDelivery(endpoint)).status === 'delivered');
  assert.deepEqual((await firstDelivery(endpoint)).attempts, 2);
  const [first, second] = mine();
  assert.ok(first !== undefined && second !== undefined);
  const ids = [first, second].map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(ids, [delivery.event.id, delivery.event.id]);
  for (const Client of [OpenAI, OpenAI6]) {
    const { webhooks } = new Client({ apiKey: 'unused' });
    const unwrap = ({ body, headers }: Received, secret: unknown) =>
      webhooks.unwrap(
        body,
        new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        String(secret),
      );
    assert.deepEqual(await unwrap(first, endpoint.secret), delivery.event);
    // Both secrets are good for a day after the rotation.
    for (const secret of [endpoint.secret, rotated])
      assert.deepEqual(await unwrap(second, secret), delivery.event);
    await assert.rejects(unwrap(first, rotated));
  }
});

test('a delivery that has failed for good is tried once more, and fails again', async () => {
  const endpoint = await newEndpoint();
  const { id } = await addDelivery(endpoint, FAILED);
  answerStatus = 500;
  try {
    const resent = await call(endpoint.access, 'POST', `${endpoint.path}/deliveries/${id}/resend`);
    assert.deepEqual([resent.status, resent.body.status], [200, 'pending']);
    await until(async () => (await firstDelivery(endpoint)).status === 'failed');
  } finally {
    answerStatus = 204;
  }
  const { attempts, last_attempt } = await firstDelivery(endpoint);
  assert.deepEqual([attempts, last_attempt.status_code], [8, 500]);
});

test('a delivery that is being sent cannot be sent again; one whose sender is gone can', async () => {
  const endpoint = await newEndpoint();
  const trying = { attempts: 2, nextAt: NOW + DAY, attemptUntil: NOW + DAY };
  const busy = await addDelivery(endpoint, trying);
  const answer = await call(endpoint.access, 'POST', `${endpoint.path}/deliveries/${busy.id}/resend`);
  assert.deepEqual([answer.status, readError(answer).code], [409, 'webhook_delivery_in_progress']);
  assert.deepEqual(await stored.find(endpoint.id, busy.id), busy);
  const left = await addDelivery(endpoint, { ...trying, attemptUntil: NOW - 1 });
  const again = await call(endpoint.access, 'POST', `${endpoint.path}/deliveries/${left.id}/resend`);
  assert.equal(again.status, 200);
});

test('nothing is sent again to a disabled endpoint', async () => {
  const endpoint = await newEndpoint();
  const { id } = await addDelivery(endpoint, FAILED);
  const endpoints = dynamoWebhookDescriptions(dynamo, service.webhookTables.endpoints, strictLogger);
  const read = await endpoints.describe(endpoint.account, endpoint.id);
  assert.ok(read !== undefined);
  await endpoints.saveHealth({ ...read, disabled: { at: NOW, reason: 'gone' } });
  const answer = await call(endpoint.access, 'POST', `${endpoint.path}/deliveries/${id}/resend`);
  assert.deepEqual([answer.status, readError(answer).code], [409, 'webhook_endpoint_disabled']);
  assert.equal((await stored.find(endpoint.id, id))?.status, 'failed');
});

test('deliveries of other endpoints are not found', async () => {
  const [endpoint, other] = [await newEndpoint(), await newEndpoint()];
  const { id } = await addDelivery(other, FAILED);
  for (const wrong of [id, `wd_${'0'.repeat(26)}`, 'x', '%F0%9F%98%80', 'y'.repeat(2000)]) {
    const answer = await call(endpoint.access, 'POST', `${endpoint.path}/deliveries/${wrong}/resend`);
    assert.deepEqual(
      [answer.status, readError(answer).code, readError(answer).param],
      [404, 'not_found', 'delivery_id'],
    );
  }
  assert.deepEqual((await call(endpoint.access, 'GET', `${endpoint.path}/deliveries`)).body.data, []);
});
