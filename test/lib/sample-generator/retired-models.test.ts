import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openSampleVertex, vertexAt } from '../../functions/upstream/adapters/sample-vertex.ts';
import { BEARER, readJson, routerBody, runOpenAi, runOpenRouter, toForm } from './support/job-servers.ts';
import { KEY, runGenerator, textBody } from './support/running-generator.ts';

const gemini = await runGenerator({ drafts: true });
const vertex = await openSampleVertex({ drafts: true });
const router = await runOpenRouter();
const gateway = await runOpenAi();
after(() => Promise.all([gemini.stop(), vertex[Symbol.asyncDispose](), router.stop(), gateway.stop()]));
const TOKEN = { authorization: `Bearer ${await vertexAt(vertex.url, vertex.account).token.read()}` };

const PLACE = 'projects/acme/locations/us-central1/publishers/google/models';
const IMAGE_BODY = { contents: [{ parts: [{ text: 'A fox [sample: text only]' }] }] };
const NEVER_DONE = 'A cat [sample: never done]';

const json = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
const form = (model: string): RequestInit => ({
  method: 'POST',
  body: toForm({ model, prompt: NEVER_DONE }),
});

const UPSTREAMS = {
  gemini: {
    generator: gemini,
    headers: KEY,
    video: 'veo-3.1-generate-001',
    image: 'gemini-3.1-flash-image',
    createVideo: (model: string) => [
      `/v1beta/models/${model}:predictLongRunning`,
      json(textBody(NEVER_DONE)),
    ],
    createImage: (model: string) => [`/v1beta/models/${model}:generateContent`, json(IMAGE_BODY)],
    list: () => '/v1beta/models',
    find: (model: string) => `/v1beta/models/${model}`,
    message: (model: string) =>
      `This model models/${model} is no longer available. Please update your code to use models/veo-9 for the latest features and improvements. We recommend you to use the Interactions API (https://ai.google.dev/gemini-api/docs/get-started).`,
  },
  vertex: {
    generator: vertex,
    headers: TOKEN,
    video: 'veo-3.1-generate-001',
    image: 'gemini-3.1-flash-image',
    createVideo: (model: string) => [`/v1/${PLACE}/${model}:predictLongRunning`, json(textBody(NEVER_DONE))],
    createImage: (model: string) => [`/v1/${PLACE}/${model}:generateContent`, json(IMAGE_BODY)],
    list: undefined,
    find: (model: string) => `/v1/publishers/google/models/${model}`,
    message: (model: string) =>
      `Publisher Model \`${PLACE}/${model}\` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions`,
  },
  openrouter: {
    generator: router,
    headers: BEARER,
    video: 'google/veo-3.1',
    image: 'google/gemini-3.1-flash-image',
    createVideo: (model: string) => ['/api/v1/videos', json(routerBody(NEVER_DONE, { model }))],
    createImage: (model: string) => [
      '/api/v1/chat/completions',
      json({ model, messages: [{ role: 'user', content: 'A fox' }], modalities: ['text'] }),
    ],
    list: (medium: string) => (medium === 'video' ? '/api/v1/videos/models' : '/api/v1/models'),
    find: undefined,
    message: (model: string) => `No endpoints found for ${model}.`,
  },
  openai: {
    generator: gateway,
    headers: BEARER,
    video: 'video-3.1-generate-preview',
    image: 'image-3.1-flash-image-preview',
    createVideo: (model: string) => ['/v1/videos', form(model)],
    createImage: (model: string) => [
      '/v1/images/generations',
      json({ model, prompt: 'A fox [sample: text only]' }),
    ],
    list: () => '/v1/models',
    find: undefined,
    message: (model: string) => `The model \`${model}\` does not exist or you do not have access to it.`,
  },
} as const;

for (const [kind, upstream] of Object.entries(UPSTREAMS)) {
  describe(`a retired model at ${kind}`, () => {
    const { generator, headers, list, find, message } = upstream;
    const request = ([path, init]: readonly (string | RequestInit)[]) =>
      fetch(`${generator.url}${path}`, { ...(typeof init === 'object' && init), headers });
    const isListed = async (medium: string, model: string) =>
      list && (await (await request([list(medium)])).text()).includes(model);
    const retire = async (retired: Readonly<Record<string, string | null>>, work: () => Promise<void>) => {
      generator.limit({ retired });
      await work().finally(() => generator.limit({}));
    };

    for (const [medium, model, create] of [
      ['video', upstream.video, upstream.createVideo],
      ['image', upstream.image, upstream.createImage],
    ] as const)
      test(`${model}: create requests are 404 with its own words, until it is offered again`, async () => {
        await retire({ [model]: 'veo-9' }, async () => {
          const response = await request(create(model));
          assert.deepEqual(
            [response.status, (await readJson(response)).error.message],
            [404, message(model)],
          );
          assert.ok(!(await isListed(medium, `${model}"`)));
          if (find !== undefined) assert.equal((await request([find(model)])).status, 404);
        });
        assert.ok((await request(create(model))).ok);
        assert.notEqual(await isListed(medium, `${model}"`), false);
        if (find !== undefined) assert.equal((await request([find(model)])).status, 200);
      });
  });
}

test('the Gemini API names no replacement if there is none', async () => {
  gemini.limit({ retired: { 'veo-2': null } });
  const body = JSON.stringify(textBody('A cat'));
  const url = `${gemini.url}/v1beta/models/veo-2:predictLongRunning`;
  const { error } = await readJson(await fetch(url, { method: 'POST', headers: KEY, body }));
  gemini.limit({});
  assert.equal(
    error.message,
    'This model models/veo-2 is no longer available. Please update your code to use a newer model for the latest features and improvements.',
  );
});
