// chatboxai/chatbox 1.20.0 (0d3139e), with ai 6.0.67.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PNG } from '../support/images.ts';
import { openApplication } from './application.ts';
import {
  readChatStream,
  readImages,
  readModels,
  readNativeImages,
  readNativeModels,
  readNativeStream,
} from './replies.ts';

const app = await openApplication();
/** "API Host", to which it adds `/v1`. */
const openAi = app.openAi('/v1');
/** "API Host" of a Gemini provider, to which it adds `/v1beta`. */
const google = app.google('/v1beta');

const PROMPT = 'A fox in the snow';

describe('the Image Creator', () => {
  for (const model of ['gpt-image-1', 'gpt-image-1.5'])
    test(`draws with ${model}`, async () => {
      const reply = await openAi.post('/images/generations', { model, prompt: PROMPT, n: 1 });
      assert.deepEqual(readImages(reply), ['image/jpeg 1024x1024']);
    });

  const RATIOS: readonly (readonly [ratio: string, config: object, picture: string])[] = [
    ['auto', {}, 'image/jpeg 1024x1024'],
    ['21:9', { imageConfig: { aspectRatio: '21:9' } }, 'image/jpeg 1584x672'],
  ];
  for (const [ratio, config, picture] of RATIOS)
    test(`draws with Gemini and the aspect ratio ${ratio}`, async () => {
      const reply = await google.post('/models/gemini-3.1-flash-image-preview:generateContent', {
        generationConfig: { responseModalities: ['TEXT', 'IMAGE'], ...config },
        contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
      });
      assert.deepEqual(readNativeImages(reply), [picture]);
    });
});

describe('a chat', () => {
  const messages = [
    {
      role: 'system',
      content:
        'Current model: gpt-image-1\nCurrent date: 2026-11-16\n Additional info for this conversation: \n\nYou are a helpful assistant.',
    },
    { role: 'user', content: PROMPT },
  ];
  const chat = { model: 'gpt-image-1', messages, stream: true };

  test('of the OpenAI provider contains the image and its usage', async () => {
    const reply = await openAi.post('/chat/completions', {
      ...chat,
      stream_options: { include_usage: true },
    });
    assert.deepEqual(readChatStream(reply), { pictures: ['image/jpeg 1024x1024'], hasUsage: true });
  });

  test('of a custom provider contains the image', async () => {
    const reply = await openAi.post('/chat/completions', chat);
    assert.deepEqual(readChatStream(reply).pictures, ['image/jpeg 1024x1024']);
  });

  test('of a Gemini provider contains the image, also after an earlier one without its signature', async () => {
    const earlier = [
      { role: 'user', parts: [{ text: 'A fox' }] },
      {
        role: 'model',
        parts: [{ inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } }],
      },
    ];
    const reply = await google.post('/models/gemini-3.1-flash-image-preview:streamGenerateContent?alt=sse', {
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
      contents: [...earlier, { role: 'user', parts: [{ text: PROMPT }] }],
      systemInstruction: { parts: [{ text: 'Current model: gemini-3.1-flash-image-preview' }] },
      safetySettings: ['DANGEROUS_CONTENT', 'HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT'].map((name) => ({
        category: `HARM_CATEGORY_${name}`,
        threshold: 'BLOCK_NONE',
      })),
    });
    assert.deepEqual(readNativeStream(reply), ['image/jpeg 1024x1024']);
  });
});

describe('a title request is refused and costs nothing', () => {
  const content = `Based on the chat history, give this conversation a name.\nKeep it short - 10 characters max, no quotes.\nHere is the conversation:\n\n\`\`\`\nuser: ${PROMPT}\n\`\`\``;

  test('in the OpenAI format', async () => {
    const body = { model: 'gpt-image-1', messages: [{ role: 'user', content }], stream: true };
    await app.refuses(() => openAi.post('/chat/completions', body), /text model/);
  });

  test('in the Gemini format', async () => {
    const body = {
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
      contents: [{ role: 'user', parts: [{ text: content }] }],
    };
    await app.refuses(
      () => google.post('/models/gemini-3.1-flash-image-preview:streamGenerateContent?alt=sse', body),
      /text model/,
    );
  });
});

test('the model lists contain the names of the Image Creator', async () => {
  assert.ok(readModels(await openAi.get('/models')).includes('gpt-image-1'));
  const query = app.provider('/v1beta', {});
  const models = readNativeModels(await query.get(`/models?key=${app.apiKey}`));
  const shown = models.filter(
    ({ name, supportedGenerationMethods }) =>
      name.includes('gemini') && supportedGenerationMethods.some((method) => method.includes('generate')),
  );
  for (const name of ['gemini-2.5-flash-image', 'gemini-3.1-flash-image-preview'])
    assert.ok(
      shown.some((model) => model.name === `models/${name}`),
      name,
    );
});
