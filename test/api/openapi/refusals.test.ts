import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { schemaPath, strictSchemaErrors } from '../../functions/openapi/support/document.ts';
import type { Request } from '../../functions/openapi/support/exchange.ts';
import * as api from '../../functions/openapi/support/requests.ts';
import { MODEL } from '../../support/http.ts';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { EDITS } from '../../support/images/requests.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const fits = api.fitting(service);

describe('a refusal fits the document', { concurrency: 2 }, () => {
  const create = (json: unknown): Request => ({ method: 'POST', path: api.VIDEOS, json });
  const base = { model: MODEL, prompt: 'A fox' };
  const TOO_LARGE = 'x'.repeat(11 * 1024 * 1024);
  const missing = 'task_00000000000000000000000000';
  const CASES: readonly (readonly [string, number, Request, string?])[] = [
    ['a wrong size', 400, create({ ...base, size: '1x1' })],
    ['an audio switch', 400, create({ ...base, generateAudio: true })],
    ['a remote image', 400, create({ ...base, input_reference: 'https://example.com/fox.png' })],
    ['a broken image', 400, create({ ...base, input_reference: 'data:image/png;base64,AAAA' })],
    ['video input', 400, create({ ...base, video: 'x' })],
    ['another model', 404, create({ ...base, model: 'x' })],
    [
      'another content type',
      415,
      { method: 'POST', path: api.VIDEOS, body: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    ['a request that is too large', 413, create({ ...base, prompt: TOO_LARGE })],
    ['no key', 401, { method: 'GET', path: api.VIDEOS }, ''],
    ['no key for an image', 401, api.native(api.NATIVE, 'A fox'), 'none'],
    ['a wrong page size', 400, { method: 'GET', path: api.VIDEOS, at: '/v1/videos?limit=0' }],
    ['a video that is not there', 404, api.get(api.VIDEO, missing)],
    ['a generation that is not there', 404, api.get(api.GENERATION, missing)],
    ['content that is not there', 404, api.get(api.CONTENT, missing)],
    ['a model that is not there', 404, { method: 'GET', path: '/v1/models/{model}', at: '/v1/models/x' }],
    [
      'another image model',
      404,
      { ...api.native(api.NATIVE, 'A fox'), at: '/v1beta/models/x:generateContent' },
    ],
    ['an image request that is too large', 413, api.native(api.NATIVE, TOO_LARGE)],
    ['an empty image request', 400, { ...api.native(api.NATIVE, ''), json: {} }],
    ['an empty chat', 400, { method: 'POST', path: api.CHAT, json: {} }],
    ['a blocked image', 400, api.native(api.NATIVE, 'A fox [sample: blocked]')],
    ['a blocked chat', 400, api.chat('A fox [sample: blocked]')],
    ['a rejected chat', 400, api.chat('A fox [sample: error 400]')],
    ['a wrong image size', 400, api.generation('A fox', { size: '300x256' })],
    ['a blocked image of the Images API', 400, api.generation('A fox [sample: blocked]')],
    ['another model of the Images API', 404, api.generation('A fox', { model: 'dall-e-1' })],
    [
      'an edit without an image',
      400,
      { method: 'POST', path: EDITS, json: { model: IMAGE_MODEL, prompt: 'A fox' } },
    ],
    ['a failing generator of the Images API', 503, api.generation('A fox [sample: error 503 always]')],
    ['a busy generator', 429, api.native(api.NATIVE, 'A fox [sample: error 429 retry 3s always]')],
    ['a busy generator in a chat', 429, api.chat('A fox [sample: error 429 retry 3s always]')],
    ['a failing generator', 503, api.native(api.NATIVE, 'A fox [sample: error 503 always]')],
    ['a failing generator in a chat', 503, api.chat('A fox [sample: error 503 always]')],
  ];
  for (const [title, status, request, key] of CASES)
    test(title, async () => {
      await fits(status, request, key);
    });

  test('of a route that is not there', async () => {
    const response = await fetch(`${service.baseUrl}/v2/videos`);
    assert.equal(response.status, 404);
    assert.deepEqual(strictSchemaErrors(schemaPath('ErrorResponse'), await response.json()), []);
  });
});
