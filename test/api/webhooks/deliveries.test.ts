import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoWebhookDeliveries } from '../../../functions/adapters/dynamo-webhook-deliveries.ts';
import { dynamoWebhookDescriptions } from '../../../functions/adapters/dynamo-webhook-endpoints.ts';
import type { WebhookDelivery } from '../../../functions/domain/webhooks.ts';
import { aWebhookDelivery, aWebhookEvent } from '../../support/builders/webhook.ts';
import { call, errorOf, idOf } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const dynamo = new DynamoDBClient(service.operator);
const stored = dynamoWebhookDeliveries(dynamo, service.webhookTables.deliveries);
const DAY = 86_400_000;
const NOW = Date.now();

const newEndpoint = async () => {
  const account = `deliveries-${randomUUID()}`;
  const access = { ...service, apiKey: await service.issueKey(account) };
  const json = { name: 'Hook', url: 'https://hooks.example.com/v', event_types: ['video.completed'] };
  const id = idOf(await call(access, 'POST', '/v1/webhook_endpoints', { json }));
  return { account, access, id, path: `/v1/webhook_endpoints/${id}` };
};

const addDelivery = async (
  { account, id }: { readonly account: string; readonly id: string },
  change: Partial<WebhookDelivery> = {},
  age = 0,
): Promise<WebhookDelivery> => {
  const event = aWebhookEvent({ account, id: `evt_${randomUUID()}`, createdAt: NOW - age });
  const delivery = aWebhookDelivery(id, event, change);
  await stored.add(delivery);
  return delivery;
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
  for (;;) {
    const { body } = await call(endpoint.access, 'GET', `${endpoint.path}/deliveries?${query}`);
    seen.push(...Array.from(Object(body.data), ({ id }) => id));
    if (body.has_more !== true) break;
    query = `limit=2&after=${body.last_id}`;
  }
  assert.deepEqual(seen, ids);
});

test('a delivery that failed or was delivered is due again at once', async () => {
  const endpoint = await newEndpoint();
  for (const change of [FAILED, { ...FAILED, status: 'delivered' }] as const) {
    const delivery = await addDelivery(endpoint, change);
    const before = Date.now();
    const { status, body } = await call(
      endpoint.access,
      'POST',
      `${endpoint.path}/deliveries/${delivery.id}/resend`,
    );
    assert.deepEqual([status, body.id, body.status, body.attempts], [200, delivery.id, 'pending', 7]);
    assert.equal(Object(body.event).id, delivery.event.id);
    assert.ok(Number(body.next_attempt_at) >= Math.floor(before / 1000));
  }
});

test('a delivery that is being sent cannot be sent again; one whose sender is gone can', async () => {
  const endpoint = await newEndpoint();
  const trying = { attempts: 2, nextAt: NOW + DAY, tryingUntil: NOW + DAY };
  const busy = await addDelivery(endpoint, trying);
  const answer = await call(endpoint.access, 'POST', `${endpoint.path}/deliveries/${busy.id}/resend`);
  assert.deepEqual([answer.status, errorOf(answer).code], [409, 'webhook_delivery_in_progress']);
  assert.deepEqual(await stored.find(endpoint.id, busy.id), busy);
  const left = await addDelivery(endpoint, { ...trying, tryingUntil: NOW - 1 });
  const again = await call(endpoint.access, 'POST', `${endpoint.path}/deliveries/${left.id}/resend`);
  assert.equal(again.status, 200);
});

test('nothing is sent again to a disabled endpoint', async () => {
  const endpoint = await newEndpoint();
  const { id } = await addDelivery(endpoint, FAILED);
  const endpoints = dynamoWebhookDescriptions(dynamo, service.webhookTables.endpoints);
  const read = await endpoints.describe(endpoint.account, endpoint.id);
  assert.ok(read !== undefined);
  await endpoints.noteHealth({ ...read, disabled: { at: NOW, reason: 'gone' } });
  const answer = await call(endpoint.access, 'POST', `${endpoint.path}/deliveries/${id}/resend`);
  assert.deepEqual([answer.status, errorOf(answer).code], [409, 'webhook_endpoint_disabled']);
  assert.equal((await stored.find(endpoint.id, id))?.status, 'failed');
});

test('deliveries of other endpoints are not found', async () => {
  const [endpoint, other] = [await newEndpoint(), await newEndpoint()];
  const { id } = await addDelivery(other, FAILED);
  for (const wrong of [id, `wd_${'0'.repeat(26)}`, 'x', '%F0%9F%98%80', 'y'.repeat(2000)]) {
    const answer = await call(endpoint.access, 'POST', `${endpoint.path}/deliveries/${wrong}/resend`);
    assert.deepEqual(
      [answer.status, errorOf(answer).code, errorOf(answer).param],
      [404, 'not_found', 'delivery_id'],
    );
  }
  assert.deepEqual((await call(endpoint.access, 'GET', `${endpoint.path}/deliveries`)).body.data, []);
});
