// QuantumNous/new-api 1.0.0-rc.25 (2d8e50b), with this service as the upstream of a Sora, a Gemini and an OpenAI channel.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HELD_BACK } from '../support/http.ts';
import { dataUri, file, PNG } from '../support/images.ts';
import { download, form, openApplication } from './application.ts';
import {
  fetchVideo,
  finishOperation,
  readImages,
  readImageUrls,
  readModels,
  readNativeImages,
  readNativeModels,
  readNativeStream,
  readOperation,
  readPredictions,
  readSeconds,
  readVideo,
} from './replies.ts';

const app = await openApplication();
/** "Base URL" of a channel, without `/v1`. */
const openAi = app.openAi('');
const google = app.provider('', { 'x-goog-api-key': app.apiKey, accept: 'application/json' });

const PROMPT = 'A fox in the snow';
const HARBOUR = 'a quiet harbour';

describe('a Sora channel', () => {
  test('forwards a form, and downloads the video', async () => {
    const created = await openAi.post(
      '/v1/videos',
      form([
        ['model', 'sora-2'],
        ['seconds', '4'],
        ['prompt', HARBOUR],
        ['size', '1280x720'],
      ]),
    );
    assert.equal(readSeconds(await fetchVideo(app.openAi('/v1'), created)), 4);
  });

  const JSON_BODIES: readonly (readonly [title: string, body: object])[] = [
    ['text', { model: 'sora-2', prompt: HELD_BACK, seconds: '4', size: '720x1280' }],
    ['a duration', { duration: 8, model: 'sora-2-pro', prompt: HELD_BACK }],
    ['an image', { image: dataUri(PNG, 'image/png'), model: 'sora-2', prompt: HELD_BACK, seconds: '4' }],
    [
      'an image as input_reference',
      { input_reference: dataUri(PNG, 'image/png'), model: 'sora-2', prompt: HELD_BACK, seconds: '4' },
    ],
  ];
  for (const [title, body] of JSON_BODIES)
    test(`forwards JSON with ${title}`, async () => {
      assert.equal(readVideo(await openAi.post('/v1/videos', body)).status, 'queued');
    });

  const REFUSED: readonly (readonly [title: string, body: object, advice: RegExp])[] = [
    ['a remote image', { image: 'https://example.com/fox.png' }, /image.*(?:Base64|data URI)/],
    ['a list of images', { images: [dataUri(PNG, 'image/png')] }, /images.*input_reference/],
    ['another duration', { duration: 5 }, /duration.*4, 6/],
    ['the mode of another model', { mode: 'pro' }, /mode/],
  ];
  for (const [title, body, advice] of REFUSED)
    test(`is told why ${title} is not possible`, async () => {
      const request = { model: 'sora-2', prompt: PROMPT, ...body };
      await app.refuses(() => openAi.post('/v1/videos', request), advice);
    });

  test('is told that there is no remix', async () => {
    const body = { model: 'sora-2', prompt: PROMPT };
    await app.refuses(
      () => openAi.post('/v1/videos/task_00000000000000000000000000/remix', body),
      /create a new video/,
    );
  });
});

describe('a Gemini channel', () => {
  const start = (instance: object, parameters: object) =>
    google.post('/v1beta/models/veo-3.1-generate-preview:predictLongRunning', {
      instances: [instance],
      parameters: { sampleCount: 1, ...parameters },
    });

  test('downloads a video', async () => {
    const started = await start({ prompt: HARBOUR }, { durationSeconds: 4, aspectRatio: '16:9' });
    const address = await finishOperation(google, started);
    const reply = await download(`${address}&key=${app.apiKey}`, { 'x-goog-api-key': app.apiKey });
    assert.equal(readSeconds(reply), 4);
  });

  const PARAMETERS: readonly (readonly [title: string, instance: object, parameters: object])[] = [
    ['its defaults', {}, {}],
    ['a size', {}, { aspectRatio: '9:16', resolution: '1080p' }],
    [
      'an image of an unknown type',
      { image: { bytesBase64Encoded: PNG.toString('base64'), mimeType: 'application/octet-stream' } },
      { durationSeconds: 4 },
    ],
  ];
  for (const [title, instance, parameters] of PARAMETERS)
    test(`starts a video with ${title}`, async () => {
      readOperation(await start({ prompt: HELD_BACK, ...instance }, parameters));
    });

  test('is told that audio cannot be switched off', async () => {
    await app.refuses(() => start({ prompt: PROMPT }, { generateAudio: false }), /generateAudio.*prompt/);
  });

  test('draws with Imagen', async () => {
    const reply = await google.post('/v1beta/models/imagen-4.0-generate-001:predict', {
      instances: [{ prompt: PROMPT }],
      parameters: { sampleCount: 1, aspectRatio: '1:1', personGeneration: 'allow_adult' },
    });
    assert.equal(readPredictions(reply).length, 1);
  });

  const chat = {
    contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
    safetySettings: ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map((name) => ({
      category: `HARM_CATEGORY_${name}`,
      threshold: 'OFF',
    })),
    generationConfig: {
      temperature: 1,
      topP: 0.95,
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
    },
  };
  const model = '/v1beta/models/gemini-3.1-flash-image-preview';

  test('draws in a chat, streamed or not', async () => {
    assert.deepEqual(readNativeImages(await google.post(`${model}:generateContent`, chat)), [
      'image/jpeg 1376x768',
    ]);
    const stream = await google.post(`${model}:streamGenerateContent?alt=sse`, chat);
    assert.deepEqual(readNativeStream(stream), ['image/jpeg 1376x768']);
  });

  /** An operator presses the button on purpose, and 3000 tokens are enough for an image. */
  test('its test button draws an image', async () => {
    const reply = await google.post(`${model}:generateContent`, {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: { maxOutputTokens: 3000 },
    });
    assert.equal(readNativeImages(reply).length, 1);
  });

  test('lists the models', async () => {
    const names = readNativeModels(await google.get('/v1beta/models')).map(({ name }) => name);
    assert.ok(names.includes('models/veo-3.1-generate-preview'));
  });
});

describe('an OpenAI channel', () => {
  const draw = (body: object) => openAi.post('/v1/images/generations', body);

  test('draws with the options that it adds', async () => {
    const body = { model: 'gpt-image-1', n: 1, prompt: PROMPT, quality: 'auto' };
    assert.deepEqual(readImages(await draw(body)), ['image/jpeg 1024x1024']);
  });

  test('passes on the address that clients of dall-e-3 expect', async () => {
    const body = { model: 'dall-e-3', n: 1, prompt: PROMPT, quality: 'standard', size: '1024x1024' };
    assert.deepEqual(await readImageUrls(await draw(body)), ['image/jpeg 1024x1024']);
  });

  test('edits two images', async () => {
    const reply = await openAi.post(
      '/v1/images/edits',
      form([
        ['model', 'gpt-image-1'],
        ['prompt', PROMPT],
        ['image[]', file(PNG, 'one.png', 'image/png')],
        ['image[]', file(PNG, 'two.png', 'image/png')],
      ]),
    );
    assert.deepEqual(readImages(reply), ['image/jpeg 1024x1024']);
  });

  test('its test button for images draws an image', async () => {
    const body = { model: 'gpt-image-1', n: 1, prompt: 'a cute cat', size: '1024x1024' };
    assert.deepEqual(readImages(await draw(body)), ['image/jpeg 1024x1024']);
  });

  test('its test button for chats is refused and costs nothing', async () => {
    const body = {
      max_tokens: 16,
      messages: [{ role: 'user', content: 'hi' }],
      model: 'gpt-image-1',
      stream: false,
    };
    await app.refuses(() => openAi.post('/v1/chat/completions', body), /max_tokens/);
  });

  test('lists the models', async () => {
    assert.ok(readModels(await openAi.get('/v1/models')).includes('sora-2'));
  });
});
