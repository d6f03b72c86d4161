import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, FAST_MODEL, MODEL, readError } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { bearer, CHAT, chatBody, nativeBody, post } from '../support/images/requests.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

const VIDEO_ALIASES = {
  'sora-2': FAST_MODEL,
  'sora-2-2025-10-06': FAST_MODEL,
  'sora-2-2025-12-08': FAST_MODEL,
  'sora-2-pro': MODEL,
  'sora-2-pro-2025-10-06': MODEL,
  'veo-3.1-generate-preview': MODEL,
  'veo-3.1-generate-001': MODEL,
  'veo-3.1-fast-generate-preview': FAST_MODEL,
  'veo-3.1-fast-generate-001': FAST_MODEL,
};
const IMAGE_ALIASES = [
  'gemini-3.1-flash-image-preview',
  'gemini-3.1-flash-image',
  'gpt-image-1',
  'gpt-image-1-mini',
  'gpt-image-1.5',
];

describe('models', () => {
  test('are listed with their aliases', async () => {
    const { body } = await call(service, 'GET', '/v1/models');
    const named = (model: string) =>
      Object.entries(VIDEO_ALIASES).flatMap(([alias, target]) => (target === model ? [alias] : []));
    const rest = { object: 'model', created: 1_767_225_600, owned_by: 'media-generation' };
    assert.deepEqual(body, {
      object: 'list',
      data: [
        { id: MODEL, ...rest, aliases: named(MODEL) },
        { id: FAST_MODEL, ...rest, aliases: named(FAST_MODEL) },
        { id: IMAGE_MODEL, ...rest, aliases: IMAGE_ALIASES },
      ],
    });
  });

  test('are described under their own name and under an alias', async () => {
    for (const [name, id] of [
      [MODEL, MODEL],
      ['sora-2', FAST_MODEL],
      ['gpt-image-1.5', IMAGE_MODEL],
    ])
      assert.equal((await call(service, 'GET', `/v1/models/${name}`)).body.id, id);
  });

  for (const name of ['sora-1', 'constructor', '__proto__', 'SORA-2', 'sora-2 '])
    test(`do not include ${name}`, async () => {
      const answers = [
        await call(service, 'GET', `/v1/models/${encodeURIComponent(name)}`),
        await call(service, 'POST', '/v1/videos', { json: { model: name, prompt: 'a fox' } }),
        await call(service, 'POST', CHAT, { json: { ...chatBody('a fox'), model: name } }),
      ];
      for (const answer of answers) {
        const { code, param, message } = readError(answer);
        assert.deepEqual([answer.status, code, param], [404, 'model_not_found', 'model']);
        assert.match(
          message,
          /^model must be .*-preview, or an alias of one; GET \/v1\/models lists them\.$/,
        );
      }
    });
});

describe('an alias', { concurrency: 2 }, () => {
  for (const [alias, model] of Object.entries(VIDEO_ALIASES))
    test(`${alias} makes a video with ${model}, as JSON and as a form`, async () => {
      const prompt = 'a fox [sample: error 400]';
      const form = new FormData();
      form.set('model', alias);
      form.set('prompt', prompt);
      for (const sent of [{ json: { model: alias, prompt } }, { body: form }]) {
        const { status, body } = await call(service, 'POST', '/v1/videos', sent);
        assert.deepEqual([status, body.model], [200, model]);
      }
    });

  test('of an image model works in both formats, and answers name our model', async () => {
    const native = await post(
      service,
      '/v1beta/models/gemini-3.1-flash-image-preview:generateContent',
      { 'x-vendor-api-key': service.apiKey },
      nativeBody('a fox'),
    );
    assert.deepEqual([native.status, native.body.modelVersion], [200, IMAGE_MODEL]);
    const chat = await post(service, CHAT, bearer(service.apiKey), {
      ...chatBody('a fox'),
      model: 'gpt-image-1',
    });
    assert.deepEqual([chat.status, chat.body.model], [200, IMAGE_MODEL]);
  });

  test('of a video model makes no image, nor the other way round', async () => {
    const video = await call(service, 'POST', '/v1/videos', { json: { model: 'gpt-image-1', prompt: 'a' } });
    const chat = await call(service, 'POST', CHAT, { json: { ...chatBody('a'), model: 'sora-2' } });
    assert.deepEqual([readError(video).code, readError(chat).code], ['model_not_found', 'model_not_found']);
  });
});
