import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deliverWebhooks } from '../../../../functions/webhooks/usecases/deliver-webhooks.ts';
import { buildDeliverer, NOW } from '../../../support/builders/deliverer.ts';
import { aWebhookEndpoint, aWebhookEvent } from '../../../support/builders/webhook.ts';

const EVENT = aWebhookEvent({ createdAt: NOW });
const MESSAGE = { kind: 'event', event: EVENT } as const;

const ASKED = aWebhookEndpoint();
const ALSO_ASKED = aWebhookEndpoint({ eventTypes: ['video.completed'] });
const OTHERS = [
  aWebhookEndpoint({ eventTypes: ['video.failed'] }),
  aWebhookEndpoint({ disabled: { at: NOW, reason: 'gone' } }),
  aWebhookEndpoint({ account: 'another' }),
];

describe('an event', () => {
  test('becomes a delivery for each enabled endpoint of its account that asked for its type', async () => {
    const { deliverer, stores, sent } = buildDeliverer([ASKED, ...OTHERS, ALSO_ASKED]);
    await deliverWebhooks(deliverer, MESSAGE);
    const made = stores.deliveries.all();
    assert.deepEqual(
      made.map(({ endpointId, event, status, attempts, nextAt }) => [
        endpointId,
        event,
        status,
        attempts,
        nextAt,
      ]),
      [ASKED, ALSO_ASKED].map(({ id }) => [id, EVENT, 'pending', 0, NOW]),
    );
    assert.deepEqual(
      sent,
      made.map(({ id, endpointId }) => ({
        message: {
          kind: 'delivery',
          delivery: { id, endpointId, attempts: 0, account: 'acme' },
          isPrompt: false,
        },
        delayMs: 0,
      })),
    );
  });

  for (const [title, endpoints, prompt] of [
    ['have been quick, and not at others', [true, false, true], [true, false, true]],
    ['were never tried, of which an account has two', [undefined, undefined, false], [true, true, false]],
    [
      'have been quick, while the account has three that were never tried',
      [undefined, true, undefined, undefined],
      [false, true, false, false],
    ],
  ] as const)
    test(`is told promptly to endpoints that ${title}`, async () => {
      const { deliverer, sent } = buildDeliverer(
        endpoints.map((respondsQuickly) => aWebhookEndpoint({ createdAt: NOW, respondsQuickly })),
      );
      await deliverWebhooks(deliverer, MESSAGE);
      assert.deepEqual(
        sent.map(({ message }) => (message.kind === 'delivery' ? message.isPrompt : undefined)),
        prompt,
      );
    });

  test('that comes again makes no second delivery, and undoes nothing', async () => {
    const { deliverer, stores, clock } = buildDeliverer([ASKED]);
    await deliverWebhooks(deliverer, MESSAGE);
    const [made] = stores.deliveries.all();
    assert.ok(made !== undefined);
    stores.deliveries.save({ ...made, status: 'delivered', attempts: 1, nextAt: undefined }, 0);
    clock.now += 1000;
    await deliverWebhooks(deliverer, MESSAGE);
    assert.deepEqual(
      stores.deliveries.all().map(({ status }) => status),
      ['delivered'],
    );
  });

  test('of which nobody wants to hear sends nothing', async () => {
    const { deliverer, sent } = buildDeliverer(OTHERS);
    await deliverWebhooks(deliverer, MESSAGE);
    assert.deepEqual(sent, []);
  });

  test('whose messages the queue refuses is told, and leaves its deliveries due for the sweeper', async () => {
    const { deliverer, stores, errors } = buildDeliverer([ASKED]);
    const queue = { ...deliverer.queue, sendAll: deliverer.queue.sendAll };
    queue.sendAll = async (messages) => messages;
    await deliverWebhooks({ ...deliverer, queue }, MESSAGE);
    assert.deepEqual(errors, ['delivery not queued']);
    assert.equal(stores.deliveries.due(NOW + 1).length, 1);
  });
});
