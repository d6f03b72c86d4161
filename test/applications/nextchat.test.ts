// ChatGPTNextWeb/NextChat 2.16.1 (706a18b).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openApplication } from './application.ts';
import { readChatStream, readImages, readNativeStream } from './replies.ts';

const app = await openApplication();
/** BASE_URL or "OpenAI Endpoint", without `/v1`. */
const openAi = app.provider('', { authorization: `Bearer ${app.apiKey}`, accept: 'application/json' });
/** GOOGLE_URL or "Google Endpoint", without `/v1beta`. */
const google = app.google('');

const PROMPT = 'A fox in the snow';

describe('a drawing with dall-e-3', () => {
  const OPTIONS: readonly (readonly [title: string, changes: object, picture: string])[] = [
    ['its defaults', {}, 'image/jpeg 1024x1024'],
    ['other options', { size: '1024x1792', quality: 'hd', style: 'natural' }, 'image/jpeg 768x1376'],
  ];
  for (const [title, changes, picture] of OPTIONS)
    test(`is returned with ${title}`, async () => {
      const reply = await openAi.post('/v1/images/generations', {
        model: 'dall-e-3',
        prompt: PROMPT,
        response_format: 'b64_json',
        n: 1,
        size: '1024x1024',
        quality: 'standard',
        style: 'vivid',
        ...changes,
      });
      assert.deepEqual(readImages(reply), [picture]);
    });
});

/** The four sampling options are always sent. */
const sampling = { temperature: 0.5, presence_penalty: 0, frequency_penalty: 0, top_p: 1 };
const system = {
  role: 'system',
  content:
    '\nYou are ChatGPT, a large language model trained by OpenAI.\nKnowledge cutoff: 2021-09\nCurrent model: gpt-image-1\nCurrent time: Mon Nov 16 2026\nLatex inline: \\(x^2\\) \nLatex block: $$e=mc^2$$\n',
};

test('a chat with another image model contains the image', async () => {
  const reply = await openAi.post('/v1/chat/completions', {
    messages: [system, { role: 'user', content: PROMPT }],
    stream: true,
    model: 'gpt-image-1',
    ...sampling,
  });
  assert.deepEqual(readChatStream(reply).pictures, ['image/jpeg 1024x1024']);
});

test('a chat with the Google provider returns an image, which the application does not show', async () => {
  const reply = await google.post(
    '/v1beta/models/gemini-3.1-flash-image-preview:streamGenerateContent?alt=sse',
    {
      contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
      generationConfig: { temperature: 0.5, maxOutputTokens: 4000, topP: 1 },
      safetySettings: ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map((name) => ({
        category: `HARM_CATEGORY_${name}`,
        threshold: 'BLOCK_ONLY_HIGH',
      })),
    },
  );
  assert.deepEqual(readNativeStream(reply), ['image/jpeg 1024x1024']);
});

describe('a background request is refused and costs nothing:', () => {
  const exchange = [
    { role: 'user', content: PROMPT },
    { role: 'assistant', content: 'Here is the fox.' },
  ];
  const TITLE =
    'Please generate a four to five word title summarizing our conversation without any lead-in, punctuation, quotation marks, periods, symbols, bold text, or additional text. Remove enclosing quotation marks.';
  const SUMMARY =
    'Summarize the discussion briefly in 200 words or less to use as a prompt for future context.';
  const REQUESTS: readonly (readonly [title: string, body: object])[] = [
    ['a title', { messages: [...exchange, { role: 'user', content: TITLE }], stream: false }],
    ['a summary', { messages: [...exchange, { role: 'system', content: SUMMARY }], stream: true }],
  ];
  for (const [title, body] of REQUESTS)
    test(title, async () => {
      await app.refuses(
        () =>
          openAi.post('/v1/chat/completions', {
            ...body,
            model: 'image-3.1-flash-image-preview',
            ...sampling,
          }),
        /text model/,
      );
    });

  test('a title with the default summary model', async () => {
    const body = { messages: [{ role: 'user', content: TITLE }], stream: false, model: 'gpt-4o-mini' };
    await app.refuses(
      () => openAi.post('/v1/chat/completions', { ...body, ...sampling }),
      /model.*image-3\.1/,
      404,
    );
  });

  test('a title with the default summary model of the Google provider', async () => {
    const body = { contents: [{ role: 'user', parts: [{ text: TITLE }] }] };
    await app.refuses(
      () => google.post('/v1beta/models/gemini-pro:streamGenerateContent', body),
      /image-3\.1/,
      404,
    );
  });
});

test('the button for the balance gets a 404', async () => {
  await app.refuses(() => openAi.get('/dashboard/billing/subscription'), /no such endpoint/, 404);
});
