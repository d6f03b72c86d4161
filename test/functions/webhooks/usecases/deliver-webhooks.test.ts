import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import {
  ATTEMPT_LEASE,
  claimAttempt,
  FAILING_LIMIT,
  RETRY_DELAYS,
  toDueDelivery,
} from '../../../../functions/webhooks/domain/webhook-delivery.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../../../functions/webhooks/domain/webhooks.ts';
import {
  attemptDelivery,
  type Deliverer,
  deliverWebhooks,
} from '../../../../functions/webhooks/usecases/deliver-webhooks.ts';
import { anAttempt, buildDeliverer, NOW } from '../../../support/builders/deliverer.ts';
import { aWebhookDelivery, aWebhookEndpoint, aWebhookEvent } from '../../../support/builders/webhook.ts';
import { slowly } from '../../../support/slowly.ts';

describe('deliverWebhooks', () => {
  const EVENT = aWebhookEvent({ createdAt: NOW });
  const MESSAGE = { kind: 'event', event: EVENT } as const;

  const SUBSCRIBED = aWebhookEndpoint({ createdAt: NOW + 1 });
  const ALSO_SUBSCRIBED = aWebhookEndpoint({ createdAt: NOW, eventTypes: ['video.completed'] });
  const OTHERS = [
    aWebhookEndpoint({ eventTypes: ['video.failed'] }),
    aWebhookEndpoint({ disabled: { at: NOW, reason: 'gone' } }),
    aWebhookEndpoint({ account: 'another' }),
  ];

  describe('an event', () => {
    test('becomes a delivery for each enabled endpoint of its account that subscribes to its type', async () => {
      const { deliverer, stores, sent } = buildDeliverer([SUBSCRIBED, ...OTHERS, ALSO_SUBSCRIBED]);
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
        [SUBSCRIBED, ALSO_SUBSCRIBED].map(({ id }) => [id, EVENT, 'pending', 0, NOW]),
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
      [
        'are untried, if the account has at most two of them',
        [undefined, undefined, false],
        [true, true, false],
      ],
      [
        'have been quick, if the account has three untried endpoints',
        [undefined, true, undefined, undefined],
        [false, true, false, false],
      ],
    ] as const)
      test(`is sent promptly to endpoints that ${title}`, async () => {
        const { deliverer, sent } = buildDeliverer(
          endpoints.map((respondsQuickly) => aWebhookEndpoint({ createdAt: NOW, respondsQuickly })),
        );
        await deliverWebhooks(deliverer, MESSAGE);
        assert.deepEqual(
          sent.map(({ message }) => (message.kind === 'delivery' ? message.isPrompt : undefined)),
          prompt,
        );
      });

    test('that comes again creates no second delivery, and resets nothing', async () => {
      const { deliverer, stores, clock } = buildDeliverer([SUBSCRIBED]);
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

    test('without subscribers sends nothing', async () => {
      const { deliverer, sent } = buildDeliverer(OTHERS);
      await deliverWebhooks(deliverer, MESSAGE);
      assert.deepEqual(sent, []);
    });

    test('is sent again within 20 to 40 seconds if a table is throttled, and fails otherwise', async () => {
      const { deliverer } = buildDeliverer([SUBSCRIBED]);
      const logged: unknown[] = [];
      const again: unknown[] = [];
      const run = (error: Error) =>
        deliverWebhooks(
          {
            ...deliverer,
            endpoints: { ...deliverer.endpoints, list: () => Promise.reject(error) },
            queue: { ...deliverer.queue, send: async (...given) => void again.push(given) },
            logger: { ...deliverer.logger, info: (...line) => void logged.push(line) },
            random: () => 0.5,
          },
          MESSAGE,
        );
      await run(new DomainError('overloaded', 'no'));
      assert.deepEqual(again, [[MESSAGE, 30_000]]);
      assert.deepEqual(logged, [['webhook message postponed', { kind: 'event' }]]);
      for (const error of [new DomainError('internal', 'no'), new Error('no')])
        await assert.rejects(run(error), { message: 'no' });
      assert.equal(again.length, 1);
    });

    test('whose messages the queue refuses is logged, and its deliveries stay due for the sweeper', async () => {
      const { deliverer, stores, errors } = buildDeliverer([SUBSCRIBED]);
      const queue = { ...deliverer.queue, sendAll: deliverer.queue.sendAll };
      queue.sendAll = async (messages) => messages;
      await deliverWebhooks({ ...deliverer, queue }, MESSAGE);
      assert.deepEqual(errors, ['delivery not queued']);
      assert.equal(stores.deliveries.due(NOW + 1).length, 1);
    });
  });
});

describe('attemptDelivery', () => {
  const EVENT = aWebhookEvent({ createdAt: NOW - 2000 });

  type Options = {
    readonly endpoint?: Partial<WebhookEndpoint>;
    readonly delivery?: Partial<WebhookDelivery>;
    readonly status?: number | undefined;
    readonly durationMs?: number;
  };

  /** One due delivery, for an endpoint that answers with the given status. */
  const dueDelivery = (options: Options = {}) => {
    const endpoint = aWebhookEndpoint({ createdAt: NOW, ...options.endpoint });
    const delivery = aWebhookDelivery(endpoint.id, EVENT, options.delivery);
    const status = 'status' in options ? options.status : 200;
    const world = buildDeliverer([endpoint], () => {
      const attempt = anAttempt(status, world.clock.now);
      return { ...attempt, durationMs: options.durationMs ?? attempt.durationMs };
    });
    world.stores.deliveries.add(delivery);
    const stored = () => world.stores.deliveries.find(endpoint.id, delivery.id);
    const health = () => {
      const { failingSince, disabled } = world.stores.endpoints.find(endpoint.account, endpoint.id) ?? {};
      return { failingSince, disabled };
    };
    const respondsQuickly = () => world.stores.endpoints.find(endpoint.account, endpoint.id)?.respondsQuickly;
    return { ...world, endpoint, delivery, due: toDueDelivery(delivery), stored, health, respondsQuickly };
  };

  /** The fields of a first attempt in the log. */
  const logFields = ({ id, endpointId }: WebhookDelivery) => ({
    deliveryId: id,
    endpointId,
    account: 'acme',
    eventId: 'evt_1',
    attempts: 1,
  });

  describe('an answer', () => {
    test('2xx ends the delivery, and the endpoint is healthy', async () => {
      const { deliverer, delivery, due, stored, health, sent, logged } = dueDelivery({
        status: 204,
        endpoint: { failingSince: NOW - 5000 },
      });
      await attemptDelivery(deliverer, due);
      const ended = { status: 'delivered', attempts: 1, nextAt: undefined, attemptUntil: undefined };
      assert.deepEqual(stored(), { ...delivery, ...ended, lastAttempt: anAttempt(204) });
      assert.deepEqual(health(), { failingSince: undefined, disabled: undefined });
      assert.deepEqual(sent, []);
      assert.deepEqual(logged, [['webhook delivered', { ...logFields(delivery), delaySeconds: 2.1 }]]);
    });

    for (const status of [undefined, 500])
      test(`${status ?? 'that does not come'} leads to another attempt, and the endpoint is failing`, async () => {
        const { deliverer, due, stored, health, sent } = dueDelivery({ status });
        await attemptDelivery(deliverer, due);
        const { status: state, attempts, nextAt, lastAttempt } = stored() ?? {};
        assert.deepEqual([state, attempts, nextAt], ['pending', 1, NOW + RETRY_DELAYS[0]]);
        assert.equal(lastAttempt?.statusCode, status);
        assert.deepEqual(health(), { failingSince: NOW, disabled: undefined });
        assert.deepEqual(sent, [
          { message: { kind: 'delivery', delivery: { ...due, attempts: 1 } }, delayMs: RETRY_DELAYS[0] },
        ]);
      });

    test('410 ends the delivery and disables the endpoint', async () => {
      const { deliverer, delivery, due, endpoint, stored, health, sent, logged } = dueDelivery({
        status: 410,
      });
      await attemptDelivery(deliverer, due);
      assert.deepEqual([stored()?.status, stored()?.lastAttempt?.statusCode], ['failed', 410]);
      assert.deepEqual(health(), { failingSince: NOW, disabled: { at: NOW, reason: 'gone' } });
      assert.deepEqual(sent, []);
      const fields = logFields(delivery);
      assert.deepEqual(logged, [
        ['webhook attempt failed', { ...fields, statusCode: 410, reason: undefined, durationMs: 100 }],
        ['webhook given up', fields],
        ['webhook endpoint disabled', { endpointId: endpoint.id, account: 'acme', reason: 'gone' }],
      ]);
    });

    test('that fails for the last time after three days disables the endpoint', async () => {
      const failingSince = NOW - FAILING_LIMIT;
      const { deliverer, due, health } = dueDelivery({
        status: 500,
        endpoint: { failingSince },
        delivery: { attempts: RETRY_DELAYS.length },
      });
      await attemptDelivery(deliverer, due);
      assert.deepEqual(health(), { failingSince, disabled: { at: NOW, reason: 'failing' } });
    });
  });

  test('a delivery is tried seven times, with growing pauses', async () => {
    const { deliverer, delivery, stored, clock, posted } = dueDelivery({ status: 500 });
    const pauses: number[] = [];
    for (let current = stored(); current?.nextAt !== undefined; current = stored()) {
      clock.now = current.nextAt;
      await attemptDelivery(deliverer, toDueDelivery(current));
      const { nextAt } = stored() ?? {};
      if (nextAt !== undefined) pauses.push(nextAt - clock.now);
    }
    assert.deepEqual(pauses, [...RETRY_DELAYS]);
    assert.deepEqual([stored()?.status, stored()?.attempts, posted.length], ['failed', 7, 7]);
    assert.equal(new Set(posted.map(({ event }) => event.id)).size, 1);
    assert.equal(stored()?.id, delivery.id);
  });

  describe('no attempt is made', () => {
    for (const [name, change] of [
      ['that has begun since', { attempts: 1 }],
      ['that was delivered', { status: 'delivered', nextAt: undefined }],
      ['that failed', { status: 'failed', nextAt: undefined }],
      ['that another worker is trying', { attemptUntil: NOW + 1 }],
    ] as const)
      test(`for a delivery ${name}`, async () => {
        const { deliverer, delivery, due, stored, posted } = dueDelivery({ delivery: change });
        await attemptDelivery(deliverer, { ...due, attempts: 0 });
        assert.deepEqual(posted, []);
        assert.deepEqual(stored(), delivery);
      });

    test('by the second of two concurrent messages', async () => {
      const { deliverer, due, posted } = dueDelivery();
      await Promise.all([attemptDelivery(deliverer, due), attemptDelivery(deliverer, due)]);
      assert.equal(posted.length, 1);
    });

    for (const [name, change] of [
      ['disabled', { disabled: { at: NOW, reason: 'gone' } }],
      ['gone', { account: 'another' }],
    ] as const)
      test(`to an endpoint that is ${name}, and its delivery fails`, async () => {
        const { deliverer, due, stored, posted, logged } = dueDelivery({ endpoint: change });
        await attemptDelivery(deliverer, due);
        assert.deepEqual([stored()?.status, stored()?.nextAt, posted], ['failed', undefined, []]);
        assert.deepEqual(
          logged.map(([event]) => event),
          ['webhook given up'],
        );
      });
  });

  test('the attempt of a crashed worker is repeated after its lease, as the next attempt', async () => {
    const { deliverer, delivery, stores, clock, stored, posted } = dueDelivery();
    const broken = claimAttempt(delivery, NOW);
    stores.deliveries.save(broken, 0);
    await attemptDelivery(deliverer, toDueDelivery(broken));
    assert.equal(posted.length, 0);
    clock.now += ATTEMPT_LEASE;
    await attemptDelivery(deliverer, toDueDelivery(broken));
    assert.deepEqual([posted.length, stored()?.status, stored()?.attempts], [1, 'delivered', 2]);
  });

  /** Takes all slots, `ours` of them for the account of the delivery. */
  const takeSlots = ({ stores, due }: ReturnType<typeof dueDelivery>, others: number, ours = 0): void => {
    const held = [...Array(others).keys(), ...Array(ours).fill(due.account)];
    for (const [number, owner] of held.entries())
      assert.ok(
        stores.slowSteps.begin(
          { owner: `${owner}`, part: `we_${number}`, id: `attempt ${number}`, until: NOW + ATTEMPT_LEASE },
          NOW,
        ),
      );
  };

  describe('slow endpoints', () => {
    const SLOW = 3000;
    const heldBy = ({ stores }: ReturnType<typeof dueDelivery>, account: string): number =>
      stores.slowSteps.running(NOW).filter(({ owner }) => owner === account).length;

    for (const [title, others, ours] of [
      ['all slots are taken', 5, 0],
      ['their account has its share', 0, 3],
      ['their account has as many slots as are free', 2, 2],
    ] as const)
      test(`wait while ${title}, without using up an attempt`, async () => {
        const world = dueDelivery();
        takeSlots(world, others, ours);
        await attemptDelivery(world.deliverer, world.due);
        const { attempts, nextAt } = world.stored() ?? {};
        assert.deepEqual([world.posted.length, attempts, nextAt], [0, 0, NOW + 2000]);
        assert.deepEqual(world.sent, [{ message: { kind: 'delivery', delivery: world.due }, delayMs: 2000 }]);
      });

    test('that fail wait while healthy ones are tried', async () => {
      for (const [failingSince, posts] of [
        [NOW - 1000, 0],
        [undefined, 1],
      ] as const) {
        const world = dueDelivery({ endpoint: { failingSince } });
        takeSlots(world, 3);
        await attemptDelivery(world.deliverer, world.due);
        assert.equal(world.posted.length, posts);
      }
    });

    test('hold a slot only during the attempt', async () => {
      const world = dueDelivery({ durationMs: SLOW });
      let during = 0;
      const sender = {
        sendUnlessSlow: (...given: Parameters<Deliverer['sender']['sendUnlessSlow']>) => {
          during = heldBy(world, world.due.account);
          return world.deliverer.sender.sendUnlessSlow(...given);
        },
      };
      await attemptDelivery({ ...world.deliverer, sender }, world.due);
      assert.deepEqual(
        [during, heldBy(world, world.due.account), world.stored()?.status],
        [1, 0, 'delivered'],
      );
      assert.equal(world.respondsQuickly(), false);
    });

    test('count as quick after a quick answer, even an error', async () => {
      for (const status of [200, 500]) {
        const world = dueDelivery({ status });
        await attemptDelivery(world.deliverer, world.due);
        assert.equal(world.respondsQuickly(), true);
      }
    });

    for (const [waited, delay] of [
      [0, 1000],
      [60_000, 60_000],
      [3_600_000, 300_000],
    ] as const)
      test(`that have waited ${waited / 1000} s for a slot wait another ${delay / 1000} s`, async () => {
        const world = dueDelivery({ delivery: { createdAt: NOW - waited } });
        takeSlots(world, 5);
        await attemptDelivery(world.deliverer, world.due);
        assert.equal(world.stored()?.nextAt, NOW + delay);
      });
  });

  test('an untried endpoint needs a slot, and its speed is known afterwards', async () => {
    for (const held of [5, 0]) {
      const world = dueDelivery({ endpoint: { respondsQuickly: undefined } });
      takeSlots(world, held);
      await attemptDelivery(world.deliverer, world.due);
      assert.deepEqual(
        [world.posted.length, world.respondsQuickly()],
        held === 5 ? [0, undefined] : [1, true],
      );
    }
  });

  describe('an endpoint that has been quick', () => {
    const quick = { respondsQuickly: true };

    test('is tried without a slot, and its health is not written', async () => {
      const world = dueDelivery({ endpoint: quick });
      takeSlots(world, 5);
      let notes = 0;
      const saveHealth = async (): Promise<void> => {
        notes += 1;
      };
      const endpoints = { ...world.deliverer.endpoints, saveHealth };
      await attemptDelivery({ ...world.deliverer, endpoints }, world.due);
      assert.deepEqual([world.stored()?.status, notes], ['delivered', 0]);
    });

    test('takes a slot when it becomes slow, and then counts as slow', async () => {
      const world = dueDelivery({ endpoint: quick, durationMs: 9000 });
      await attemptDelivery(world.deliverer, world.due);
      assert.deepEqual([world.stored()?.status, world.respondsQuickly()], ['delivered', false]);
      assert.deepEqual(world.stores.slowSteps.running(NOW), []);
    });

    test('is aborted when it becomes slow and no slot is free, and the attempt does not count', async () => {
      const world = dueDelivery({ endpoint: quick, durationMs: 9000 });
      takeSlots(world, 5);
      await attemptDelivery(world.deliverer, world.due);
      const { status, attempts, nextAt, attemptUntil, lastAttempt } = world.stored() ?? {};
      assert.deepEqual(
        [status, attempts, nextAt, attemptUntil, lastAttempt],
        ['pending', 0, NOW + 2000, undefined, undefined],
      );
      assert.deepEqual(world.health(), { failingSince: undefined, disabled: undefined });
      assert.deepEqual(world.sent, [{ message: { kind: 'delivery', delivery: world.due }, delayMs: 2000 }]);
      assert.deepEqual(world.logged.map(([event]) => event).at(-1), 'webhook attempt aborted');
      await attemptDelivery(world.deliverer, world.due);
      assert.equal(world.posted.length, 1, 'from now on it waits for a slot');
    });

    test('is tried to the end even if its slowness cannot be saved', async () => {
      const world = dueDelivery({ endpoint: quick, durationMs: 9000 });
      let calls = 0;
      const saveHealth: Deliverer['endpoints']['saveHealth'] = async (endpoint) => {
        calls += 1;
        if (calls === 1) throw new Error('no table');
        world.stores.endpoints.saveHealth(endpoint);
      };
      const endpoints = { ...world.deliverer.endpoints, saveHealth };
      await attemptDelivery({ ...world.deliverer, endpoints }, world.due);
      assert.deepEqual([world.stored()?.status, world.respondsQuickly()], ['delivered', false]);
      assert.deepEqual(world.errors, ['webhook health not saved']);
    });
  });

  test('an attempt that cannot be queued is logged and stays due', async () => {
    const { deliverer, due, stored, errors } = dueDelivery({ status: 500 });
    const queue = { ...deliverer.queue, send: () => Promise.reject(new Error('no queue')) };
    await attemptDelivery({ ...deliverer, queue }, due);
    assert.deepEqual([errors, stored()?.nextAt], [['delivery not queued'], NOW + RETRY_DELAYS[0]]);
  });

  test('an outdated message is logged', async () => {
    const { deliverer, due, delivery, logged } = dueDelivery({ delivery: { attempts: 2 } });
    await attemptDelivery(deliverer, { ...due, attempts: 1 });
    const stale = ['stale delivery dropped', { deliveryId: delivery.id, endpointId: delivery.endpointId }];
    assert.deepEqual(logged, [stale]);
    const lost = { ...deliverer.deliveries, save: async () => false };
    await attemptDelivery({ ...deliverer, deliveries: lost }, due);
    assert.deepEqual(logged, [stale, stale]);
  });

  test('the message for the next attempt is sent before a failed attempt returns', async () => {
    const { deliverer, due, sent } = dueDelivery({ status: 500 });
    await attemptDelivery(
      { ...deliverer, queue: { ...deliverer.queue, send: slowly(deliverer.queue.send) } },
      due,
    );
    assert.equal(sent.length, 1);
  });
});
