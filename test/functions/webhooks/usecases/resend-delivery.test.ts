import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookMessage } from '../../../../functions/webhooks/domain/webhook-delivery.ts';
import { newSigningSecret } from '../../../../functions/webhooks/domain/webhook-signature.ts';
import type { WebhookDelivery } from '../../../../functions/webhooks/domain/webhooks.ts';
import { resendDelivery } from '../../../../functions/webhooks/usecases/manage-webhooks.ts';
import { aWebhookDelivery, aWebhookEndpoint, aWebhookEvent } from '../../../support/builders/webhook.ts';
import { MemoryDeliveries } from '../../../support/in-memory/webhooks.ts';

const NOW = Date.UTC(2026, 0, 1);
const { secret: _, oldSecret: __, ...endpoint } = aWebhookEndpoint({ createdAt: NOW });
const description = { ...endpoint, secretHint: newSigningSecret() };

const resending = (delivery: WebhookDelivery) => {
  const stored = new MemoryDeliveries();
  stored.add(delivery);
  const sent: WebhookMessage[] = [];
  const errors: string[] = [];
  const dependencies = {
    endpoints: { describe: async () => description },
    deliveries: {
      find: async (...given: Parameters<MemoryDeliveries['find']>) => stored.find(...given),
      save: async (...given: Parameters<MemoryDeliveries['save']>) => stored.save(...given),
    },
    queue: {
      send: async (message: WebhookMessage) => {
        sent.push(message);
      },
    },
    logger: { info: () => {}, error: (event: string) => errors.push(event) },
    now: () => NOW,
  };
  const resend = (changed: Partial<typeof dependencies> = {}) =>
    resendDelivery({ ...dependencies, ...changed }, 'acme', endpoint.id, delivery.id);
  return { stored, sent, errors, dependencies, resend };
};

const failed = aWebhookDelivery(endpoint.id, aWebhookEvent({ createdAt: NOW }), {
  status: 'failed',
  attempts: 7,
  nextAt: undefined,
});
const due = { ...failed, status: 'pending', nextAt: NOW, tryingUntil: undefined };

test('a delivery is due again at once, and its message names the try that comes next', async () => {
  const { stored, sent, resend } = resending(failed);
  assert.deepEqual(await resend(), due);
  assert.deepEqual(stored.find(endpoint.id, failed.id), due);
  const { id, endpointId, attempts } = failed;
  assert.deepEqual(sent, [{ kind: 'delivery', delivery: { id, endpointId, attempts, account: 'acme' } }]);
});

test('a delivery whose message the queue refuses stays due, for the sweeper', async () => {
  const { stored, errors, resend } = resending(failed);
  const queue = { send: () => Promise.reject(new Error('no queue')) };
  assert.deepEqual(await resend({ queue }), due);
  assert.deepEqual(stored.find(endpoint.id, failed.id), due);
  assert.deepEqual(errors, ['delivery not queued']);
});

test('a delivery that a worker takes in the same moment is left to it', async () => {
  const { stored, sent, dependencies, resend } = resending(failed);
  const taken = { ...failed, status: 'pending', attempts: 8, tryingUntil: NOW + 1 } as const;
  const deliveries = {
    ...dependencies.deliveries,
    find: async () => {
      stored.save(taken, 7);
      return failed;
    },
  };
  await assert.rejects(resend({ deliveries }), { code: 'webhook_delivery_in_progress' });
  assert.deepEqual([stored.find(endpoint.id, failed.id), sent], [taken, []]);
});

for (const [name, tryingUntil, isResent] of [
  ['is being tried', NOW + 1, false],
  ['was being tried until now', NOW, true],
  ['waits for its next try', undefined, true],
] as const)
  test(`a delivery that ${name} is ${isResent ? '' : 'not '}sent again`, async () => {
    const pending = { ...failed, status: 'pending', attempts: 2, nextAt: NOW + 60_000, tryingUntil } as const;
    const { sent, resend } = resending(pending);
    if (isResent) assert.equal((await resend()).nextAt, NOW);
    else await assert.rejects(resend(), { code: 'webhook_delivery_in_progress' });
    assert.equal(sent.length, isResent ? 1 : 0);
  });

test('a delivery that failed while it was being tried is sent again', async () => {
  const { resend } = resending({ ...failed, tryingUntil: NOW + 1 });
  assert.deepEqual(await resend(), due);
});

test('a delivery is not sent again to an endpoint that is disabled', async () => {
  const { resend, sent } = resending(failed);
  const disabled = { at: NOW, reason: 'gone' } as const;
  const endpoints = { describe: async () => ({ ...description, disabled }) };
  await assert.rejects(resend({ endpoints }), { code: 'webhook_endpoint_disabled' });
  assert.deepEqual(sent, []);
});

test('a delivery that is unknown is not found', async () => {
  const { resend, dependencies } = resending(failed);
  const deliveries = { ...dependencies.deliveries, find: async () => undefined };
  await assert.rejects(resend({ deliveries }), { code: 'not_found', param: 'delivery_id' });
});
