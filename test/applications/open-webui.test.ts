// open-webui/open-webui 0.10.2 (ecd48e2).
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { file, JPEG, PNG } from '../support/images.ts';
import { form, openApplication } from './application.ts';
import { readChatStream, readImages, readModels, readNativeImages, readPredictions } from './replies.ts';

const app = await openApplication();
/** OPENAI_API_BASE_URL, IMAGES_OPENAI_API_BASE_URL, IMAGES_EDIT_OPENAI_API_BASE_URL. */
const openAi = app.openAi('/v1');
/** IMAGES_GEMINI_API_BASE_URL, IMAGES_EDIT_GEMINI_API_BASE_URL. */
const google = app.google('/v1beta');

const PROMPT = 'A fox in the snow';

describe('an image of the engine openai', () => {
  const generate = (body: object) => openAi.post('/images/generations', { prompt: PROMPT, n: 1, ...body });
  const b64 = { response_format: 'b64_json' };
  const MODELS: readonly (readonly [title: string, body: object, picture: string])[] = [
    ['no model', { model: 'dall-e-2', size: '512x512', ...b64 }, 'image/jpeg 512x512'],
    ['gpt-image-1', { model: 'gpt-image-1', size: '512x512' }, 'image/jpeg 512x512'],
    ['gpt-image-1 and size auto', { model: 'gpt-image-1', size: 'auto' }, 'image/jpeg 1024x1024'],
    ['dall-e-3', { model: 'dall-e-3', size: '512x512', ...b64 }, 'image/jpeg 512x512'],
    [
      'a name of ours and another size',
      { model: 'image-3.1-flash-image-preview', size: '1024x768', ...b64 },
      'image/jpeg 1200x896',
    ],
    [
      'additional parameters',
      { model: 'gpt-image-1', size: '512x512', quality: 'low', moderation: 'low', output_format: 'png' },
      'image/png 512x512',
    ],
  ];
  for (const [title, body, picture] of MODELS)
    test(`with ${title} is in the response`, async () => {
      assert.deepEqual(readImages(await generate(body)), [picture]);
    });
});

describe('an image of the engine gemini', () => {
  test('is in the predictions with the default method', async () => {
    const reply = await google.post('/models/imagen-3.0-generate-002:predict', {
      instances: { prompt: PROMPT },
      parameters: { sampleCount: 1, outputOptions: { mimeType: 'image/png' } },
    });
    assert.deepEqual(readPredictions(reply), ['image/png 1024x1024']);
  });

  test('is in the candidates with the method generateContent', async () => {
    const reply = await google.post('/models/gemini-3.1-flash-image-preview:generateContent', {
      contents: [{ parts: [{ text: PROMPT }] }],
    });
    assert.deepEqual(readNativeImages(reply), ['image/jpeg 1024x1024']);
  });
});

describe('an edit', () => {
  const edit = (model: string, more: readonly (readonly [string, string])[]) =>
    openAi.post(
      '/images/edits',
      form([
        ['model', model],
        ['prompt', PROMPT],
        ...more,
        ['image[]', file(PNG, `${randomUUID()}.png`, 'image/png')],
      ]),
    );

  test('of the engine openai uses the image model if none is configured', async () => {
    assert.deepEqual(readImages(await edit('', [['response_format', 'b64_json']])), ['image/jpeg 1024x1024']);
  });

  test('of the engine openai with gpt-image-1 returns an image', async () => {
    assert.deepEqual(readImages(await edit('gpt-image-1', [])), ['image/jpeg 1024x1024']);
  });

  test('of the engine gemini accepts a JPEG that is declared as PNG', async () => {
    const reply = await google.post('/models/gemini-3.1-flash-image-preview:generateContent', {
      contents: [
        {
          parts: [
            { text: PROMPT },
            { inline_data: { mime_type: 'image/png', data: JPEG.toString('base64') } },
          ],
        },
      ],
    });
    assert.deepEqual(readNativeImages(reply), ['image/jpeg 1024x1024']);
  });
});

describe('a chat with the image model', () => {
  const chat = { stream: true, model: 'gpt-image-1', messages: [{ role: 'user', content: PROMPT }] };

  test('contains the image if "Builtin Tools" of the model is off', async () => {
    assert.deepEqual(readChatStream(await openAi.post('/chat/completions', chat)).pictures, [
      'image/jpeg 1024x1024',
    ]);
  });

  test('is refused with tools, which the default settings send', async () => {
    const parameters = { type: 'object', properties: {} };
    const tools = ['get_current_timestamp', 'calculate_timestamp', 'search_chats', 'create_tasks'].map(
      (name) => ({ type: 'function', function: { name, description: name, parameters } }),
    );
    await app.refuses(() => openAi.post('/chat/completions', { ...chat, tools }), /tools/);
  });
});

describe('a background request is refused and costs nothing:', () => {
  const history = '### Chat History:\n<chat_history>\nUSER: A fox in the snow\nASSISTANT: \n</chat_history>';
  const TASKS: readonly (readonly [task: string, prompt: string, changes: object])[] = [
    [
      'title',
      '### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\nJSON format: { "title": "your concise title here" }\n',
      { max_tokens: 1000 },
    ],
    [
      'tags',
      '### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more specific subtopic tags.\n\n### Output:\nJSON format: { "tags": ["tag1", "tag2", "tag3"] }\n\n',
      {},
    ],
    [
      'follow-up questions',
      '### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next in this conversation as a **user**, based on the chat history, to help continue or deepen the discussion.\n### Output:\nJSON format: { "follow_ups": ["Question 1?", "Question 2?", "Question 3?"] }\n',
      {},
    ],
    [
      'emoji',
      "Your task is to reflect the speaker's likely facial expression through a fitting emoji.\n\n",
      { max_tokens: 4 },
    ],
  ];
  for (const [task, prompt, changes] of TASKS)
    test(task, async () => {
      const messages = [{ role: 'user', content: `${prompt}${history}` }];
      const body = { model: 'gpt-image-1', messages, stream: false, ...changes };
      await app.refuses(() => openAi.post('/chat/completions', body), /text model/);
    });
});

test('a model list contains the names that the settings offer', async () => {
  const models = readModels(await openAi.get('/models'));
  for (const name of ['dall-e-2', 'dall-e-3', 'gpt-image-1', 'gpt-image-1.5'])
    assert.ok(models.includes(name), name);
});
