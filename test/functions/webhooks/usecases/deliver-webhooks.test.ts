import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { SlowStep } from '../../../../functions/platform/domain/fair-share.ts';
import {
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
      const pending = { event: EVENT, status: 'pending', attempts: 0, nextAt: NOW };
      const wanted = [SUBSCRIBED, ALSO_SUBSCRIBED].map(({ id }) => ({ ...pending, endpointId: id }));
      assert.partialDeepStrictEqual(made, wanted);
      const due = made.map(({ id, endpointId }) => ({ id, endpointId, attempts: 0, account: 'acme' }));
      const messages = due.map((delivery) => ({ kind: 'delivery', delivery, isPrompt: false }));
      assert.equal(messages.length, wanted.length);
      assert.deepEqual(
        sent,
        messages.map((message) => ({ message, delayMs: 0 })),
      );
    });

    for (const [title, endpoints, prompt] of [
      ['have been quick, and not at others', [true, false, true], [true, false, true]],
      ['are untried, if they are at most two', [undefined, undefined, false], [true, true, false]],
      [
        'have been quick, not to three untried ones',
        [undefined, true, undefined, undefined],
        [false, true, false, false],
      ],
    ] as const)
      test(`is sent promptly to endpoints that ${title}`, async () => {
        const { deliverer, sent } = buildDeliverer(
          endpoints.map((respondsQuickly) => aWebhookEndpoint({ createdAt: NOW, respondsQuickly })),
        );
        await deliverWebhooks(deliverer, MESSAGE);
        const prompts = sent.map(({ message }) => message.kind === 'delivery' && message.isPrompt);
        assert.deepEqual(prompts, prompt);
      });

    test('goes to the address that its request named, signed by every endpoint of the account', async () => {
      const url = 'https://hooks.example.com/fox';
      const event = { ...EVENT, callbackUrl: url };
      const { deliverer, stores, posted, signers } = buildDeliverer([...OTHERS, SUBSCRIBED]);
      await deliverWebhooks(deliverer, { kind: 'event', event });
      const [atEndpoint, atAddress] = stores.deliveries.all();
      assert.ok(atEndpoint !== undefined && atAddress !== undefined);
      for (const delivery of [atEndpoint, atAddress])
        await attemptDelivery(deliverer, toDueDelivery(delivery));
      assert.deepEqual(
        posted.map((one) => one.url),
        [SUBSCRIBED.url, url],
      );
      const { account } = SUBSCRIBED;
      const own = [...OTHERS, SUBSCRIBED].filter((endpoint) => endpoint.account === account);
      assert.deepEqual(signers.at(-1)?.toSorted(), own.map(({ secret }) => secret).toSorted());
      assert.deepEqual(
        stores.deliveries.all().map(({ status }) => status),
        ['delivered', 'delivered'],
      );
    });

    test('is tried again at an address that refuses it, and given up when the address is gone', async () => {
      const event = { ...EVENT, callbackUrl: 'https://hooks.example.com/fox' };
      const statuses = [500, 410];
      const { deliverer, stores, sent } = buildDeliverer([], () => anAttempt(statuses.shift()));
      await deliverWebhooks(deliverer, { kind: 'event', event });
      const attempt = async () => {
        const [delivery] = stores.deliveries.all();
        assert.ok(delivery !== undefined);
        await attemptDelivery(deliverer, toDueDelivery(delivery));
        return stores.deliveries.all()[0];
      };
      assert.partialDeepStrictEqual(await attempt(), {
        status: 'pending',
        attempts: 1,
        nextAt: NOW + RETRY_DELAYS[0],
      });
      assert.equal(sent.at(-1)?.delayMs, RETRY_DELAYS[0]);
      assert.partialDeepStrictEqual(await attempt(), { status: 'failed', attempts: 2 });
    });

    test('that comes again creates no second delivery, and resets nothing', async () => {
      const { deliverer, stores, clock } = buildDeliverer([SUBSCRIBED]);
      await deliverWebhooks(deliverer, MESSAGE);
      const [made] = stores.deliveries.all();
      assert.ok(made !== undefined);
      stores.deliveries.save({ ...made, status: 'delivered', attempts: 1, nextAt: undefined }, 0);
      clock.now += 1000;
      await deliverWebhooks(deliverer, MESSAGE);
      const statuses = stores.deliveries.all().map(({ status }) => status);
      assert.deepEqual(statuses, ['delivered']);
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
      const made = stores.deliveries.due(NOW + 1);
      assert.equal(made.length, 1);
      assert.deepEqual(errors, [['delivery not queued', { deliveryId: made[0]?.id }]]);
    });
  });
});

describe('attemptDelivery', () => {
  const EVENT = aWebhookEvent({ createdAt: NOW - 2000 });
  const HEALTHY = { failingSince: undefined, disabled: undefined };

  type Options = {
    readonly endpoint?: Partial<WebhookEndpoint>;
    readonly delivery?: Partial<WebhookDelivery>;
    readonly status?: number | undefined;
    readonly durationMs?: number;
    /** Slots that other accounts hold. */
    readonly held?: number;
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
    const { deliverer, stores } = world;
    stores.deliveries.add(delivery);
    for (let number = 0; number < (options.held ?? 0); number += 1) {
      const slot = { owner: `${number}`, part: `we_${number}`, id: `attempt ${number}`, until: NOW + 60_000 };
      assert.ok(stores.slowSteps.begin(slot, NOW));
    }
    const due = toDueDelivery(delivery);
    const attempt = (change: Partial<Deliverer> = {}) => attemptDelivery({ ...deliverer, ...change }, due);
    const stored = () => stores.deliveries.find(endpoint.id, delivery.id);
    const health = () => {
      const { failingSince, respondsQuickly, disabled } =
        stores.endpoints.find(endpoint.account, endpoint.id) ?? {};
      return { failingSince, respondsQuickly, disabled };
    };
    return { ...world, endpoint, delivery, due, attempt, stored, health };
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
      const world = dueDelivery({ status: 204, endpoint: { failingSince: NOW - 5000 } });
      const { delivery } = world;
      await world.attempt();
      const ended = { status: 'delivered', attempts: 1, nextAt: undefined, attemptUntil: undefined };
      assert.deepEqual(world.stored(), { ...delivery, ...ended, lastAttempt: anAttempt(204) });
      assert.deepEqual(world.health(), { ...HEALTHY, respondsQuickly: true });
      assert.deepEqual(world.sent, []);
      assert.deepEqual(world.logged, [['webhook delivered', { ...logFields(delivery), delaySeconds: 2.1 }]]);
    });

    for (const status of [undefined, 500])
      test(`${status ?? 'that does not come'} leads to another attempt, and the endpoint is failing`, async () => {
        const { due, attempt, stored, health, sent } = dueDelivery({ status });
        await attempt({ random: () => 0.4 });
        const { status: state, attempts, nextAt, lastAttempt } = stored() ?? {};
        assert.deepEqual([state, attempts, nextAt], ['pending', 1, NOW + 5200]);
        assert.equal(lastAttempt?.statusCode, status);
        assert.deepEqual(health(), { ...HEALTHY, failingSince: NOW, respondsQuickly: status === 500 });
        const message = { kind: 'delivery', delivery: { ...due, attempts: 1 } };
        assert.deepEqual(sent, [{ message, delayMs: 5200 }]);
      });

    test('410 ends the delivery and disables the endpoint', async () => {
      const world = dueDelivery({ status: 410 });
      await world.attempt();
      assert.deepEqual([world.stored()?.status, world.stored()?.lastAttempt?.statusCode], ['failed', 410]);
      assert.deepEqual(world.health().disabled, { at: NOW, reason: 'gone' });
      assert.deepEqual(world.sent, []);
      const fields = logFields(world.delivery);
      assert.deepEqual(world.logged, [
        ['webhook attempt failed', { ...fields, statusCode: 410, reason: undefined, durationMs: 100 }],
        ['webhook given up', fields],
        ['webhook endpoint disabled', { endpointId: world.endpoint.id, account: 'acme', reason: 'gone' }],
      ]);
    });

    test('that fails for the last time after three days disables the endpoint', async () => {
      const endpoint = { failingSince: NOW - FAILING_LIMIT };
      const { attempt, health } = dueDelivery({ status: 500, endpoint, delivery: { attempts: 6 } });
      await attempt();
      assert.deepEqual(health().disabled, { at: NOW, reason: 'failing' });
    });
  });

  describe('no attempt is made', () => {
    for (const [name, change, events] of [
      ['that has begun since', { attempts: 1 }, ['stale delivery dropped']],
      ['that was delivered', { status: 'delivered', nextAt: undefined }, ['stale delivery dropped']],
      ['that failed', { status: 'failed', nextAt: undefined }, ['stale delivery dropped']],
      ['that another worker is trying', { attemptUntil: NOW + 1 }, []],
    ] as const)
      test(`for a delivery ${name}`, async () => {
        const { deliverer, delivery, due, stored, posted, logged } = dueDelivery({ delivery: change });
        await attemptDelivery(deliverer, { ...due, attempts: 0 });
        assert.deepEqual([posted, stored()], [[], delivery]);
        const fields = { deliveryId: delivery.id, endpointId: delivery.endpointId };
        const expected = events.map((event) => [event, fields]);
        assert.deepEqual(logged, expected);
      });

    test('by the second of two concurrent messages', async () => {
      const { attempt, posted, logged, delivery } = dueDelivery();
      await Promise.all([attempt(), attempt()]);
      const { 'stale delivery dropped': dropped, ...others } = Object.fromEntries(logged);
      assert.deepEqual([posted.length, Object.keys(others)], [1, ['webhook delivered']]);
      assert.deepEqual(dropped, { deliveryId: delivery.id, endpointId: delivery.endpointId });
    });

    for (const [name, change] of [
      ['disabled', { disabled: { at: NOW, reason: 'gone' } }],
      ['gone', { account: 'another' }],
    ] as const)
      test(`to an endpoint that is ${name}, and its delivery fails`, async () => {
        const { attempt, stored, posted, logged } = dueDelivery({ endpoint: change });
        await attempt();
        assert.deepEqual([stored()?.status, stored()?.nextAt, posted], ['failed', undefined, []]);
        assert.equal(logged.map(([event]) => event).join(), 'webhook given up');
      });
  });

  test('the attempt of a crashed worker is repeated after its lease, as the next attempt', async () => {
    const { attempt, stored } = dueDelivery({ delivery: { attempts: 1, attemptUntil: NOW } });
    await attempt();
    assert.deepEqual([stored()?.status, stored()?.attempts], ['delivered', 2]);
  });

  describe('an endpoint that has not been quick', () => {
    const untried = { respondsQuickly: undefined };
    for (const [title, held, endpoint, isTried] of [
      ['waits while all slots are taken', 5, {}, false],
      ['waits while it fails and healthy ones are tried', 3, { failingSince: NOW - 1000 }, false],
      ['is tried if it is healthy and a slot is free', 3, {}, true],
      ['waits if it is untried and all slots are taken', 5, untried, false],
      ['is tried if it is untried and a slot is free', 0, untried, true],
    ] as const)
      test(title, async () => {
        const world = dueDelivery({ held, endpoint });
        await world.attempt({ random: () => 0.4 });
        const { attempts, nextAt } = world.stored() ?? {};
        if (isTried) return assert.deepEqual([attempts, world.health().respondsQuickly], [1, true]);
        assert.deepEqual([world.posted.length, attempts, nextAt], [0, 0, NOW + 2200]);
        assert.deepEqual(world.sent, [{ message: { kind: 'delivery', delivery: world.due }, delayMs: 2200 }]);
        assert.equal(world.health().respondsQuickly, world.endpoint.respondsQuickly);
      });

    test('holds a slot only during the attempt', async () => {
      const world = dueDelivery({ durationMs: 3000 });
      let during: readonly SlowStep[] = [];
      const sendUnlessSlow: Deliverer['sender']['sendUnlessSlow'] = (...given) => {
        during = world.stores.slowSteps.running(NOW);
        return world.deliverer.sender.sendUnlessSlow(...given);
      };
      await world.attempt({ sender: { sendUnlessSlow } });
      const [part, id] = [world.endpoint.id, world.delivery.id];
      assert.deepEqual(during, [{ owner: 'acme', part, id, isFailing: false, until: NOW + 60_000 }]);
      assert.deepEqual(world.stores.slowSteps.running(NOW), []);
      assert.deepEqual([world.stored()?.status, world.health().respondsQuickly], ['delivered', false]);
    });
  });

  describe('an endpoint that has been quick', () => {
    const quick = { respondsQuickly: true };
    const slowed = (held = 0) => dueDelivery({ endpoint: quick, durationMs: 9000, held });

    test('is tried without a slot, and its health is not written', async () => {
      const world = dueDelivery({ endpoint: quick, held: 5 });
      const saveHealth = () => assert.fail('nothing has changed');
      await world.attempt({ endpoints: { ...world.deliverer.endpoints, saveHealth } });
      assert.equal(world.stored()?.status, 'delivered');
    });

    test('takes a slot when it becomes slow, and then counts as slow', async () => {
      const world = slowed();
      await world.attempt();
      assert.deepEqual([world.stored()?.status, world.health().respondsQuickly], ['delivered', false]);
      assert.deepEqual(world.stores.slowSteps.running(NOW), []);
    });

    test('is aborted when it becomes slow and no slot is free, and the attempt does not count', async () => {
      const world = slowed(5);
      await world.attempt({ random: () => 0.4 });
      assert.deepEqual(world.stored(), { ...world.delivery, nextAt: NOW + 2200 });
      assert.deepEqual(world.health(), { ...HEALTHY, respondsQuickly: false });
      assert.deepEqual(world.sent, [{ message: { kind: 'delivery', delivery: world.due }, delayMs: 2200 }]);
      assert.equal(world.logged.at(-1)?.[0], 'webhook attempt aborted');
    });

    test('is tried to the end even if its slowness cannot be saved', async () => {
      const world = slowed();
      let calls = 0;
      const saveHealth: Deliverer['endpoints']['saveHealth'] = async (endpoint) => {
        calls += 1;
        if (calls === 1) throw new Error('no table');
        world.stores.endpoints.saveHealth(endpoint);
      };
      await world.attempt({ endpoints: { ...world.deliverer.endpoints, saveHealth } });
      assert.deepEqual([world.stored()?.status, world.health().respondsQuickly], ['delivered', false]);
      const { id: endpointId, account } = world.endpoint;
      assert.deepEqual(world.errors, [['webhook health not saved', { endpointId, account }]]);
    });
  });

  for (const [title, options] of [
    ['is postponed', { held: 5 }],
    ['is aborted', { held: 5, endpoint: { respondsQuickly: true }, durationMs: 9000 }],
    ['fails', { status: 500 }],
  ] as const)
    test(`an attempt that ${title} is not queued again if another worker has the delivery`, async () => {
      const { deliverer, attempt, sent } = dueDelivery(options);
      let saves = 0;
      const save: Deliverer['deliveries']['save'] = async (...given) => {
        saves += 1;
        return saves === 1 && deliverer.deliveries.save(...given);
      };
      await attempt({ deliveries: { ...deliverer.deliveries, save, postpone: async () => false } });
      assert.deepEqual(sent, []);
    });

  test('an attempt that cannot be queued is logged and stays due', async () => {
    const { deliverer, due, attempt, stored, errors } = dueDelivery({ status: 500 });
    const send = () => Promise.reject(new Error('no queue'));
    await attempt({ queue: { ...deliverer.queue, send } });
    assert.deepEqual(errors, [['delivery not queued', { deliveryId: due.id }]]);
    assert.equal(stored()?.nextAt, NOW + RETRY_DELAYS[0]);
  });
});
