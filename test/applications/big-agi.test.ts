// enricoros/big-AGI 2.1.0 (52adc48).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { file, PNG } from '../support/images.ts';
import { form, openApplication } from './application.ts';
import {
  readChatList,
  readChatStream,
  readImages,
  readModels,
  readNativeModels,
  readNativeStream,
} from './replies.ts';

const app = await openApplication();
/** OPENAI_API_HOST, without `/v1`. */
const openAi = app.openAi('');
/** "API Host" of the Gemini service, without `/v1beta`. */
const google = app.google('');

const PROMPT = 'A fox in the snow';

describe('Draw', () => {
  const draw = (body: object) =>
    openAi.post('/v1/images/generations', { prompt: PROMPT, n: 1, user: 'Big-AGI', ...body });
  /** All fields are always sent; the compression also with PNG. */
  const gptImage = {
    size: '1024x1024',
    quality: 'high',
    background: 'auto',
    output_format: 'webp',
    output_compression: 100,
    moderation: 'low',
    model: 'gpt-image-2',
  };
  const SETTINGS: readonly (readonly [title: string, body: object, pictures: readonly string[]])[] = [
    ['its defaults', gptImage, ['image/webp 1024x1024']],
    [
      'PNG',
      { ...gptImage, model: 'gpt-image-1.5', output_format: 'png', size: '1536x1024' },
      ['image/png 1264x848'],
    ],
    [
      'JPEG and two images',
      { ...gptImage, output_format: 'jpeg', quality: 'medium', n: 2 },
      ['image/jpeg 1024x1024', 'image/jpeg 1024x1024'],
    ],
    [
      'dall-e-3',
      {
        size: '1024x1024',
        quality: 'hd',
        style: 'vivid',
        response_format: 'b64_json',
        model: 'dall-e-3',
      },
      ['image/jpeg 1024x1024'],
    ],
    [
      'dall-e-2',
      { quality: 'standard', size: '1024x1024', response_format: 'b64_json', model: 'dall-e-2' },
      ['image/jpeg 1024x1024'],
    ],
  ];
  for (const [title, body, pictures] of SETTINGS)
    test(`draws with ${title}`, async () => {
      assert.deepEqual(readImages(await draw(body)), pictures);
    });

  test('is told that no image is transparent', async () => {
    await app.refuses(() => draw({ ...gptImage, background: 'transparent' }), /background.*opaque/);
  });

  test('is told the model names if the LocalAI vendor is used', async () => {
    const body = { model: 'stablediffusion', size: '512x512', response_format: 'b64_json' };
    await app.refuses(() => draw(body), /model.*image-3\.1-flash-image-preview/, 404);
  });

  test('edits an image', async () => {
    const reply = await openAi.post(
      '/v1/images/edits',
      form([
        ['prompt', PROMPT],
        ['model', 'gpt-image-2'],
        ['quality', 'high'],
        ['size', '1024x1024'],
        ['user', 'Big-AGI'],
        ['image', file(PNG, 'image_0.png', 'image/png')],
      ]),
    );
    assert.deepEqual(readImages(reply), ['image/jpeg 1024x1024']);
  });
});

describe('a chat', () => {
  const messages = [
    { role: 'system', content: 'You are a sophisticated, accurate, and modern AI assistant.' },
    { role: 'user', content: [{ type: 'text', text: PROMPT }] },
  ];
  const chat = { model: 'image-3.1-flash-image-preview', messages, temperature: 0.5 };
  const streamed = { stream: true, stream_options: { include_usage: true } };

  test('of an OpenAI service contains the image and its usage', async () => {
    const reply = await openAi.post('/v1/chat/completions', { ...chat, ...streamed });
    assert.deepEqual(readChatStream(reply), { pictures: ['image/jpeg 1024x1024'], hasUsage: true });
  });

  test('of a model that outputs images has them in a list', async () => {
    const body = { ...chat, modalities: ['text', 'image'], stream: false };
    assert.deepEqual(readChatList(await openAi.post('/v1/chat/completions', body)), ['image/jpeg 1024x1024']);
  });

  test('of a Gemini service contains the image', async () => {
    const reply = await google.post(
      '/v1beta/models/gemini-3.1-flash-image-preview:streamGenerateContent?alt=sse',
      {
        contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
        systemInstruction: { parts: [{ text: 'You are a sophisticated AI assistant.' }] },
        generationConfig: {
          maxOutputTokens: 32768,
          temperature: 1,
          responseModalities: ['TEXT', 'IMAGE'],
          thinkingConfig: { includeThoughts: true, thinkingLevel: 'minimal' },
        },
      },
      { 'x-goog-api-client': 'big-agi/2.1.0' },
    );
    assert.deepEqual(readNativeStream(reply), ['image/jpeg 1024x1024']);
  });
});

describe('a background request is refused and costs nothing:', () => {
  const summary = [
    {
      role: 'system',
      content: 'You are an AI conversation titles assistant who specializes in creating titles.',
    },
    {
      role: 'user',
      content: 'Analyze the given short conversation (every line is truncated) and extract a title.',
    },
  ];
  const parameters = { type: 'object', properties: { type: { type: 'string' } } };
  const tools = [{ type: 'function', function: { name: 'draw_plantuml_diagram', parameters } }];
  const REQUESTS: readonly (readonly [title: string, body: object])[] = [
    ['a title', { messages: summary }],
    ['a diagram', { messages: summary, tools, tool_choice: 'required' }],
  ];
  for (const [title, body] of REQUESTS)
    test(title, async () => {
      const model = 'image-3.1-flash-image-preview';
      await app.refuses(
        () => openAi.post('/v1/chat/completions', { model, ...body, temperature: 0.5, stream: false }),
        /text model/,
      );
    });
});

test('both model lists have the form that it requires', async () => {
  assert.ok(readModels(await openAi.get('/v1/models')).includes('gpt-image-2'));
  const models = readNativeModels(await google.get('/v1beta/models?pageSize=1000'));
  const shown = models.filter(({ supportedGenerationMethods }) =>
    supportedGenerationMethods.includes('generateContent'),
  );
  const names = shown.map(({ name }) => name);
  assert.ok(names.includes('models/gemini-3.1-flash-image-preview'));
  assert.ok(names.every((name) => !/veo|imagen|sora/.test(name)));
});
