// lobehub/lobehub 2.1.5 (6e4ad89), with openai 4.104 and @google/genai 1.38.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataUri, file, PNG } from '../support/images.ts';
import { form, openApplication } from './application.ts';
import {
  readChatList,
  readChatStream,
  readImages,
  readModels,
  readNativeImages,
  readNativeModels,
  readNativeStream,
  readPredictions,
} from './replies.ts';

const app = await openApplication();
/** OPENAI_PROXY_URL, or the proxy URL of a custom provider. */
const openAi = app.openAi('/v1');
/** GOOGLE_PROXY_URL. */
const google = app.google('');

const PROMPT = 'A fox in the snow';

describe('the image page', () => {
  const OPENAI: readonly (readonly [title: string, body: object, picture: string])[] = [
    ['gpt-image-1', { model: 'gpt-image-1', n: 1, prompt: PROMPT }, 'image/jpeg 1024x1024'],
    [
      'gpt-image-1-mini and a size',
      { model: 'gpt-image-1-mini', n: 1, prompt: PROMPT, size: '1024x1536' },
      'image/jpeg 848x1264',
    ],
    [
      'dall-e-3',
      {
        model: 'dall-e-3',
        n: 1,
        response_format: 'b64_json',
        prompt: PROMPT,
        quality: 'standard',
        size: '1024x1024',
      },
      'image/jpeg 1024x1024',
    ],
    [
      'dall-e-2',
      { model: 'dall-e-2', n: 1, response_format: 'b64_json', prompt: PROMPT, size: '1024x1024' },
      'image/jpeg 1024x1024',
    ],
  ];
  for (const [title, body, picture] of OPENAI)
    test(`draws with ${title}`, async () => {
      assert.deepEqual(readImages(await openAi.post('/images/generations', body)), [picture]);
    });

  test('edits one image and combines two', async () => {
    const fields = [
      ['model', 'gpt-image-1'],
      ['n', '1'],
      ['prompt', PROMPT],
      ['input_fidelity', 'high'],
    ] as const;
    const image = file(PNG, 'image.png', 'image/png');
    const one = await openAi.post('/images/edits', form([...fields, ['image', image]]));
    const two = await openAi.post('/images/edits', form([...fields, ['image[]', image], ['image[]', image]]));
    for (const reply of [one, two]) assert.deepEqual(readImages(reply), ['image/jpeg 1024x1024']);
  });

  /** Without the word image in `modalities`, the picture would be text, which this page does not read. */
  test('finds no image in the chat completion of an id that ends in :image', async () => {
    const reply = await openAi.post('/chat/completions', {
      messages: [{ content: [{ text: PROMPT, type: 'text' }], role: 'user' }],
      model: 'gpt-image-1',
      stream: false,
    });
    assert.throws(() => readChatList(reply), /images/);
  });

  test('draws with the Google provider', async () => {
    const reply = await google.post('/v1beta/models/gemini-3-pro-image-preview:generateContent', {
      contents: [{ parts: [{ text: PROMPT }], role: 'user' }],
      generationConfig: {
        responseModalities: ['Image'],
        imageConfig: { aspectRatio: '1:1', imageSize: '1K' },
      },
    });
    assert.deepEqual(readNativeImages(reply), ['image/jpeg 1024x1024']);
  });

  test('draws with Imagen', async () => {
    const reply = await google.post('/v1beta/models/imagen-4.0-generate-001:predict', {
      instances: [{ prompt: PROMPT }],
      parameters: { sampleCount: 1, aspectRatio: '1:1' },
    });
    assert.equal(readPredictions(reply).length, 1);
  });
});

describe('a chat', () => {
  test('of the OpenAI provider contains the image and its usage', async () => {
    const reply = await openAi.post(
      '/chat/completions',
      {
        model: 'gpt-image-1',
        stream: true,
        frequency_penalty: 0,
        presence_penalty: 0,
        temperature: 1,
        top_p: 1,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: PROMPT },
              { type: 'image_url', image_url: { url: dataUri(PNG, 'image/png'), detail: 'auto' } },
            ],
          },
        ],
        user: 'user_2Xy',
        stream_options: { include_usage: true },
      },
      { accept: '*/*' },
    );
    assert.deepEqual(readChatStream(reply), { pictures: ['image/jpeg 1024x1024'], hasUsage: true });
  });

  const safetySettings = ['HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'HARASSMENT', 'DANGEROUS_CONTENT'].map(
    (name) => ({ category: `HARM_CATEGORY_${name}`, threshold: 'BLOCK_NONE' }),
  );
  const signed = (text: string) => ({ text, thoughtSignature: 'context_engineering_is_the_way_to_go' });
  const GOOGLE: readonly (readonly [model: string, config: object])[] = [
    ['gemini-3.1-flash-image-preview', { thinkingConfig: { includeThoughts: true } }],
    [
      'gemini-3-pro-image-preview',
      { responseModalities: ['Text', 'Image'], thinkingConfig: { includeThoughts: true } },
    ],
    ['gemini-2.5-flash-image', { responseModalities: ['Text', 'Image'] }],
  ];
  for (const [model, config] of GOOGLE)
    test(`of the Google provider with ${model} contains the image`, async () => {
      const reply = await google.post(`/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
        contents: [{ parts: [signed(PROMPT)], role: 'user' }],
        safetySettings,
        generationConfig: { temperature: 1, topP: 1, ...config },
      });
      assert.deepEqual(readNativeStream(reply), ['image/jpeg 1024x1024']);
    });
});

describe('a request for text costs nothing:', () => {
  const sampling = { stream: true, frequency_penalty: 0, presence_penalty: 0 };
  const usage = { user: 'user_2Xy', stream_options: { include_usage: true } };

  test('a title, which the default model of the system agents should write', async () => {
    const body = {
      model: 'gpt-5-mini',
      ...sampling,
      messages: [
        { role: 'developer', content: 'You are a professional conversation summarizer.' },
        { role: 'user', content: `user: ${PROMPT}\nassistant: ` },
      ],
      ...usage,
    };
    await app.refuses(() => openAi.post('/chat/completions', body), /model.*image-3\.1/, 404);
  });

  test('the connectivity check with its default model', async () => {
    const body = { model: 'gpt-5.2', stream: true, input: [{ role: 'user', content: 'hello' }] };
    await app.refuses(() => openAi.post('/responses', body), /\/v1\/chat\/completions/, 404);
  });

  test('the connectivity check of the Google provider with its default model', async () => {
    const body = { contents: [{ parts: [{ text: 'hello' }], role: 'user' }] };
    await app.refuses(
      () => google.post('/v1beta/models/gemini-3-flash-preview:streamGenerateContent?alt=sse', body),
      /image-3\.1/,
      404,
    );
  });
});

test('the model lists contain the names that the image page knows', async () => {
  const models = readModels(await openAi.get('/models'));
  for (const name of ['gpt-image-1', 'gpt-image-1.5', 'dall-e-3']) assert.ok(models.includes(name), name);
  const names = readNativeModels(await app.provider('', {}).get(`/v1beta/models?key=${app.apiKey}`)).map(
    ({ name }) => name,
  );
  for (const name of ['gemini-2.5-flash-image', 'gemini-3-pro-image-preview', 'imagen-4.0-generate-001'])
    assert.ok(names.includes(`models/${name}`), name);
});
