import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import { toSecretHint } from '../../../../functions/webhooks/domain/webhook-signature.ts';
import type {
  WebhookEndpoints,
  WebhookSender,
} from '../../../../functions/webhooks/domain/webhook-stores.ts';
import type {
  WebhookDelivery,
  WebhookDescription,
  WebhookEndpoint,
  WebhookEvent,
  WebhookEventType,
} from '../../../../functions/webhooks/domain/webhooks.ts';
import {
  createEndpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  resendDelivery,
  rotateSecret,
  testWebhook,
  updateEndpoint,
} from '../../../../functions/webhooks/usecases/manage-webhooks.ts';
import { anAction } from '../../../support/audit.ts';
import { buildDeliverer } from '../../../support/builders/deliverer.ts';
import { aWebhookDelivery, aWebhookEndpoint, aWebhookEvent } from '../../../support/builders/webhook.ts';

const NOW = 1_800_000_000_000;
const { secret, oldSecret, ...rest } = aWebhookEndpoint({ createdAt: NOW - 1000 });
const READ: WebhookDescription = { ...rest, secretHint: toSecretHint(secret) };
const SETTINGS = { name: 'Mine', url: 'https://example.com/mine', eventTypes: ['video.failed'] } as const;
const describing = (read: WebhookDescription | undefined = READ) => ({
  describe: async (account: string) => (account === 'acme' ? read : undefined),
});

describe('a new endpoint', () => {
  test('is added with a secret, of which only a hint remains visible', async () => {
    const added: WebhookEndpoint[] = [];
    const add: WebhookEndpoints['add'] = async (endpoint, { type, resourceId, details }) => {
      const { name, eventTypes } = SETTINGS;
      const created = ['webhook_endpoint.created', endpoint.id, { name, host: 'example.com', eventTypes }];
      assert.deepEqual([type, resourceId, details], created);
      return added.push(endpoint) > 0;
    };
    const shown = await createEndpoint({ add }, anAction('acme', NOW), SETTINGS);
    const { id } = shown.endpoint;
    const stored = { id, account: 'acme', ...SETTINGS, createdAt: NOW, updatedAt: NOW };
    assert.match(id, /^we_01mcc5rm00/);
    assert.deepEqual(added, [{ ...stored, secret: shown.secret }]);
    assert.deepEqual(shown.endpoint, { ...stored, secretHint: toSecretHint(shown.secret) });
  });

  test('is refused if the account has ten', async () => {
    await assert.rejects(createEndpoint({ add: async () => false }, anAction('acme', NOW), SETTINGS), {
      code: 'webhook_endpoint_limit',
      message: 'An account can have 10 webhook endpoints. Delete one first.',
    });
  });
});

test('an endpoint is found only by its account, and only with a valid id', async () => {
  assert.deepEqual(await findEndpoint(describing(), 'acme', READ.id), READ);
  for (const [account, id] of [
    ['other', READ.id],
    ['acme', 'we_1'],
  ] as const)
    await assert.rejects(findEndpoint(describing(), account, id), {
      code: 'not_found',
      param: 'webhook_endpoint_id',
    });
  await assert.rejects(findEndpoint(describing(), 'acme', `we_${'1'.repeat(100)}`), {
    message: `Webhook endpoint we_${'1'.repeat(61)} was not found.`,
  });
});

for (const [limit, after, ids, hasMore] of [
  [10, undefined, ['we_3', 'we_2', 'we_1'], false],
  [3, undefined, ['we_3', 'we_2', 'we_1'], false],
  [2, undefined, ['we_3', 'we_2'], true],
  [2, 'we_3', ['we_2', 'we_1'], false],
  [2, 'we_1', [], false],
] as const)
  test(`a list of ${limit} after ${after} is ${ids.join(' ') || 'empty'}`, async () => {
    const list = async () => ['we_3', 'we_2', 'we_1'].map((id) => ({ ...READ, id }));
    const page = await listEndpoints({ list }, 'acme', { limit, after });
    assert.deepEqual([page.items.map(({ id }) => id), page.hasMore], [ids, hasMore]);
  });

describe('an update', () => {
  const HOST = new URL(READ.url).host;
  const NOTHING = { name: undefined, url: undefined, eventTypes: undefined };
  const update = async (wanted: Partial<typeof SETTINGS>, read: Partial<WebhookDescription> = {}) => {
    const before = { ...READ, ...read };
    const changes: (readonly WebhookDescription[])[] = [];
    const entries: AuditEntry[] = [];
    const change = async (next: WebhookDescription, known: WebhookDescription, entry: AuditEntry) => {
      entries.push(entry);
      return changes.push([next, known]) > 0;
    };
    const given = { ...NOTHING, ...wanted };
    const endpoints = { ...describing(before), change };
    const after = await updateEndpoint(endpoints, anAction('acme', NOW), READ.id, given);
    return { before, after, changes, entries };
  };

  test('changes only the given settings', async () => {
    const { before, after, changes } = await update({ name: 'Mine' }, { failingSince: 5 });
    assert.deepEqual(after, { ...before, name: 'Mine', updatedAt: NOW });
    assert.deepEqual(changes, [[after, before]]);
  });

  for (const wanted of [
    {},
    { name: READ.name },
    { url: READ.url },
    { eventTypes: READ.eventTypes.toReversed() },
  ])
    test(`with ${JSON.stringify(wanted)} changes and writes nothing`, async () => {
      const { before, after, changes } = await update(Object(wanted), { failingSince: 5 });
      assert.deepEqual([after, changes], [before, []]);
    });

  for (const [name, wanted, read] of [
    ['of the address', { url: SETTINGS.url }, {}],
    ['of a disabled endpoint', {}, { disabled: { at: 7, reason: 'failing' } }],
  ] as const)
    test(`${name} resets its health`, async () => {
      const { before, after } = await update(wanted, { ...read, failingSince: 5, respondsQuickly: true });
      assert.deepEqual(after, {
        ...before,
        ...wanted,
        updatedAt: NOW,
        failingSince: undefined,
        respondsQuickly: undefined,
        disabled: undefined,
      });
    });

  test('is recorded with the settings that change, and hosts instead of addresses', async () => {
    const CASES: readonly (readonly [Partial<typeof SETTINGS>, Partial<WebhookDescription>, object])[] = [
      [{ eventTypes: SETTINGS.eventTypes }, {}, { changed: ['eventTypes'], host: HOST, name: READ.name }],
      [{ name: 'Mine' }, {}, { changed: ['name'], host: HOST, nameFrom: READ.name, nameTo: 'Mine' }],
      [
        { url: SETTINGS.url },
        { url: 'https://old.example.com/x' },
        { changed: ['url'], hostFrom: 'old.example.com', hostTo: HOST, name: READ.name },
      ],
      [
        {},
        { disabled: { at: 7, reason: 'failing' } },
        { changed: [], host: HOST, name: READ.name, enabled: true },
      ],
    ];
    for (const [wanted, read, details] of CASES) {
      const { entries } = await update(wanted, read);
      assert.deepEqual(
        entries.map((entry) => [entry.account, entry.at, entry.type, entry.resourceId, entry.details]),
        [['acme', NOW, 'webhook_endpoint.updated', READ.id, details]],
      );
    }
  });

  test('has a later time than the previous one, even if the clock has not advanced', async () => {
    const { after } = await update({ name: 'Mine' }, { updatedAt: NOW + 50 });
    assert.equal(after.updatedAt, NOW + 51);
  });
});

describe('a new secret', () => {
  for (const [keepsOldSecret, until] of [
    [true, NOW + 86_400_000],
    [false, undefined],
  ] as const)
    test(`is shown once, and the old one ${keepsOldSecret ? 'is kept for a day' : 'ends'}`, async () => {
      const rotations: unknown[] = [];
      const rotate: WebhookEndpoints['rotate'] = async (read, next, until, { id: _, ...entry }) =>
        rotations.push([read, next, until, entry]) > 0;
      const endpoints = { ...describing(), rotate };
      const action = anAction('acme', NOW);
      const shown = await rotateSecret(endpoints, action, READ.id, keepsOldSecret);
      const entry = {
        ...action,
        type: 'webhook_endpoint.secret_rotated',
        resourceId: READ.id,
        details: { name: READ.name, keepsOldSecret },
      };
      assert.deepEqual(rotations, [[READ, { secret: shown.secret, updatedAt: NOW }, until, entry]]);
      assert.deepEqual(shown.endpoint, { ...READ, updatedAt: NOW, secretHint: toSecretHint(shown.secret) });
      assert.notEqual(shown.secret, secret);
    });
});

test('an endpoint can be removed once', async () => {
  const removed: string[] = [];
  const remove: WebhookEndpoints['remove'] = async (account, id, { type, resourceId }) => {
    assert.deepEqual([type, resourceId], ['webhook_endpoint.deleted', id]);
    return removed.push(`${account} ${id}`) === 1;
  };
  await removeEndpoint({ remove }, anAction('acme', NOW), READ.id);
  for (const id of [READ.id, 'we_1'])
    await assert.rejects(removeEndpoint({ remove }, anAction('acme', NOW), id), { code: 'not_found' });
  assert.deepEqual(removed, [`acme ${READ.id}`, `acme ${READ.id}`]);
});

describe('a test of an endpoint', () => {
  const endpoint = { ...rest, secret, oldSecret };
  const send = async (eventType: WebhookEventType, statusCode: number | undefined, { id } = READ) => {
    const sent: (readonly [endpoint: unknown, event: WebhookEvent])[] = [];
    const sender: Pick<WebhookSender, 'send'> = {
      send: async (...given) => {
        sent.push(given);
        const error = statusCode === undefined ? 'It was closed.' : undefined;
        return { at: NOW, durationMs: 5, answer: undefined, statusCode, error };
      },
    };
    const endpoints = { find: async () => endpoint };
    const result = await testWebhook({ endpoints, sender }, anAction('acme', NOW), id, eventType);
    const [[to, event] = assert.fail()] = sent;
    assert.deepEqual([to, result], [endpoint, statusCode]);
    assert.match(event.id, /^evt_[0-9a-f]{32}$/);
    return { ...event, id: 'evt' };
  };
  const FACTS = { id: 'evt', createdAt: NOW, account: 'acme' };

  test('sends an event for a task that does not exist, and returns the status', async () => {
    const { taskId, ...event } = Object(await send('video.failed', 404));
    assert.deepEqual(event, { ...FACTS, type: 'video.failed' });
    assert.match(taskId, /^task_01mcc5rm00/);
  });

  test('sends an event of a budget with made-up amounts', async () => {
    const budget = { month: '2027-01', threshold: 80, used: '80', limit: '100', currency: 'USD' };
    const type = 'budget.threshold_reached';
    assert.deepEqual(await send(type, 204), { ...FACTS, type, budget });
  });

  test('fails without an answer, and without an endpoint', async () => {
    const unreachable = { code: 'webhook_unreachable', message: /did not answer\. It was closed\.$/ };
    await assert.rejects(send('video.failed', undefined), unreachable);
    await assert.rejects(send('video.failed', 200, { ...READ, id: 'we_1' }), { code: 'not_found' });
  });
});

describe('resendDelivery', () => {
  const failed = aWebhookDelivery(READ.id, aWebhookEvent({ createdAt: NOW }), {
    status: 'failed',
    attempts: 7,
    nextAt: undefined,
  });
  const resending = (delivery: WebhookDelivery = failed) => {
    const { deliverer, stores, sent, errors } = buildDeliverer([]);
    stores.deliveries.add(delivery);
    const dependencies = { ...deliverer, endpoints: describing(), now: () => NOW };
    const resend = (changed: Partial<typeof dependencies> = {}) =>
      resendDelivery({ ...dependencies, ...changed }, 'acme', READ.id, delivery.id);
    const stored = () => stores.deliveries.find(READ.id, delivery.id);
    return { stores, stored, sent, errors, dependencies, resend };
  };
  const due = { ...failed, status: 'pending', nextAt: NOW, attemptUntil: undefined } as const;

  test('a delivery is due at once, and its message is for the next attempt', async () => {
    const { stored, sent, resend } = resending();
    assert.deepEqual([await resend(), stored()], [due, due]);
    const { id, endpointId, attempts } = failed;
    const delivery = { id, endpointId, attempts, account: 'acme' };
    assert.deepEqual(sent, [{ message: { kind: 'delivery', delivery }, delayMs: 0 }]);
  });

  test('a delivery whose message the queue refuses stays due for the sweeper', async () => {
    const { stored, errors, dependencies, resend } = resending();
    const send = () => Promise.reject(new Error('no queue'));
    assert.deepEqual(await resend({ queue: { ...dependencies.queue, send } }), due);
    assert.deepEqual([stored(), errors], [due, [['delivery not queued', { deliveryId: due.id }]]]);
  });

  test('a delivery that a worker claims meanwhile is not resent', async () => {
    const { stores, stored, sent, dependencies, resend } = resending();
    const taken = { ...failed, status: 'pending', attempts: 8, attemptUntil: NOW + 1 } as const;
    const find = async () => {
      stores.deliveries.save(taken, 7);
      return failed;
    };
    await assert.rejects(resend({ deliveries: { ...dependencies.deliveries, find } }), {
      code: 'webhook_delivery_in_progress',
    });
    assert.deepEqual([stored(), sent], [taken, []]);
  });

  for (const [name, status, attemptUntil, isResent] of [
    ['is being tried', 'pending', NOW + 1, false],
    ['was being tried until now', 'pending', NOW, true],
    ['waits for its next attempt', 'pending', undefined, true],
    ['failed during an attempt', 'failed', NOW + 1, true],
  ] as const)
    test(`a delivery that ${name} is ${isResent ? '' : 'not '}resent`, async () => {
      const { sent, resend } = resending({ ...failed, status, attemptUntil });
      if (isResent) assert.deepEqual(await resend(), due);
      else await assert.rejects(resend(), { code: 'webhook_delivery_in_progress' });
      assert.equal(sent.length, isResent ? 1 : 0);
    });

  test('a delivery is not resent to a disabled endpoint', async () => {
    const { resend, sent } = resending();
    const endpoints = describing({ ...READ, disabled: { at: NOW, reason: 'gone' } });
    await assert.rejects(resend({ endpoints }), { code: 'webhook_endpoint_disabled' });
    assert.deepEqual(sent, []);
  });

  test('an unknown delivery is not found', async () => {
    const { resend, dependencies } = resending();
    const deliveries = { ...dependencies.deliveries, find: async () => undefined };
    await assert.rejects(resend({ deliveries }), { code: 'not_found', param: 'delivery_id' });
  });
});

describe('a change that another one has overtaken', () => {
  type Write = () => Promise<boolean>;
  const action = anAction(READ.account, NOW);
  const wanted = { name: 'new', url: undefined, eventTypes: undefined };
  for (const [name, change] of [
    ['update', (change: Write) => updateEndpoint({ ...describing(), change }, action, READ.id, wanted)],
    ['rotation', (rotate: Write) => rotateSecret({ ...describing(), rotate }, action, READ.id, false)],
  ] as const)
    test(`is repeated: ${name}`, async (context) => {
      context.mock.method(Math, 'random', () => 0);
      let attempts = 0;
      await change(async () => {
        attempts += 1;
        return attempts === 3;
      });
      assert.equal(attempts, 3);
    });
});
