import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, FAST_MODEL, HELD_BACK, MODEL } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { bearer, CHAT, chatBody, nativeBody, post } from '../support/images/requests.ts';
import { openSharedService } from '../support/open-service.ts';
import { EVERY_OPTION } from '../support/video-capabilities.ts';

const service = await openSharedService();

/** A few of the aliases; docs/migration.md lists all, and a test compares that list. */
const VIDEO_ALIASES = {
  'sora-2': FAST_MODEL,
  'sora-2-pro': MODEL,
  'models/veo-3.1-lite-generate-preview': FAST_MODEL,
};

describe('models', () => {
  test('are listed first, then an entry for each alias', async () => {
    const { data } = Object((await call(service, 'GET', '/v1/models')).body);
    const rest = { object: 'model', created: 1_767_225_600, owned_by: 'media-generation' };
    const [standard, , image] = data;
    assert.deepEqual(
      [standard.id, standard.alias_of, image.id, image.aliases.includes('dall-e-3')],
      [MODEL, null, IMAGE_MODEL, true],
    );
    const sora = { id: 'sora-2', ...rest, alias_of: FAST_MODEL, aliases: [], capabilities: EVERY_OPTION };
    assert.deepEqual(
      data.find(({ id }: { id: string }) => id === 'sora-2'),
      sora,
    );
    assert.equal(data.length, 3 + data.flatMap(({ aliases }: { aliases: string[] }) => aliases).length);
    for (const name of ['sora-2', 'models%2Fsora-2', 'openai%2Fsora-2'])
      assert.deepEqual((await call(service, 'GET', `/v1/models/${name}`)).body, sora);
  });

  test('are listed with the methods that Google lists for their names', async () => {
    const { body } = await call(service, 'GET', '/v1beta/models?pageSize=1000');
    const listed = new Map<string, { baseModelId: string; supportedGenerationMethods: string[] }>(
      Object(body).models.map((model: { name: string }) => [model.name, model]),
    );
    for (const [name, model, methods] of [
      [MODEL, MODEL, ['predictLongRunning']],
      ['veo-3.1-fast-generate-preview', FAST_MODEL, ['predictLongRunning']],
      ['gemini-3-pro-image-preview', IMAGE_MODEL, ['generateContent']],
      ['imagen-4.0-generate-001', IMAGE_MODEL, ['predict']],
    ] as const) {
      const { baseModelId, supportedGenerationMethods } = listed.get(`models/${name}`) ?? assert.fail(name);
      assert.deepEqual([baseModelId, supportedGenerationMethods], [model, methods]);
      const { body: single } = await call(service, 'GET', `/v1beta/models/${name}`);
      assert.deepEqual(single, listed.get(`models/${name}`));
    }
  });
});

describe('an alias', { concurrency: 2 }, () => {
  for (const [alias, model] of Object.entries(VIDEO_ALIASES))
    test(`${alias} makes a video with ${model}, as JSON and as a form`, async () => {
      const prompt = HELD_BACK;
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
      model: 'google/gemini-2.5-flash-image',
    });
    assert.deepEqual([chat.status, chat.body.model], [200, IMAGE_MODEL]);
  });
});
