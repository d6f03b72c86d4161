import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoWebhookDeliveries } from '../../../functions/webhooks/adapters/dynamo-webhook-deliveries.ts';
import type { Request } from '../../functions/openapi/support/exchange.ts';
import { fitting } from '../../functions/openapi/support/requests.ts';
import { aWebhookDelivery, aWebhookEvent } from '../../support/builders/webhook.ts';
import { strictLogger } from '../../support/loggers.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const fits = fitting(service);
const account = `documented-${randomUUID()}`;
const key = await service.issueKey(account);

const ALL = '/v1/webhook_endpoints';
const ONE = `${ALL}/{webhook_endpoint_id}`;
const DELIVERIES = `${ONE}/deliveries`;
const RESEND = `${DELIVERIES}/{delivery_id}/resend`;
const JSON_BODY = { name: 'Hook', url: 'http://127.0.0.1:9/hook', event_types: ['video.failed'] };

test('webhook endpoints and their deliveries fit the document, from creation to deletion', async () => {
  const { id } = JSON.parse((await fits(200, { method: 'POST', path: ALL, json: JSON_BODY }, key)).text);
  const delivery = aWebhookDelivery(id, aWebhookEvent({ account }), {
    status: 'failed',
    nextAt: undefined,
    attempts: 7,
    lastAttempt: {
      at: Date.now(),
      durationMs: 7,
      statusCode: undefined,
      answer: undefined,
      error: 'refused',
    },
  });
  const deliveries = dynamoWebhookDeliveries(
    new DynamoDBClient(service.operator),
    service.webhookTables.deliveries,
    strictLogger,
  );
  await deliveries.add(delivery);
  const trying = aWebhookDelivery(id, aWebhookEvent({ account, id: 'evt_2' }), {
    attempts: 1,
    attemptUntil: Date.now() + 60_000,
  });
  await deliveries.add(trying);
  const of = (method: Request['method'], path: string, json?: object, deliveryId = delivery.id): Request => ({
    method,
    path,
    at: path.replace('{webhook_endpoint_id}', id).replace('{delivery_id}', deliveryId),
    ...(json === undefined ? {} : { json }),
  });
  await fits(400, { method: 'POST', path: ALL, json: { ...JSON_BODY, event_types: [] } }, key);
  await fits(200, { method: 'GET', path: ALL }, key);
  await fits(200, { method: 'GET', path: '/v1/webhook_event_types' }, key);
  await fits(200, of('GET', ONE), key);
  await fits(200, of('POST', ONE, { name: 'Other' }), key);
  await fits(400, of('POST', ONE, { name: '' }), key);
  await fits(200, of('POST', `${ONE}/rotate_secret`, {}), key);
  await fits(200, of('GET', DELIVERIES), key);
  await fits(409, of('POST', RESEND, undefined, trying.id), key);
  await fits(200, of('POST', RESEND), key);
  for (const request of [of('GET', ONE), of('POST', RESEND), of('DELETE', ONE)]) await fits(404, request);
  await fits(200, of('DELETE', ONE), key);
});

test('one endpoint too many is refused as the document says', async () => {
  const other = await service.issueKey(`documented-${randomUUID()}`);
  for (let number = 0; number < 10; number += 1)
    await fits(200, { method: 'POST', path: ALL, json: JSON_BODY }, other);
  await fits(409, { method: 'POST', path: ALL, json: JSON_BODY }, other);
});
