import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { call, FAST_MODEL, MODEL, readError, readId, waitFor } from '../support/http.ts';
import { dataUri, PNG } from '../support/images.ts';
import { startPooledService } from '../support/pooled-service.ts';

/** Gemini Omni through the Interactions API, also under the name of another model. */

const OMNI = 'video-omni-1.2-flash';
const IMAGE = dataUri(PNG, 'image/png');

const service = await startPooledService([
  { name: 'omni', kind: 'interactions', recordBodies: true },
  {
    name: 'mapped',
    kind: 'interactions',
    models: { [OMNI]: null, [MODEL]: 'gemini-omni-1.1-flash' },
    recordBodies: true,
  },
]);
after(service.close);

const create = (body: object) => call(service, 'POST', '/v1/videos', { json: { prompt: 'a fox', ...body } });
const finish = async (body: object) => {
  const answer = await create(body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return (await waitFor(service, readId(answer))).body;
};

const lastPrompt = (name: string): unknown => {
  const bodies = service
    .generatorNamed(name)
    .requests()
    .flatMap(({ body }) => body ?? []);
  const { input } = Object(bodies.at(-1));
  return input.at(-1).text;
};

describe('a video of Gemini Omni', () => {
  for (const [mode, images] of Object.entries({
    text: {},
    'first frame': { input_reference: IMAGE },
    'first and last frame': { input_reference: IMAGE, last_frame: IMAGE, seconds: 3 },
    references: { reference_images: [IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, IMAGE] },
  }))
    test(`is made from ${mode}, and downloaded`, async () => {
      const video = await finish({ model: OMNI, seconds: 3, size: '640x360', ...images });
      assert.partialDeepStrictEqual(video, {
        status: 'completed',
        model: OMNI,
        seconds: '3',
        size: '640x360',
      });
      const { status, headers } = await call(service, 'GET', `/v1/videos/${String(video.id)}/content`);
      assert.deepEqual([status, headers.has('location')], [302, true]);
    });

  test('keeps its images in their roles, whatever tags the prompt has', async () => {
    const prompt = 'a fox <LAST_FRAME> <IMAGE_REF_0> [# References <IMAGE_REF_1>@Image1]';
    const video = await finish({ model: OMNI, seconds: 3, size: '640x360', input_reference: IMAGE, prompt });
    assert.equal(video.status, 'completed');
    assert.equal(video.prompt, prompt);
    assert.equal(
      lastPrompt('omni'),
      '<FIRST_FRAME> a fox ‹LAST_FRAME› ‹IMAGE_REF_0› (# References ‹IMAGE_REF_1›@Image1]',
    );
  });

  for (const [title, prompt, code] of [
    ['is refused', '[sample: filtered]', 'content_blocked'],
    ['fails', '[sample: done with error 13]', 'upstream_unavailable'],
  ] as const)
    test(`${title} without a charge`, async () => {
      const video = await finish({ model: OMNI, prompt: `a fox ${prompt}` });
      const { body } = await call(service, 'GET', `/v1/videos/${String(video.id)}?include[]=charge`);
      assert.deepEqual([Object(video.error).code, body.charge], [code, null]);
    });
});

describe('a model that the operator maps to Gemini Omni', () => {
  test('makes its own durations, and names the model that made the video', async () => {
    const video = await finish({ model: MODEL, seconds: 4 });
    assert.partialDeepStrictEqual(video, {
      status: 'completed',
      model: MODEL,
      seconds: '4',
      upstream_model: 'gemini-omni-1.1-flash',
    });
  });

  for (const field of ['seed', 'negativePrompt'] as const)
    test(`refuses ${field}`, async () => {
      const answer = await create({ model: MODEL, [field]: field === 'seed' ? 1 : 'rain' });
      assert.deepEqual([answer.status, readError(answer).param], [400, field]);
    });

  test('is offered without its seed, and other models are not offered', async () => {
    const { body } = await call(service, 'GET', '/v1/models');
    const models = Object(body).data.filter((model: { alias_of: unknown }) => model.alias_of === null);
    assert.deepEqual(
      models.map(({ id, capabilities }: Record<string, unknown>) => [id, Object(capabilities).seed]),
      [
        [MODEL, false],
        [OMNI, false],
      ],
    );
    assert.equal((await create({ model: FAST_MODEL })).status, 404);
  });
});
