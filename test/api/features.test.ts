import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { ENDPOINTS } from '../../functions/openapi/api/endpoints.ts';
import { call, MODEL, readError } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { CHAT, chatBody } from '../support/images/requests.ts';
import { openOwnService } from '../support/open-service.ts';
import { signIn } from '../support/sessions.ts';
import { until } from '../support/until.ts';

/** A deployment without any feature that can be left out. */
const service = await openOwnService({ own: { config: { features: [] } } });

const leftOut = Object.values(ENDPOINTS).filter(({ feature }) => feature !== undefined);

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
  tags: z.array(z.object({ name: z.string() })),
});

describe('a deployment without features', () => {
  test('generates, delivers, charges and deletes a video', async () => {
    const created = await call(service, 'POST', '/v1/videos', {
      json: { model: MODEL, prompt: 'A fox', seconds: 4 },
    });
    assert.equal(created.status, 200);
    const path = `/v1/videos/${String(created.body.id)}`;
    await until(async () => (await call(service, 'GET', path)).body.status === 'completed');
    const content = await fetch(`${service.baseUrl}${path}/content`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    assert.deepEqual([content.status, content.headers.get('content-type')], [200, 'video/mp4']);
    const generation = await call(service, 'GET', `/v1/video/generations/${String(created.body.id)}`);
    assert.equal(Object(generation.body.data).status, 'succeeded');
    assert.equal((await call(service, 'DELETE', path)).status, 200);
  });

  test('refuses a callback by the name of the feature', async () => {
    const json = { model: 'google/veo-3.1', prompt: 'A fox', callback_url: 'https://hooks.example.com/fox' };
    const refused = await call(service, 'POST', '/v1/videos', { json });
    assert.deepEqual([refused.status, readError(refused).param], [400, 'callback_url']);
    assert.match(readError(refused).message, /webhooks/);
  });

  test('generates images in the formats of the specification', async () => {
    const chat = await call(service, 'POST', CHAT, { json: chatBody('A fox') });
    assert.equal(chat.status, 200);
    const native = await call(service, 'POST', `/v1beta/models/${IMAGE_MODEL}:generateContent`, {
      json: { contents: [{ parts: [{ text: 'A fox' }] }] },
    });
    assert.equal(native.status, 200);
  });

  test('answers a key of Google on the paths that OpenAI shares', async () => {
    const headers = { 'x-goog-api-key': service.apiKey };
    for (const [path, field] of [
      ['/v1/models', 'models'],
      ['/v1/files', 'files'],
    ] as const) {
      const response = await fetch(`${service.baseUrl}${path}`, { headers });
      assert.deepEqual([response.status, Object.keys(Object(await response.json()))], [200, [field]]);
    }
  });

  for (const { method, path } of leftOut)
    test(`has no ${method} ${path}`, async () => {
      const filled = path.replace('{model}', IMAGE_MODEL).replaceAll(/\{\w+\}/g, 'x');
      const answer = await call(service, method, filled, method === 'POST' ? { json: {} } : {});
      assert.equal(answer.status, 404);
      const { message } = path.includes('v1beta') ? Object(answer.body.error) : readError(answer);
      // Clients of OpenAI are told which endpoints make images.
      const isOpenAi = path.startsWith('/v1/responses');
      assert.match(
        message,
        isOpenAi ? /does not have .* Responses API: use POST/ : /^There is no such endpoint\.$/,
      );
    });

  test('describes the operations that it has, and no others', async () => {
    const { paths, tags } = documentSchema.parse((await call(service, 'GET', '/openapi.json')).body);
    const described = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    const core = Object.entries(ENDPOINTS).flatMap(([id, { feature }]) =>
      feature === undefined ? [id] : [],
    );
    assert.deepEqual(described.toSorted(), core.toSorted());
    const names = tags.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => ['Webhooks', 'Shares', 'Agents', 'People'].includes(name)),
      [],
    );
  });

  test('signs people in with links, as admins without a name who make keys of the account', async () => {
    const session = await signIn(service, 'tester');
    const { body } = await session.call('GET', '/v1/console/session');
    assert.deepEqual([body.features, body.role, body.user, body.accounts], [[], 'admin', null, []]);
    const keys = '/v1/organization/projects/tester/api_keys';
    const made = await session.call('POST', keys, { name: 'server' });
    assert.equal(made.status, 200);
    const owner = Object(made.body.owner);
    assert.equal(owner.type, 'service_account');
    const key = String(made.body.value);
    assert.equal((await call({ ...service, apiKey: key }, 'GET', '/v1/videos')).status, 200);
    const list = await session.call('GET', keys);
    assert.ok(z.array(z.looseObject({ id: z.string() })).parse(list.body.data).length > 1);
    assert.equal((await session.call('DELETE', `${keys}/${String(made.body.id)}`)).status, 200);
    assert.equal((await session.call('GET', '/v1/console/sessions')).status, 200);
    assert.equal((await session.call('POST', '/v1/console/session/renew')).status, 200);
    const link = await session.call('POST', '/v1/console/links', { user_id: `user_${'0'.repeat(32)}` });
    assert.equal(link.status, 404);
    const invited = await call({ ...service, apiKey: '' }, 'POST', '/v1/console/sessions', {
      json: { token: `mgi_${'a'.repeat(43)}.tester` },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(invited.status, 400);
  });

  test('sweeps without deliveries of webhooks', async () => {
    const ran = await service.cloud.invoke('Sweeper', {});
    assert.equal(ran.type, 'response');
  });
});
