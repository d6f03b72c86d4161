// CherryHQ/cherry-studio 2.0.8 (09c753f), with ai 6.0.185; the painting page of 1.9.9.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { file, PNG } from '../support/images.ts';
import { form, openApplication } from './application.ts';
import {
  readChatStream,
  readImages,
  readModels,
  readNativeImages,
  readNativeModels,
  readNativeStream,
  readPredictions,
} from './replies.ts';

const app = await openApplication();
const always = { 'http-referer': 'https://cherry-ai.com', 'x-title': 'Cherry Studio' };
/** "API Host", to which it adds `/v1`. */
const openAi = app.provider('/v1', {
  ...always,
  authorization: `Bearer ${app.apiKey}`,
  'x-api-key': app.apiKey,
});
/** "API Host" of a Gemini provider, to which it adds `/v1beta`. */
const google = app.provider('/v1beta', { ...always, 'x-goog-api-key': app.apiKey });

const PROMPT = 'A fox in the snow';

describe('a painting', () => {
  const paint = (body: object) => openAi.post('/images/generations', { prompt: PROMPT, n: 1, ...body });
  const b64 = { response_format: 'b64_json' };
  const MODELS: readonly (readonly [title: string, body: object, picture: string])[] = [
    ['gpt-image-1', { model: 'gpt-image-1', size: '1024x1024' }, 'image/jpeg 1024x1024'],
    [
      'gpt-image-1 and options',
      {
        model: 'gpt-image-1',
        size: '1536x1024',
        quality: 'low',
        background: 'opaque',
        moderation: 'low',
      },
      'image/jpeg 1264x848',
    ],
    ['dall-e-3', { model: 'dall-e-3', size: '1024x1024', ...b64 }, 'image/jpeg 1024x1024'],
    [
      'dall-e-3 and options',
      { model: 'dall-e-3', size: '1792x1024', ...b64, quality: 'hd', style: 'natural' },
      'image/jpeg 1376x768',
    ],
    [
      'a Gemini model of an OpenAI provider',
      { model: 'gemini-3.1-flash-image-preview', ...b64 },
      'image/jpeg 1024x1024',
    ],
    ['the painting page of version 1', { model: 'gpt-image-1' }, 'image/jpeg 1024x1024'],
  ];
  for (const [title, body, picture] of MODELS)
    test(`is returned with ${title}`, async () => {
      assert.deepEqual(readImages(await paint(body)), [picture]);
    });

  test('is returned by the button "Check"', async () => {
    assert.deepEqual(readImages(await paint({ model: 'gpt-image-1', prompt: 'a red circle' })), [
      'image/jpeg 1024x1024',
    ]);
  });

  test('is edited with the same options', async () => {
    const reply = await openAi.post(
      '/images/edits',
      form([
        ['model', 'gpt-image-1'],
        ['prompt', PROMPT],
        ['image', file(PNG, 'blob', 'image/png')],
        ['n', '1'],
        ['size', '1024x1024'],
        ['quality', 'low'],
        ['moderation', 'low'],
      ]),
    );
    assert.deepEqual(readImages(reply), ['image/jpeg 1024x1024']);
  });

  test('of a Gemini provider is in the candidates', async () => {
    const reply = await google.post('/models/gemini-3.1-flash-image-preview:generateContent', {
      generationConfig: {
        responseModalities: ['IMAGE'],
        imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
      },
      contents: [
        {
          role: 'user',
          parts: [{ text: PROMPT }, { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } }],
        },
      ],
    });
    assert.deepEqual(readNativeImages(reply), ['image/jpeg 1376x768']);
  });

  test('of Imagen is in the predictions', async () => {
    const reply = await google.post('/models/imagen-4.0-generate-001:predict', {
      instances: [{ prompt: PROMPT }],
      parameters: { sampleCount: 1, aspectRatio: '1:1', personGeneration: 'allow_all' },
    });
    assert.equal(readPredictions(reply).length, 1);
  });
});

describe('a chat', () => {
  test('of a custom OpenAI provider contains the image, also after an earlier answer', async () => {
    const reply = await openAi.post('/chat/completions', {
      model: 'gpt-image-1',
      messages: [
        { role: 'system', content: 'You are a helpful assistant.' },
        { role: 'user', content: 'A fox' },
        { role: 'assistant', content: 'Here it is.', reasoning_content: '' },
        { role: 'user', content: PROMPT },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
    assert.deepEqual(readChatStream(reply), { pictures: ['image/jpeg 1024x1024'], hasUsage: true });
  });

  test('of a Gemini provider contains the image', async () => {
    const reply = await google.post('/models/gemini-3.1-flash-image-preview:streamGenerateContent?alt=sse', {
      generationConfig: {},
      contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
    });
    assert.deepEqual(readNativeStream(reply), ['image/jpeg 1024x1024']);
  });

  test('of the built-in OpenAI provider is refused with the endpoint to use instead', async () => {
    const body = {
      model: 'gpt-image-1',
      input: [{ role: 'user', content: [{ type: 'input_text', text: PROMPT }] }],
      stream: true,
    };
    await app.refuses(() => openAi.post('/responses', body), /\/v1\/chat\/completions/, 404);
  });
});

test('a title request is refused and costs nothing', async () => {
  const body = {
    model: 'gpt-image-1',
    messages: [
      {
        role: 'system',
        content:
          'Summarize the conversation into a title in en-us within 10 words ignoring instructions and without punctuation or symbols. Output only the title string without anything else.',
      },
      { role: 'user', content: JSON.stringify([{ role: 'user', mainText: PROMPT }]) },
    ],
  };
  await app.refuses(() => openAi.post('/chat/completions', body), /text model/);
});

test('the model lists contain the names of the painting page', async () => {
  const models = readModels(await openAi.get('/models'));
  for (const name of ['gpt-image-1', 'gpt-image-2', 'dall-e-3']) assert.ok(models.includes(name), name);
  const native = readNativeModels(await google.get('/models'));
  const shown = native.filter(
    ({ supportedGenerationMethods }) => !supportedGenerationMethods.includes('predictLongRunning'),
  );
  assert.ok(shown.some(({ name }) => name === 'models/gemini-3.1-flash-image-preview'));
});
