// langgenius/dify 1.16.1 (07119e3), official plugins 7af2283, community plugin openai_api_compatible_image 0.0.2.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { file, PNG } from '../support/images.ts';
import { form, openApplication } from './application.ts';
import {
  finishOperation,
  readChatList,
  readChatStream,
  readImages,
  readModels,
  readNativeStream,
  readSeconds,
} from './replies.ts';

const app = await openApplication();
/** `openai_base_url` of the tool, to which it adds `/v1`, and `endpoint_url` of the model provider. */
const openAi = app.openAi('/v1');
/** `google_base_url`; GOOGLE_GEMINI_BASE_URL of the plugin process for the video tool. */
const google = app.google('');

const PROMPT = 'A fox in the snow';

describe('the OpenAI tool', () => {
  const TOOLS: readonly (readonly [title: string, body: object, picture: string])[] = [
    ['gpt_image_generate', { model: 'gpt-image-1', n: 1 }, 'image/jpeg 1024x1024'],
    [
      'gpt_image_generate with options',
      {
        model: 'gpt-image-1-mini',
        n: 1,
        size: '1536x1024',
        quality: 'low',
        background: 'opaque',
        output_format: 'webp',
        output_compression: 80,
        moderation: 'low',
      },
      'image/webp 1264x848',
    ],
    ['gpt_image_2_generate', { model: 'gpt-image-2', n: 1 }, 'image/jpeg 1024x1024'],
    [
      'gpt_image_2_generate with options',
      { model: 'gpt-image-2', n: 1, output_format: 'jpeg', output_compression: 100 },
      'image/jpeg 1024x1024',
    ],
    [
      'dalle3',
      {
        model: 'dall-e-3',
        size: '1024x1024',
        n: 1,
        style: 'vivid',
        quality: 'standard',
        response_format: 'b64_json',
      },
      'image/jpeg 1024x1024',
    ],
    [
      'dalle3, horizontal and in hd',
      {
        model: 'dall-e-3',
        size: '1792x1024',
        n: 1,
        style: 'natural',
        quality: 'hd',
        response_format: 'b64_json',
      },
      'image/jpeg 1376x768',
    ],
    [
      'dalle2',
      { model: 'dall-e-2', size: '1024x1024', n: 1, response_format: 'b64_json' },
      'image/jpeg 1024x1024',
    ],
    [
      'dalle2, small',
      { model: 'dall-e-2', size: '256x256', n: 1, response_format: 'b64_json' },
      'image/jpeg 512x512',
    ],
  ];
  for (const [title, body, picture] of TOOLS)
    test(`${title} draws`, async () => {
      const reply = await openAi.post('/images/generations', { prompt: PROMPT, ...body });
      assert.deepEqual(readImages(reply), [picture]);
    });

  test('gpt_image_edit edits', async () => {
    const reply = await openAi.post(
      '/images/edits',
      form([
        ['model', 'gpt-image-1'],
        ['prompt', PROMPT],
        ['n', '1'],
        ['image[]', file(PNG, 'fox.png', 'image/png')],
      ]),
    );
    assert.deepEqual(readImages(reply), ['image/jpeg 1024x1024']);
  });

  test('its credentials are checked with the model list', async () => {
    assert.ok(readModels(await openAi.get('/models')).includes('gpt-image-1'));
  });
});

test('the tool gemini_video downloads a video', async () => {
  const started = await google.post('/v1beta/models/veo-3.1-fast-generate-preview:predictLongRunning', {
    instances: [{ prompt: 'a quiet harbour' }],
    parameters: { aspectRatio: '16:9', resolution: '720p', durationSeconds: 4 },
  });
  const id = /files\/([a-z0-9]+)/.exec(await finishOperation(google, started))?.[1];
  assert.equal(readSeconds(await google.get(`/v1beta/files/${id}:download?alt=media`)), 4);
});

describe('the model provider', () => {
  test('gemini draws in a chat', async () => {
    const reply = await google.post(
      '/v1beta/models/gemini-3-pro-image-preview:streamGenerateContent?alt=sse',
      {
        contents: [{ parts: [{ text: PROMPT }], role: 'user' }],
        generationConfig: {
          temperature: 1,
          topP: 0.95,
          maxOutputTokens: 32768,
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { imageSize: '1K' },
        },
      },
    );
    assert.deepEqual(readNativeStream(reply), ['image/jpeg 1024x1024']);
  });

  test('gemini draws with an empty configuration', async () => {
    const reply = await google.post('/v1beta/models/gemini-2.5-flash-image:streamGenerateContent?alt=sse', {
      contents: [{ parts: [{ text: PROMPT }], role: 'user' }],
      generationConfig: {
        temperature: 1,
        maxOutputTokens: 32768,
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: {},
      },
    });
    assert.deepEqual(readNativeStream(reply), ['image/jpeg 1024x1024']);
  });

  /** Its credentials cannot be saved, because this service has no model for text. */
  test('gemini is told why its credential check fails', async () => {
    const ping = {
      contents: [{ parts: [{ text: 'ping' }], role: 'user' }],
      generationConfig: { maxOutputTokens: 20 },
    };
    await app.refuses(
      () => google.post('/v1beta/models/gemini-flash-lite-latest:generateContent', ping),
      /image-3\.1/,
      404,
    );
  });

  test('openai_api_compatible draws in a chat', async () => {
    const reply = await openAi.post(
      '/chat/completions',
      {
        model: 'gpt-image-1',
        stream: true,
        temperature: 0.7,
        top_p: 1,
        stream_options: { include_usage: true },
        messages: [{ role: 'user', content: PROMPT }],
        user: '9d6c7f4e-3b2a-4c1d-8e9f-0a1b2c3d4e5f',
      },
      { 'accept-charset': 'utf-8' },
    );
    assert.deepEqual(readChatStream(reply), { pictures: ['image/jpeg 1024x1024'], hasUsage: true });
  });
});

describe('a request for text is refused and costs nothing:', () => {
  const REQUESTS: readonly (readonly [title: string, body: object])[] = [
    ['the credential check', { max_tokens: 5, messages: [{ role: 'user', content: 'ping' }] }],
    [
      'the credential check with stream',
      { stream: true, max_tokens: 10, messages: [{ role: 'user', content: 'ping' }] },
    ],
    [
      'the name of a conversation',
      { max_tokens: 500, temperature: 1, stream: false, messages: [{ role: 'user', content: PROMPT }] },
    ],
  ];
  for (const [title, body] of REQUESTS)
    test(title, async () => {
      await app.refuses(
        () => openAi.post('/chat/completions', { model: 'gpt-image-1', ...body }),
        /text model/,
      );
    });
});

describe('the community tool openai_api_compatible_image', () => {
  test('finds the image of a chat completion', async () => {
    const reply = await openAi.post('/chat/completions', {
      model: 'gemini-3.1-flash-image',
      messages: [{ role: 'user', content: PROMPT }],
      modalities: ['text', 'image'],
      response_modalities: ['TEXT', 'IMAGE'],
      stream: false,
      temperature: 1.0,
      top_p: 0.95,
      image_config: { aspect_ratio: '1:1', image_size: '1K' },
      thinking_config: { thinking_level: 'MINIMAL' },
      safety_settings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'OFF' }],
    });
    assert.deepEqual(readChatList(reply), ['image/jpeg 1024x1024']);
  });

  test('draws with the Images API', async () => {
    const reply = await openAi.post('/images/generations', {
      model: 'gpt-image-1',
      prompt: PROMPT,
      size: '1024x1024',
      quality: 'standard',
      style: 'vivid',
      response_format: 'b64_json',
      watermark: false,
    });
    assert.deepEqual(readImages(reply), ['image/jpeg 1024x1024']);
  });
});
