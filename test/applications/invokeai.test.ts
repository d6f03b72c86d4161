// invoke-ai/InvokeAI 6.14.0-alpha (8e71a8a).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { file, PNG } from '../support/images.ts';
import { form, openApplication } from './application.ts';
import { readImages, readNativeImages } from './replies.ts';

const app = await openApplication();
/** `external_openai_base_url`, without `/v1`. */
const openAi = app.openAi('');
/** `external_gemini_base_url`, to which it adds `/v1beta`; the key is part of each address. */
const google = app.provider('/v1beta', {});

const PROMPT = 'A fox in the snow';

describe('an external OpenAI model', () => {
  const generate = (body: object) =>
    openAi.post('/v1/images/generations', { prompt: PROMPT, n: 1, size: '1024x1024', ...body });

  for (const model of ['gpt-image-1', 'gpt-image-2'])
    test(`${model} draws`, async () => {
      assert.deepEqual(readImages(await generate({ model, output_format: 'png' })), ['image/png 1024x1024']);
    });

  const SETTINGS: readonly (readonly [title: string, body: object, pictures: readonly string[]])[] = [
    ['dall-e-3', { model: 'dall-e-3', response_format: 'b64_json' }, ['image/jpeg 1024x1024']],
    [
      'dall-e-3 in landscape',
      { model: 'dall-e-3', response_format: 'b64_json', size: '1792x1024' },
      ['image/jpeg 1376x768'],
    ],
    [
      'another quality and background',
      {
        model: 'gpt-image-1',
        output_format: 'png',
        quality: 'low',
        background: 'opaque',
        size: '1024x1536',
      },
      ['image/png 848x1264'],
    ],
    [
      'a name of ours and two images',
      { model: 'image-3.1-flash-image-preview', response_format: 'b64_json', size: '512x512', n: 2 },
      ['image/jpeg 512x512', 'image/jpeg 512x512'],
    ],
  ];
  for (const [title, body, pictures] of SETTINGS)
    test(`draws with ${title}`, async () => {
      assert.deepEqual(readImages(await generate(body)), pictures);
    });

  test('is told that no image is transparent', async () => {
    const body = { model: 'gpt-image-1', output_format: 'png', background: 'transparent' };
    await app.refuses(() => generate(body), /background.*opaque/);
  });
});

describe('an edit', () => {
  const image = (position: number) => file(PNG, `image_${position}.png`, 'image/png');
  const fields = [
    ['model', 'gpt-image-1'],
    ['prompt', PROMPT],
    ['n', '1'],
    ['size', '1024x1024'],
    ['output_format', 'png'],
  ] as const;

  test('of one image, and one of two images with a fidelity, return an image', async () => {
    const one = await openAi.post('/v1/images/edits', form([...fields, ['image', image(0)]]));
    const two = await openAi.post(
      '/v1/images/edits',
      form([...fields, ['input_fidelity', 'high'], ['image[]', image(0)], ['image[]', image(1)]]),
    );
    for (const reply of [one, two]) assert.deepEqual(readImages(reply), ['image/png 1024x1024']);
  });

  test('with a mask is refused with another way', async () => {
    const mask = file(PNG, 'mask.png', 'image/png');
    await app.refuses(
      () => openAi.post('/v1/images/edits', form([...fields, ['image', image(0)], ['mask', mask]])),
      /mask.*prompt/,
    );
  });
});

describe('an external Gemini model', () => {
  const INSTRUCTION =
    "You are an image generation model. Always respond with an image based on the user's prompt.";
  const generate = (model: string, imageConfig: object, more: object = {}, parts: readonly object[] = []) =>
    google.post(`/models/${model}:generateContent?key=${app.apiKey}`, {
      systemInstruction: { parts: [{ text: INSTRUCTION }] },
      contents: [{ role: 'user', parts: [{ text: PROMPT }, ...parts] }],
      generationConfig: { candidateCount: 1, responseModalities: ['IMAGE'], ...imageConfig },
      ...more,
    });
  const square = { imageConfig: { aspectRatio: '1:1', imageSize: '1K' } };

  for (const model of ['gemini-3.1-flash-image-preview', 'gemini-3-pro-image-preview'])
    test(`${model} draws`, async () => {
      assert.deepEqual(readNativeImages(await generate(model, square)), ['image/jpeg 1024x1024']);
    });

  test('gemini-2.5-flash-image draws without a configuration', async () => {
    assert.deepEqual(readNativeImages(await generate('gemini-2.5-flash-image', {})), [
      'image/jpeg 1024x1024',
    ]);
  });

  test('draws with a small size, a temperature and reference images', async () => {
    const config = { imageConfig: { aspectRatio: '8:1', imageSize: '512' }, temperature: 0.5 };
    const reference = { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } };
    const reply = await generate('gemini-3.1-flash-image-preview', config, {}, [reference, reference]);
    assert.deepEqual(readNativeImages(reply), ['image/jpeg 1536x192']);
  });

  /** It sends the level beside generationConfig, where Google's API has no such field either. */
  test('draws with a thinking level, which is named as not applied', async () => {
    const more = { thinkingConfig: { thinkingLevel: 'HIGH' } };
    const reply = await generate('gemini-3.1-flash-image-preview', square, more);
    assert.equal(reply.headers.get('x-ignored-parameters'), 'thinkingConfig');
    assert.deepEqual(readNativeImages(reply), ['image/jpeg 1024x1024']);
  });
});
