import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import { newSigningSecret, toSecretHint } from '../../../../functions/webhooks/domain/webhook-signature.ts';
import type { WebhookMessage } from '../../../../functions/webhooks/domain/webhook-stores.ts';
import type {
  WebhookDelivery,
  WebhookDescription,
  WebhookEndpoint,
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
import { aWebhookDelivery, aWebhookEndpoint, aWebhookEvent } from '../../../support/builders/webhook.ts';
import { MemoryDeliveries } from '../../../support/in-memory/webhooks.ts';

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
    const add = async (endpoint: WebhookEndpoint) => added.push(endpoint) > 0;
    const shown = await createEndpoint({ add }, anAction('acme', NOW), SETTINGS);
    const { id } = shown.endpoint;
    const stored = {
      id,
      account: 'acme',
      ...SETTINGS,
      createdAt: NOW,
      updatedAt: NOW,
      failingSince: undefined,
      respondsQuickly: undefined,
      disabled: undefined,
    };
    assert.match(id, /^we_01mcc5rm00/);
    assert.deepEqual(added, [{ ...stored, secret: shown.secret, oldSecret: undefined }]);
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
    assert.deepEqual([page.endpoints.map(({ id }) => id), page.hasMore], [ids, hasMore]);
  });

describe('an update', () => {
  const HOST = new URL(READ.url).host;
  const NOTHING = { name: undefined, url: undefined, eventTypes: undefined };
  const update = async (
    wanted: Partial<typeof SETTINGS>,
    read: Partial<WebhookDescription> = {},
    now = NOW,
  ) => {
    const before = { ...READ, ...read };
    const changes: (readonly WebhookDescription[])[] = [];
    const entries: AuditEntry[] = [];
    const change = async (next: WebhookDescription, known: WebhookDescription, entry: AuditEntry) => {
      entries.push(entry);
      return changes.push([next, known]) > 0;
    };
    const after = await updateEndpoint({ ...describing(before), change }, anAction('acme', now), READ.id, {
      ...NOTHING,
      ...wanted,
    });
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
  type Rotate = Parameters<typeof rotateSecret>[0]['rotate'];
  for (const [keepsOld, until] of [
    [true, NOW + 86_400_000],
    [false, undefined],
  ] as const)
    test(`is shown once, and the old one ${keepsOld ? 'is kept for a day' : 'ends'}`, async () => {
      const rotations: unknown[] = [];
      const rotate: Rotate = async (read, next, until, entry) => {
        assert.deepEqual(
          [entry.account, entry.at, entry.type, entry.resourceId, entry.details],
          [
            'acme',
            NOW,
            'webhook_endpoint.secret_rotated',
            READ.id,
            { name: READ.name, keepsOldSecret: keepsOld },
          ],
        );
        return rotations.push([read, next, until]) > 0;
      };
      const shown = await rotateSecret({ ...describing(), rotate }, anAction('acme', NOW), READ.id, keepsOld);
      assert.deepEqual(rotations, [[READ, { secret: shown.secret, updatedAt: NOW }, until]]);
      assert.deepEqual(shown.endpoint, { ...READ, updatedAt: NOW, secretHint: toSecretHint(shown.secret) });
      assert.notEqual(shown.secret, secret);
    });
});

test('an endpoint can be removed once', async () => {
  const removed: string[] = [];
  const remove = async (account: string, id: string) => removed.push(`${account} ${id}`) === 1;
  await removeEndpoint({ remove }, anAction('acme', NOW), READ.id);
  for (const id of [READ.id, 'we_1'])
    await assert.rejects(removeEndpoint({ remove }, anAction('acme', NOW), id), { code: 'not_found' });
  assert.deepEqual(removed, [`acme ${READ.id}`, `acme ${READ.id}`]);
});

describe('a test of an endpoint', () => {
  const endpoint = { ...rest, secret, oldSecret };
  const attempt = { at: NOW, durationMs: 5, answer: undefined };
  const send = (
    answer: { statusCode: number | undefined; error: string | undefined },
    id = READ.id,
    eventType: WebhookEventType = 'video.failed',
  ) => {
    const sent: unknown[] = [];
    const sender = {
      send: async (...given: readonly unknown[]) => {
        sent.push(given);
        return { ...attempt, ...answer };
      },
    };
    const endpoints = { find: async () => endpoint };
    const wanted = { account: 'acme', id, eventType };
    return { sent, result: testWebhook({ endpoints, sender }, wanted, NOW) };
  };

  test('sends an event for a task that does not exist, and returns the status', async () => {
    const { sent, result } = send({ statusCode: 404, error: undefined });
    assert.equal(await result, 404);
    const [[to, event] = []] = sent.map((given) => Array.from(Object(given)));
    const { id, taskId, ...facts } = Object(event);
    assert.deepEqual([to, facts], [endpoint, { type: 'video.failed', createdAt: NOW, account: 'acme' }]);
    assert.match(id, /^evt_[0-9a-f]{32}$/);
    assert.match(taskId, /^task_01mcc5rm00/);
  });

  test('sends an event of a budget with made-up amounts', async () => {
    const { sent, result } = send({ statusCode: 204, error: undefined }, READ.id, 'budget.threshold_reached');
    assert.equal(await result, 204);
    const [[, event] = []] = sent.map((given) => Array.from(Object(given)));
    assert.deepEqual(
      [Object(event).type, Object(event).budget],
      [
        'budget.threshold_reached',
        { month: '2027-01', threshold: 80, used: '80', limit: '100', currency: 'USD' },
      ],
    );
  });

  test('fails without an answer, and without an endpoint', async () => {
    const { result } = send({ statusCode: undefined, error: 'It was closed.' });
    await assert.rejects(result, {
      code: 'webhook_unreachable',
      message: /did not answer\. It was closed\.$/,
    });
    await assert.rejects(send({ statusCode: 200, error: undefined }, 'we_1').result, { code: 'not_found' });
  });
});

describe('resendDelivery', () => {
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
  const due = { ...failed, status: 'pending', nextAt: NOW, attemptUntil: undefined };

  test('a delivery is due at once, and its message is for the next attempt', async () => {
    const { stored, sent, resend } = resending(failed);
    assert.deepEqual(await resend(), due);
    assert.deepEqual(stored.find(endpoint.id, failed.id), due);
    const { id, endpointId, attempts } = failed;
    assert.deepEqual(sent, [{ kind: 'delivery', delivery: { id, endpointId, attempts, account: 'acme' } }]);
  });

  test('a delivery whose message the queue refuses stays due for the sweeper', async () => {
    const { stored, errors, resend } = resending(failed);
    const queue = { send: () => Promise.reject(new Error('no queue')) };
    assert.deepEqual(await resend({ queue }), due);
    assert.deepEqual(stored.find(endpoint.id, failed.id), due);
    assert.deepEqual(errors, ['delivery not queued']);
  });

  test('a delivery that a worker claims meanwhile is not resent', async () => {
    const { stored, sent, dependencies, resend } = resending(failed);
    const taken = { ...failed, status: 'pending', attempts: 8, attemptUntil: NOW + 1 } as const;
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

  for (const [name, attemptUntil, isResent] of [
    ['is being tried', NOW + 1, false],
    ['was being tried until now', NOW, true],
    ['waits for its next attempt', undefined, true],
  ] as const)
    test(`a delivery that ${name} is ${isResent ? '' : 'not '}resent`, async () => {
      const pending = {
        ...failed,
        status: 'pending',
        attempts: 2,
        nextAt: NOW + 60_000,
        attemptUntil,
      } as const;
      const { sent, resend } = resending(pending);
      if (isResent) assert.equal((await resend()).nextAt, NOW);
      else await assert.rejects(resend(), { code: 'webhook_delivery_in_progress' });
      assert.equal(sent.length, isResent ? 1 : 0);
    });

  test('a delivery that failed during an attempt is resent', async () => {
    const { resend } = resending({ ...failed, attemptUntil: NOW + 1 });
    assert.deepEqual(await resend(), due);
  });

  test('a delivery is not resent to a disabled endpoint', async () => {
    const { resend, sent } = resending(failed);
    const disabled = { at: NOW, reason: 'gone' } as const;
    const endpoints = { describe: async () => ({ ...description, disabled }) };
    await assert.rejects(resend({ endpoints }), { code: 'webhook_endpoint_disabled' });
    assert.deepEqual(sent, []);
  });

  test('an unknown delivery is not found', async () => {
    const { resend, dependencies } = resending(failed);
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
