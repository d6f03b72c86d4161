// comfyanonymous/ComfyUI 0.7.0 (acbf08c), and the node pack ainewsto/Comfyui_Comfly af51551.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataUri, file, PNG } from '../support/images.ts';
import { form, openApplication } from './application.ts';
import { readChatStream, readImages, readImageUrls } from './replies.ts';

const app = await openApplication();

const PROMPT = 'A fox in the snow';

/** They send a key of comfy.org to paths that only comfy.org has. */
describe('the built-in API nodes are not supported: --comfy-api-base gets a clear 404 for', () => {
  const comfy = app.provider('', { 'x-api-key': app.apiKey, accept: 'application/json' });
  const sora = form([
    ['prompt', PROMPT],
    ['model', 'sora-2'],
    ['seconds', '8'],
    ['size', '1280x720'],
  ]);
  const gptImage = {
    background: 'auto',
    model: 'gpt-image-1',
    moderation: 'low',
    n: 1,
    prompt: PROMPT,
    quality: 'low',
    size: 'auto',
  };
  const veo = {
    instances: [{ prompt: PROMPT }],
    parameters: {
      aspectRatio: '16:9',
      durationSeconds: 8,
      enhancePrompt: true,
      generateAudio: false,
      personGeneration: 'ALLOW',
    },
  };
  const gemini = {
    contents: [{ parts: [{ text: PROMPT }], role: 'user' }],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
    uploadImagesToStorage: true,
  };
  const REQUESTS: readonly (readonly [path: string, body: unknown])[] = [
    ['/proxy/openai/images/generations', gptImage],
    ['/proxy/openai/v1/videos', sora],
    ['/proxy/veo/veo-3.0-generate-001/generate', veo],
    ['/proxy/vertexai/gemini/gemini-2.5-flash-image', gemini],
    ['/customers/storage', { file_name: 'fox.png' }],
  ];
  for (const [path, body] of REQUESTS)
    test(path, async () => {
      await app.refuses(() => comfy.post(path, body), /no such endpoint/, 404);
    });
});

describe('Comfly, with the address of the service as custom_ip,', () => {
  const comfly = app.openAi('');

  test('draws with gpt-image-1', async () => {
    const reply = await comfly.post('/v1/images/generations', {
      prompt: PROMPT,
      model: 'gpt-image-1',
      n: 1,
      quality: 'auto',
      background: 'auto',
      output_format: 'png',
      moderation: 'auto',
    });
    assert.deepEqual(readImages(reply), ['image/png 1024x1024']);
  });

  test('edits two images, which have the same field name', async () => {
    const reply = await comfly.post(
      '/v1/images/edits',
      form([
        ['prompt', PROMPT],
        ['model', 'gpt-image-1'],
        ['n', '1'],
        ['quality', 'auto'],
        ['image', file(PNG, 'image_0.png', 'image/png')],
        ['image', file(PNG, 'image_1.png', 'image/png')],
      ]),
    );
    assert.deepEqual(readImages(reply), ['image/jpeg 1024x1024']);
  });

  test('draws with nano-banana and a model name of ours', async () => {
    const reply = await comfly.post('/v1/images/generations', {
      prompt: PROMPT,
      model: 'gemini-3.1-flash-image-preview',
      aspect_ratio: '16:9',
      image_size: '1K',
      response_format: 'url',
      seed: 7,
    });
    assert.deepEqual(await readImageUrls(reply), ['image/jpeg 1376x768']);
  });

  test('draws in a chat', async () => {
    const reply = await comfly.post('/v1/chat/completions', {
      model: 'gemini-3.1-flash-image-preview',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: PROMPT },
            { type: 'image_url', image_url: { url: dataUri(PNG, 'image/png') } },
          ],
        },
      ],
      temperature: 1.0,
      top_p: 0.95,
      max_tokens: 32768,
      stream: true,
    });
    assert.deepEqual(readChatStream(reply).pictures, ['image/jpeg 1024x1024']);
  });

  test('is told the model names', async () => {
    const body = { prompt: PROMPT, model: 'nano-banana-2', aspect_ratio: 'auto', image_size: '2K' };
    await app.refuses(
      () => comfly.post('/v1/images/generations', body),
      /model.*image-3\.1-flash-image-preview/,
      404,
    );
  });

  test('gets a clear 404 for its video nodes', async () => {
    const body = {
      prompt: PROMPT,
      model: 'sora-2',
      aspect_ratio: '16:9',
      duration: '15',
      hd: false,
      private: true,
    };
    await app.refuses(() => comfly.post('/v2/videos/generations', body), /no such endpoint/, 404);
  });
});
