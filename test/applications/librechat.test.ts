// danny-avila/LibreChat 0.8.8-rc1 (08c9cc3), with openai 5.8.2, @google/genai 2.8 and @langchain/google-genai 2.2.0.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { file, PNG } from '../support/images.ts';
import { form, openApplication } from './application.ts';
import {
  readChatStream,
  readImages,
  readImageUrls,
  readModels,
  readNativeImages,
  readNativeStream,
} from './replies.ts';

const app = await openApplication();
/** IMAGE_GEN_OAI_BASEURL, DALLE_REVERSE_PROXY, OPENAI_REVERSE_PROXY, `baseURL` of a custom endpoint. */
const openAi = app.openAi('/v1');
/** GOOGLE_REVERSE_PROXY. */
const google = app.google('');

const PROMPT = 'A fox in the snow';
const USER = '68a6f0c1d2e3f4a5b6c7d8e9';

describe('the tool image_gen_oai', () => {
  /** All fields are always sent, whatever the model. */
  const generate = (changes: object) =>
    openAi.post('/images/generations', {
      model: 'gpt-image-1',
      prompt: PROMPT,
      n: 1,
      background: 'auto',
      output_format: 'png',
      quality: 'auto',
      size: 'auto',
      ...changes,
    });

  const SETTINGS: readonly (readonly [title: string, changes: object, picture: string])[] = [
    ['its defaults', {}, 'image/png 1024x1024'],
    ['imageOutputType webp', { output_format: 'webp', output_compression: 100 }, 'image/webp 1024x1024'],
    ['imageOutputType jpeg', { output_format: 'jpeg', output_compression: 100 }, 'image/jpeg 1024x1024'],
    ['another model', { model: 'gpt-image-2' }, 'image/png 1024x1024'],
    [
      'arguments of the agent',
      { quality: 'high', size: '1536x1024', background: 'opaque' },
      'image/png 1264x848',
    ],
  ];
  for (const [title, changes, picture] of SETTINGS)
    test(`draws with ${title}`, async () => {
      assert.deepEqual(readImages(await generate(changes)), [picture]);
    });

  test('is told that no image is transparent', async () => {
    await app.refuses(() => generate({ background: 'transparent' }), /background.*opaque/);
  });
});

test('the tool image_edit_oai edits an image', async () => {
  const edited = await openAi.post(
    '/images/edits',
    form([
      ['model', 'gpt-image-1'],
      ['prompt', PROMPT],
      ['quality', 'auto'],
      ['size', 'auto'],
      ['image[]', file(PNG, 'fox.png', 'image/png')],
    ]),
  );
  assert.deepEqual(readImages(edited), ['image/jpeg 1024x1024']);
});

/** It reads only `data[0].url`, and asks for no format. */
for (const [size, picture] of [
  ['1024x1024', 'image/jpeg 1024x1024'],
  ['1792x1024', 'image/jpeg 1376x768'],
] as const)
  test(`the tool dalle gets an address of an image of ${size}`, async () => {
    const drawn = await openAi.post('/images/generations', {
      model: 'dall-e-3',
      quality: 'standard',
      style: 'vivid',
      size,
      prompt: PROMPT,
      n: 1,
    });
    assert.deepEqual(await readImageUrls(drawn), [picture]);
  });

test('the tool gemini_image_gen draws', async () => {
  const drawn = await google.post('/v1beta/models/gemini-2.5-flash-image:generateContent', {
    contents: [{ parts: [{ text: PROMPT }], role: 'user' }],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '16:9' } },
  });
  assert.deepEqual(readNativeImages(drawn), ['image/jpeg 1376x768']);
});

describe('a chat', () => {
  const body = {
    model: 'gpt-image-1',
    user: USER,
    stream: true,
    messages: [{ role: 'user', content: PROMPT }],
  };

  test('of the OpenAI endpoint contains the image and its usage', async () => {
    const reply = await openAi.post('/chat/completions', {
      ...body,
      stream_options: { include_usage: true },
    });
    assert.deepEqual(readChatStream(reply), { pictures: ['image/jpeg 1024x1024'], hasUsage: true });
  });

  test('of a custom endpoint contains the image', async () => {
    const reply = await openAi.post('/chat/completions', body);
    assert.deepEqual(readChatStream(reply), { pictures: ['image/jpeg 1024x1024'], hasUsage: false });
  });

  test('of the Google endpoint contains the image', async () => {
    const harm = (category: string, threshold: string) => ({
      category: `HARM_CATEGORY_${category}`,
      threshold,
    });
    const reply = await google.post(
      '/v1beta/models/gemini-3.1-flash-image-preview:streamGenerateContent?alt=sse',
      {
        safetySettings: [
          harm('SEXUALLY_EXPLICIT', 'HARM_BLOCK_THRESHOLD_UNSPECIFIED'),
          harm('HATE_SPEECH', 'HARM_BLOCK_THRESHOLD_UNSPECIFIED'),
          harm('HARASSMENT', 'HARM_BLOCK_THRESHOLD_UNSPECIFIED'),
          harm('DANGEROUS_CONTENT', 'HARM_BLOCK_THRESHOLD_UNSPECIFIED'),
          harm('CIVIC_INTEGRITY', 'BLOCK_NONE'),
        ],
        generationConfig: {
          maxOutputTokens: 32768,
          stopSequences: [],
          thinkingConfig: { includeThoughts: true },
        },
        tools: [],
        contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
      },
    );
    assert.deepEqual(readNativeStream(reply), ['image/jpeg 1024x1024']);
  });
});

describe('a title request is refused and costs nothing', () => {
  const title = {
    model: 'gpt-image-1',
    user: USER,
    stream: false,
    messages: [
      {
        role: 'user',
        content:
          'Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\nConversation:\nUser: A fox in the snow\nAI: ',
      },
    ],
  };
  const schema = {
    type: 'object',
    properties: { title: { type: 'string' } },
    required: ['title'],
  };
  const METHODS: readonly (readonly [method: string, changes: object])[] = [
    ['completion', {}],
    [
      'structured',
      { response_format: { type: 'json_schema', json_schema: { name: 'extract', strict: true, schema } } },
    ],
    [
      'functions',
      {
        tools: [{ type: 'function', function: { name: 'extract', parameters: schema } }],
        tool_choice: { type: 'function', function: { name: 'extract' } },
      },
    ],
  ];
  for (const [method, changes] of METHODS)
    test(`with titleMethod ${method}`, async () => {
      await app.refuses(() => openAi.post('/chat/completions', { ...title, ...changes }), /text model/);
    });
});

test('a model list contains the names that the settings use', async () => {
  const models = readModels(await openAi.get('/models'));
  for (const name of ['gpt-image-1', 'dall-e-3', 'image-3.1-flash-image-preview'])
    assert.ok(models.includes(name), name);
});

test('the switch "Use Responses API" is answered with the endpoint to use instead', async () => {
  const body = { model: 'gpt-image-1', input: [{ role: 'user', content: PROMPT }], stream: true };
  await app.refuses(() => openAi.post('/responses', body), /\/v1\/chat\/completions/, 404);
});
