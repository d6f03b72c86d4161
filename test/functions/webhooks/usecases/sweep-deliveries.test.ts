import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDueDelivery } from '../../../../functions/webhooks/domain/webhook-delivery.ts';
import type { WebhookMessage } from '../../../../functions/webhooks/domain/webhook-stores.ts';
import { sweepDeliveries } from '../../../../functions/webhooks/usecases/sweep-deliveries.ts';
import { buildDeliverer, NOW } from '../../../support/builders/deliverer.ts';
import { aWebhookDelivery, aWebhookEvent } from '../../../support/builders/webhook.ts';

const GRACE = 60_000;

const delivery = (id: string, nextAt: number | undefined) =>
  aWebhookDelivery('we_1', aWebhookEvent({ id, createdAt: NOW }), { nextAt, attempts: 3 });
const LATE = delivery('late', NOW - GRACE);
const ALL = [LATE, delivery('in time', NOW - GRACE + 1), delivery('ended', undefined)];

const world = (change: Partial<Parameters<typeof sweepDeliveries>[0]> = {}) => {
  const { deliverer, stores, sent, logged, errors } = buildDeliverer([]);
  for (const each of ALL) stores.deliveries.add(each);
  const run = () =>
    sweepDeliveries({
      ...deliverer,
      deliveries: {
        ...deliverer.deliveries,
        async *due(before) {
          yield* stores.deliveries.due(before);
        },
      },
      webhooks: deliverer.queue,
      graceMs: GRACE,
      stopAt: NOW + 40_000,
      ...change,
    });
  return { run, stores, sent, logged, errors };
};

test('an attempt that is overdue by the grace period is sent once in five minutes', async () => {
  const { run, sent, logged, stores } = world();
  await run();
  await run();
  assert.deepEqual(sent, [{ message: { kind: 'delivery', delivery: toDueDelivery(LATE) }, delayMs: 0 }]);
  assert.equal(stores.deliveries.find('we_1', LATE.id)?.nextAt, NOW + 300_000);
  assert.deepEqual(logged, [['deliveries swept', { requeued: 1, left: 0 }]]);
});

test('an attempt that the queue refuses is logged', async () => {
  const sendAll = async (messages: readonly WebhookMessage[]) => messages;
  const { run, errors } = world({ webhooks: { sendAll } });
  await run();
  assert.deepEqual(errors, [['delivery not swept', { deliveryId: LATE.id, endpointId: 'we_1' }]]);
});

test('a sweep that runs out of time leaves the rest to the next one', async () => {
  const { run, sent, logged } = world({ stopAt: NOW });
  await run();
  assert.deepEqual(sent, []);
  assert.deepEqual(logged, [['deliveries swept', { requeued: 0, left: 1 }]]);
});
