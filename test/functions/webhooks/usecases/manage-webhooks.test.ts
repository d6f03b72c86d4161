import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hintOf } from '../../../../functions/webhooks/domain/webhook-signature.ts';
import type { WebhookDescription, WebhookEndpoint } from '../../../../functions/webhooks/domain/webhooks.ts';
import {
  createEndpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
  testWebhook,
  updateEndpoint,
} from '../../../../functions/webhooks/usecases/manage-webhooks.ts';
import { aWebhookEndpoint } from '../../../support/builders/webhook.ts';

const NOW = 1_800_000_000_000;
const { secret, oldSecret, ...rest } = aWebhookEndpoint({ createdAt: NOW - 1000 });
const READ: WebhookDescription = { ...rest, secretHint: hintOf(secret) };
const SETTINGS = { name: 'Mine', url: 'https://example.com/mine', eventTypes: ['video.failed'] } as const;
const describing = (read: WebhookDescription | undefined = READ) => ({
  describe: async (account: string) => (account === 'acme' ? read : undefined),
});

describe('a new endpoint', () => {
  test('is added with a secret, of which only a hint stays visible', async () => {
    const added: WebhookEndpoint[] = [];
    const add = async (endpoint: WebhookEndpoint) => added.push(endpoint) > 0;
    const shown = await createEndpoint({ add }, 'acme', SETTINGS, NOW);
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
    assert.deepEqual(shown.endpoint, { ...stored, secretHint: hintOf(shown.secret) });
  });

  test('is refused where the account has ten', async () => {
    await assert.rejects(createEndpoint({ add: async () => false }, 'acme', SETTINGS, NOW), {
      code: 'webhook_endpoint_limit',
      message: 'An account can have 10 webhook endpoints: delete one first.',
    });
  });
});

test('an endpoint is found by its account alone, and only under an id', async () => {
  assert.deepEqual(await findEndpoint(describing(), 'acme', READ.id), READ);
  for (const [account, id] of [
    ['other', READ.id],
    ['acme', 'we_1'],
  ] as const)
    await assert.rejects(findEndpoint(describing(), account, id), {
      code: 'not_found',
      param: 'webhook_endpoint_id',
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
  const NOTHING = { name: undefined, url: undefined, eventTypes: undefined };
  const update = async (
    wanted: Partial<typeof SETTINGS>,
    read: Partial<WebhookDescription> = {},
    now = NOW,
  ) => {
    const before = { ...READ, ...read };
    const changes: (readonly WebhookDescription[])[] = [];
    const change = async (...given: readonly WebhookDescription[]) => changes.push(given) > 0;
    const after = await updateEndpoint(
      { ...describing(before), change },
      'acme',
      READ.id,
      { ...NOTHING, ...wanted },
      now,
    );
    return { before, after, changes };
  };

  test('changes what it names, and nothing else', async () => {
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
    test(`with ${JSON.stringify(wanted)} changes nothing, and writes nothing`, async () => {
      const { before, after, changes } = await update(Object(wanted), { failingSince: 5 });
      assert.deepEqual([after, changes], [before, []]);
    });

  for (const [name, wanted, read] of [
    ['of the address', { url: SETTINGS.url }, {}],
    ['of a disabled endpoint', {}, { disabled: { at: 7, reason: 'failing' } }],
  ] as const)
    test(`${name} starts over with its health`, async () => {
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

  test('has a later time than the one before, whatever the clock says', async () => {
    const { after } = await update({ name: 'Mine' }, { updatedAt: NOW + 50 });
    assert.equal(after.updatedAt, NOW + 51);
  });
});

describe('a new secret', () => {
  for (const [keepsOld, until] of [
    [true, NOW + 86_400_000],
    [false, undefined],
  ] as const)
    test(`is shown once, and the old one ${keepsOld ? 'holds for a day' : 'ends'}`, async () => {
      const rotations: unknown[] = [];
      const rotate = async (...given: readonly unknown[]) => rotations.push(given) > 0;
      const shown = await rotateSecret({ ...describing(), rotate }, 'acme', READ.id, keepsOld, NOW);
      assert.deepEqual(rotations, [[READ, { secret: shown.secret, updatedAt: NOW }, until]]);
      assert.deepEqual(shown.endpoint, { ...READ, updatedAt: NOW, secretHint: hintOf(shown.secret) });
      assert.notEqual(shown.secret, secret);
    });

  test('is made anew where another change came between', async () => {
    let tries = 0;
    const rotate = async () => {
      tries += 1;
      return tries === 3;
    };
    await rotateSecret({ ...describing(), rotate }, 'acme', READ.id, true, NOW);
    assert.equal(tries, 3);
  });
});

test('an endpoint is removed under its id, once', async () => {
  const removed: string[] = [];
  const remove = async (account: string, id: string) => removed.push(`${account} ${id}`) === 1;
  await removeEndpoint({ remove }, 'acme', READ.id);
  for (const id of [READ.id, 'we_1'])
    await assert.rejects(removeEndpoint({ remove }, 'acme', id), { code: 'not_found' });
  assert.deepEqual(removed, [`acme ${READ.id}`, `acme ${READ.id}`]);
});

describe('a test of an endpoint', () => {
  const endpoint = { ...rest, secret, oldSecret };
  const attempt = { at: NOW, durationMs: 5, answer: undefined };
  const send = (answer: { statusCode: number | undefined; error: string | undefined }, id = READ.id) => {
    const sent: unknown[] = [];
    const sender = {
      send: async (...given: readonly unknown[]) => {
        sent.push(given);
        return { ...attempt, ...answer };
      },
    };
    const endpoints = { find: async () => endpoint };
    const wanted = { account: 'acme', id, eventType: 'video.failed' } as const;
    return { sent, result: testWebhook({ endpoints, sender }, wanted, NOW) };
  };

  test('sends an event of a task that never was, and tells the status', async () => {
    const { sent, result } = send({ statusCode: 404, error: undefined });
    assert.equal(await result, 404);
    const [[to, event] = []] = sent.map((given) => Array.from(Object(given)));
    const { id, taskId, ...facts } = Object(event);
    assert.deepEqual([to, facts], [endpoint, { type: 'video.failed', createdAt: NOW, account: 'acme' }]);
    assert.match(id, /^evt_[0-9a-f]{32}$/);
    assert.match(taskId, /^task_01mcc5rm00/);
  });

  test('fails where no answer comes, and is not made without an endpoint', async () => {
    const { result } = send({ statusCode: undefined, error: 'It was closed.' });
    await assert.rejects(result, {
      code: 'webhook_unreachable',
      message: /gave no answer\. It was closed\.$/,
    });
    await assert.rejects(send({ statusCode: 200, error: undefined }, 'we_1').result, { code: 'not_found' });
  });
});
