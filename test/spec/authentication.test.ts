import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call } from '../support/http.ts';
import { CHAT, chatBody, NATIVE, nativeBody } from '../support/images/requests.ts';
import { signIn } from '../support/sessions.ts';
import { completedVideo, service } from './requests.ts';

type Send = (headers: Record<string, string>) => ReturnType<typeof call>;

const FAMILIES: readonly (readonly [route: string, send: Send])[] = [
  ['/v1/videos', (headers) => call(service, 'GET', '/v1/videos', { key: '', headers })],
  [
    '/v1/video/generations/{task_id}',
    (headers) => call(service, 'GET', '/v1/video/generations/task_x', { key: '', headers }),
  ],
  [
    '/v1/chat/completions',
    (headers) => call(service, 'POST', CHAT, { key: '', headers, json: chatBody('a [sample: error 400]') }),
  ],
];

describe('authentication', () => {
  for (const [route, send] of FAMILIES)
    test(`${route} takes the header \`Authorization: Bearer <API_KEY>\`.`, async () => {
      assert.notEqual((await send({ authorization: `Bearer ${service.apiKey}` })).status, 401);
      assert.equal((await send({ 'x-vendor-api-key': service.apiKey })).status, 401);
      assert.equal((await send({ authorization: 'Bearer wrong' })).status, 401);
    });

  test('/v1beta/models/{model}:generateContent takes the header `x-vendor-api-key: <API_KEY>`.', async () => {
    const send = (headers: Record<string, string>) =>
      call(service, 'POST', NATIVE, { key: '', headers, json: nativeBody('a [sample: error 400]') });
    assert.notEqual((await send({ 'x-vendor-api-key': service.apiKey })).status, 401);
    assert.equal((await send({ 'x-vendor-api-key': 'wrong' })).status, 401);
  });

  test('The API key is created by the user in the service console.', async () => {
    const page = await signIn(service, 'spec-reader');
    const created = await page.call('POST', '/v1/organization/projects/spec-reader/api_keys', {
      name: 'spec',
    });
    const key = String(created.body.value);
    assert.equal((await call(service, 'GET', '/v1/videos', { key })).status, 200);
  });

  test('Every request carries the key, including the video download request.', async () => {
    const { body } = await completedVideo();
    for (const path of [
      `/v1/videos/${body.id}`,
      `/v1/videos/${body.id}/content`,
      `/v1/video/generations/${body.id}`,
    ])
      assert.equal((await call(service, 'GET', path, { key: '' })).status, 401, path);
  });
});
