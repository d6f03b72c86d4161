// n8n-io/n8n 2.36.0 (fbd9449): OpenAI node 2.3, Google Gemini node 1.2.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { HELD_BACK } from '../support/http.ts';
import { file, JPEG, PNG } from '../support/images.ts';
import { download, form, openApplication } from './application.ts';
import {
  fetchVideo,
  finishOperation,
  readImages,
  readImageUrls,
  readJson,
  readModels,
  readNativeImages,
  readNativeModels,
  readOperation,
  readPredictions,
  readSeconds,
  readVideo,
} from './replies.ts';

const app = await openApplication();
/** "Base URL" of the OpenAI credential; the organization is empty by default. */
const openAi = app.provider('/v1', {
  authorization: `Bearer ${app.apiKey}`,
  'openai-organization': '',
  accept: 'application/json',
});
/** "Host" of the Google Gemini credential; the key is part of each address. */
const google = app.provider('', {});
const KEY = `key=${app.apiKey}`;

const PROMPT = 'A fox in the snow';

describe('"Generate an image"', () => {
  const OPTIONS: readonly (readonly [title: string, body: object, picture: string])[] = [
    ['its defaults', { model: 'gpt-image-1-mini' }, 'image/jpeg 1024x1024'],
    [
      'gpt-image-1 and options',
      { model: 'gpt-image-1', quality: 'medium', size: '1024x1536' },
      'image/jpeg 848x1264',
    ],
    ['dall-e-3', { model: 'dall-e-3', response_format: 'b64_json' }, 'image/jpeg 1024x1024'],
    [
      'dall-e-3 and options',
      {
        model: 'dall-e-3',
        response_format: 'b64_json',
        quality: 'hd',
        size: '1024x1792',
        style: 'natural',
      },
      'image/jpeg 768x1376',
    ],
  ];
  for (const [title, body, picture] of OPTIONS)
    test(`returns an image with ${title}`, async () => {
      const reply = await openAi.post('/images/generations', { prompt: PROMPT, ...body });
      assert.deepEqual(readImages(reply), [picture]);
    });

  test('returns several small images, as the options of dall-e-2 ask', async () => {
    const body = { prompt: PROMPT, model: 'dall-e-2', response_format: 'b64_json', n: 2, size: '512x512' };
    assert.deepEqual(readImages(await openAi.post('/images/generations', body)), [
      'image/jpeg 512x512',
      'image/jpeg 512x512',
    ]);
  });

  test('returns an address', async () => {
    const body = { prompt: PROMPT, model: 'dall-e-2', response_format: 'url', size: '512x512' };
    assert.deepEqual(await readImageUrls(await openAi.post('/images/generations', body)), [
      'image/jpeg 512x512',
    ]);
  });
});

describe('"Edit an image"', () => {
  test('returns an image', async () => {
    const reply = await openAi.post(
      '/images/edits',
      form([
        ['image[]', file(JPEG, 'fox.jpg', 'image/jpeg')],
        ['prompt', PROMPT],
        ['model', 'gpt-image-1'],
        ['n', '1'],
        ['size', '1024x1024'],
        ['quality', 'auto'],
      ]),
    );
    assert.deepEqual(readImages(reply), ['image/jpeg 1024x1024']);
  });

  test('returns an address with dall-e-2', async () => {
    const reply = await openAi.post(
      '/images/edits',
      form([
        ['image', file(PNG, 'fox.png', 'image/png')],
        ['prompt', PROMPT],
        ['model', 'dall-e-2'],
        ['n', '1'],
        ['size', '1024x1024'],
        ['response_format', 'url'],
      ]),
    );
    assert.deepEqual(await readImageUrls(reply), ['image/jpeg 1024x1024']);
  });
});

describe('"Generate a video"', () => {
  const fields = (prompt: string, size: string) =>
    form([
      ['model', 'sora-2'],
      ['prompt', prompt],
      ['seconds', '4'],
      ['size', size],
    ]);

  test('downloads the video', async () => {
    const created = await openAi.post('/videos', fields('a quiet harbour', '1280x720'));
    assert.equal(readSeconds(await fetchVideo(openAi, created)), 4);
  });

  test('creates a portrait video from an image', async () => {
    const body = fields(HELD_BACK, '720x1280');
    body.append('input_reference', file(PNG, 'fox.png', 'image/png'));
    assert.equal(readVideo(await openAi.post('/videos', body)).size, '720x1280');
  });

  test('is refused in a size that is not generated', async () => {
    await app.refuses(() => openAi.post('/videos', fields(PROMPT, '1792x1024')), /size.*1920x1080/);
  });
});

describe('the Gemini node', () => {
  test('generates an image', async () => {
    const reply = await google.post(`/v1beta/models/gemini-3.1-flash-image-preview:generateContent?${KEY}`, {
      contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
      generationConfig: { responseModalities: ['IMAGE', 'TEXT'] },
    });
    assert.deepEqual(readNativeImages(reply), ['image/jpeg 1024x1024']);
  });

  test('generates an image with Imagen', async () => {
    const reply = await google.post(`/v1beta/models/imagen-4.0-generate-001:predict?${KEY}`, {
      instances: [{ prompt: PROMPT }],
      parameters: { sampleCount: 1 },
    });
    assert.equal(readPredictions(reply).length, 1);
  });

  test('uploads an image and edits it', async () => {
    const start = await google.post(`/upload/v1beta/files?${KEY}`, undefined, {
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(PNG.length),
      'x-goog-upload-header-content-type': 'image/png',
      'content-type': 'application/json',
    });
    assert.equal(start.status, 200, start.bytes.toString());
    const address = start.headers.get('x-goog-upload-url') ?? assert.fail('no address');
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'x-goog-upload-offset': '0', 'x-goog-upload-command': 'upload, finalize' },
      body: new Uint8Array(PNG),
    });
    const uploaded = z
      .object({ file: z.object({ name: z.string(), uri: z.string(), mimeType: z.string() }) })
      .parse(await response.json()).file;
    const stored = await google.get(`/v1beta/${uploaded.name}?${KEY}`);
    assert.equal(readJson(z.object({ state: z.string() }), stored).state, 'ACTIVE');
    const reply = await google.post(`/v1beta/models/gemini-3.1-flash-image-preview:generateContent?${KEY}`, {
      contents: [
        {
          role: 'user',
          parts: [{ fileData: { fileUri: uploaded.uri, mimeType: uploaded.mimeType } }, { text: PROMPT }],
        },
      ],
      generationConfig: { responseModalities: ['IMAGE'] },
    });
    assert.deepEqual(readNativeImages(reply), ['image/jpeg 1024x1024']);
  });

  const startVideo = (prompt: string, parameters: object) =>
    google.post(`/v1beta/models/veo-3.1-fast-generate-preview:predictLongRunning?${KEY}`, {
      instances: [{ prompt }],
      parameters: { sampleCount: 1, ...parameters },
    });

  test('downloads a video', async () => {
    const started = await startVideo('a quiet harbour', { durationSeconds: 4 });
    const address = await finishOperation(google, started, `?${KEY}`);
    assert.equal(readSeconds(await download(`${address}&${KEY}`)), 4);
  });

  test('starts a video with the default and with other parameters', async () => {
    readOperation(await startVideo(HELD_BACK, {}));
    const parameters = { aspectRatio: '9:16', personGeneration: 'allow_adult', durationSeconds: 8 };
    readOperation(await startVideo(HELD_BACK, parameters));
  });

  test('is told which durations there are', async () => {
    await app.refuses(() => startVideo(PROMPT, { durationSeconds: 5 }), /4, 6 or 8|4, 6, 8/);
  });

  test('lists the models that its menus keep', async () => {
    const models = readNativeModels(await google.get(`/v1beta/models?pageSize=1000&${KEY}`));
    const names = models.map(({ name }) => name);
    for (const name of [
      'gemini-3.1-flash-image-preview',
      'gemini-2.5-flash-image',
      'imagen-4.0-generate-001',
      'veo-3.1-generate-preview',
    ])
      assert.ok(names.includes(`models/${name}`), name);
  });
});

test('the model list contains the names that the menus of the OpenAI node keep', async () => {
  const models = readModels(await openAi.get('/models'));
  for (const word of ['dall-e', 'gpt-image', 'sora'])
    assert.ok(
      models.some((name) => name.includes(word)),
      word,
    );
});

describe('a request to the Responses API is refused with the endpoint to use instead:', () => {
  const REQUESTS: readonly (readonly [title: string, body: object])[] = [
    [
      'analyze an image',
      {
        model: 'gpt-image-1',
        input: [{ role: 'user', content: [{ type: 'input_text', text: 'What is it?' }] }],
        max_output_tokens: 300,
      },
    ],
    [
      'message a model',
      {
        model: 'gpt-image-1',
        input: [{ role: 'user', content: PROMPT }],
        parallel_tool_calls: true,
        store: true,
        background: false,
      },
    ],
  ];
  for (const [title, body] of REQUESTS)
    test(title, async () => {
      await app.refuses(() => openAi.post('/responses', body), /\/v1\/chat\/completions/, 404);
    });
});
