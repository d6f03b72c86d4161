import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import OpenAI from 'openai';
import { call, readError } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const ENDPOINTS = '/v1/webhook_endpoints';
const NEW: OpenAI.Webhooks.WebhookCreateParams = {
  name: 'Hook',
  url: 'https://hooks.example.com/v',
  event_types: ['video.completed'],
};

const newAccount = async () => {
  const apiKey = await service.issueKey(`hooks-${randomUUID()}`);
  const access = { ...service, apiKey };
  return { access, client: new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey, maxRetries: 0 }) };
};

test('openai 7 makes, lists, gets, changes and deletes endpoints', async () => {
  const { client } = await newAccount();
  const { data: types } = await client.webhooks.eventTypes.list();
  assert.deepEqual(types, ['video.completed', 'video.failed', 'budget.threshold_reached']);
  const made = await client.webhooks.create(NEW);
  const { signing_secret: secret, ...shown } = made;
  assert.deepEqual(shown, {
    id: made.id,
    object: 'webhook_endpoint',
    name: 'Hook',
    url: NEW.url,
    event_types: NEW.event_types,
    signing_secret_hint: `whsec_…${secret.slice(-5)}`,
    created_at: made.created_at,
    updated_at: made.created_at,
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  });
  assert.ok(Math.abs(made.created_at - Date.now() / 1000) < 60);
  assert.deepEqual(await client.webhooks.retrieve(made.id), shown);

  const changed = await client.webhooks.update(made.id, { name: 'Other', event_types: ['video.failed'] });
  assert.deepEqual(changed, {
    ...shown,
    name: 'Other',
    event_types: ['video.failed'],
    updated_at: changed.updated_at,
  });
  assert.deepEqual(await client.webhooks.update(made.id, null), changed);
  assert.deepEqual(await client.webhooks.retrieve(made.id), changed);

  const rotated = await client.webhooks.rotateSecret(made.id);
  assert.notEqual(rotated.signing_secret, secret);
  const { signing_secret_hint: hint } = await client.webhooks.retrieve(made.id);
  assert.equal(hint, `whsec_…${rotated.signing_secret.slice(-5)}`);

  assert.deepEqual(await client.webhooks.delete(made.id), {
    id: made.id,
    object: 'webhook_endpoint.deleted',
    deleted: true,
  });
  await assert.rejects(client.webhooks.retrieve(made.id), { status: 404, code: 'not_found' });
  assert.deepEqual((await client.webhooks.list()).data, []);
});

test('openai 7 pages through endpoints, the newest first, past one that was deleted', async () => {
  const { client } = await newAccount();
  const ids: string[] = [];
  for (let number = 0; number < 3; number += 1) ids.unshift((await client.webhooks.create(NEW)).id);
  const list = async (query: OpenAI.Webhooks.WebhookListParams) =>
    (await Array.fromAsync(client.webhooks.list(query))).map(({ id }) => id);
  assert.deepEqual([await list({ limit: 2 }), await list({ after: null })], [ids, ids]);
  const [, second = '', third] = ids;
  await client.webhooks.delete(second);
  assert.deepEqual(await list({ after: second }), [third]);
});

test('another account’s endpoint is as unknown as one that never was', async () => {
  const [owner, other] = [await newAccount(), await newAccount()];
  const { id } = await owner.client.webhooks.create(NEW);
  const ROUTES: readonly (readonly [method: string, rest: string, json?: unknown])[] = [
    ['GET', ''],
    ['POST', '', { name: 'mine' }],
    ['DELETE', ''],
    ['POST', '/rotate_secret', {}],
    ['POST', '/test', { event_type: 'video.failed' }],
    ['GET', '/deliveries'],
    ['POST', `/deliveries/wd_${'0'.repeat(26)}/resend`],
  ];
  for (const [method, rest, json] of ROUTES)
    for (const wrong of [id, 'count']) {
      const answer = await call(other.access, method, `${ENDPOINTS}/${wrong}${rest}`, {
        ...(json !== undefined && { json }),
      });
      const { code, param } = readError(answer);
      assert.deepEqual([answer.status, code, param], [404, 'not_found', 'webhook_endpoint_id'], wrong);
    }
  assert.equal((await owner.client.webhooks.retrieve(id)).name, 'Hook');
});

test('a wrong body or query is refused by the name of its field', async () => {
  const { access, client } = await newAccount();
  const { id } = await client.webhooks.create(NEW);
  const own = `${ENDPOINTS}/${id}`;
  const REFUSED: readonly (readonly [method: string, path: string, json: unknown, param: string])[] = [
    ['POST', ENDPOINTS, { ...NEW, url: 'https://10.0.0.1/' }, 'url'],
    ['POST', own, { event_types: ['batch.completed'] }, 'event_types[0]'],
    [
      'POST',
      `${own}/rotate_secret`,
      { keep_old_secret_active_for_24_hours: 1 },
      'keep_old_secret_active_for_24_hours',
    ],
    ['POST', `${own}/test`, { event_type: 'batch.completed' }, 'event_type'],
    ['GET', `${ENDPOINTS}?limit=0`, undefined, 'limit'],
    ['GET', `${own}/deliveries?after=${id}`, undefined, 'after'],
  ];
  for (const [method, path, json, param] of REFUSED) {
    const answer = await call(access, method, path, { ...(json !== undefined && { json }) });
    const error = readError(answer);
    assert.deepEqual([answer.status, error.code, error.param], [400, 'invalid_request', param]);
  }
  for (const path of [ENDPOINTS, own]) {
    const headers = { 'content-type': 'text/plain' };
    assert.equal((await call(access, 'POST', path, { headers, body: '{}' })).status, 415);
  }
  assert.deepEqual((await client.webhooks.list()).data, [await client.webhooks.retrieve(id)]);
});
