// 11cafe/jaaz 1.0.30 (145dd85).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataUri, PNG } from '../support/images.ts';
import { openApplication } from './application.ts';
import { readImages, readImageUrls } from './replies.ts';

const app = await openApplication();
/** `url` of `[openai]` and `[volces]` in config.toml. */
const openAi = app.openAi('/v1');
/** BASE_API_URL, to which it adds `/api/v1`. */
const cloud = app.openAi('/api/v1');

const PROMPT = 'A fox in the snow';

describe('the OpenAI image provider draws', () => {
  /** The sizes of the aspect ratios, for every model. */
  const SIZES: readonly (readonly [size: string, picture: string])[] = [
    ['1024x1024', 'image/jpeg 1024x1024'],
    ['1792x1024', 'image/jpeg 1376x768'],
    ['1024x1792', 'image/jpeg 768x1376'],
    ['1024x768', 'image/jpeg 1200x896'],
    ['768x1024', 'image/jpeg 896x1200'],
  ];
  for (const [size, picture] of SIZES)
    test(size, async () => {
      const body = { model: 'gpt-image-1', prompt: PROMPT, n: 1, size };
      assert.deepEqual(readImages(await openAi.post('/images/generations', body)), [picture]);
    });
});

test('a chat is refused, because it needs a model that calls tools', async () => {
  const parameters = { type: 'object', properties: { prompt: { type: 'string' } } };
  const tools = ['write_plan', 'transfer_to_image_video_creator', 'generate_image_by_gpt_image_1_jaaz'].map(
    (name) => ({ type: 'function', function: { name, description: name, parameters } }),
  );
  const body = {
    messages: [{ role: 'user', content: PROMPT }],
    model: 'gpt-image-1',
    stream: true,
    temperature: 0.0,
    tools,
  };
  await app.refuses(() => openAi.post('/chat/completions', body), /tools.*text model/);
});

describe('the Volces provider', () => {
  test('draws if the model is an alias of this service, with any size of its list', async () => {
    const body = {
      model: 'gpt-image-1',
      prompt: PROMPT,
      size: '1344x768',
      response_format: 'url',
      watermark: false,
    };
    assert.deepEqual(await readImageUrls(await openAi.post('/images/generations', body)), [
      'image/jpeg 1376x768',
    ]);
  });

  const MODELS: readonly (readonly [title: string, body: object, advice: RegExp, status: number])[] = [
    [
      'seedream',
      { model: 'doubao-seedream-3-0-t2i-250415', prompt: PROMPT, size: '1024x1024', watermark: false },
      /model.*image-3\.1/,
      404,
    ],
    [
      'seededit',
      {
        model: 'doubao-seededit-3-0-i2i-250628',
        prompt: PROMPT,
        image: dataUri(PNG, 'image/png'),
        response_format: 'url',
        size: 'adaptive',
        seed: 1234,
        guidance_scale: 5.5,
        watermark: false,
      },
      /guidance_scale/,
      400,
    ],
  ];
  for (const [title, body, advice, status] of MODELS)
    test(`is told what to change for its tool ${title}`, async () => {
      await app.refuses(() => openAi.post('/images/generations', body), advice, status);
    });

  test('gets a clear 404 for videos', async () => {
    const body = {
      model: 'doubao-seedance-1-0-pro-250528',
      content: [{ type: 'text', text: `${PROMPT} --resolution 480p --dur 5 --rt 16:9` }],
    };
    await app.refuses(() => openAi.post('/contents/generations/tasks', body), /no such endpoint/, 404);
  });
});

/** These paths and bodies exist only on jaaz.app. */
describe('the tools of the jaaz cloud get a clear 404:', () => {
  const REQUESTS: readonly (readonly [path: string, body: object])[] = [
    [
      '/image/generations',
      {
        model: 'openai/gpt-image-1',
        prompt: `${PROMPT} Aspect ratio: 1:1`,
        n: 1,
        size: 'auto',
        mask: null,
      },
    ],
    ['/task/search', { prompt: PROMPT, type: 'image' }],
    [
      '/video/sunra/generations',
      { prompt: PROMPT, model: 'veo3-fast', resolution: null, duration: null, aspect_ratio: null },
    ],
    ['/image/magic', { image: dataUri(PNG, 'image/png') }],
  ];
  for (const [path, body] of REQUESTS)
    test(path, async () => {
      await app.refuses(() => cloud.post(path, body), /no such endpoint/, 404);
    });
});
