// HKUDS/ViMax 1.2.0 (46d6043), with google-genai 1.47.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HELD_BACK } from '../support/http.ts';
import { dataUri, PNG } from '../support/images.ts';
import { openApplication } from './application.ts';
import { finishOperation, readNativeImages, readOperation, readSeconds } from './replies.ts';

const app = await openApplication();
/** GOOGLE_GEMINI_BASE_URL, or `init_args.base_url` of the class ImageGeneratorNanobananaYunwuAPI. */
const google = app.google('');
const openAi = app.openAi('');

const PROMPT = 'A fox in the snow';

describe('the image generator', () => {
  const reference = { inlineData: { data: PNG.toString('base64'), mimeType: 'image/png' } };
  const CLASSES: readonly (readonly [name: string, model: string, modalities: readonly string[]])[] = [
    ['NanobananaGoogleAPI', 'gemini-2.5-flash-image', ['IMAGE']],
    ['NanobananaYunwuAPI', 'gemini-3.1-flash-image-preview', ['TEXT', 'IMAGE']],
  ];
  for (const [name, model, responseModalities] of CLASSES)
    test(`${name} draws a landscape from text and images`, async () => {
      const reply = await google.post(`/v1beta/models/${model}:generateContent`, {
        contents: [{ parts: [reference, { text: PROMPT }], role: 'user' }],
        generationConfig: { responseModalities, imageConfig: { aspectRatio: '16:9' } },
      });
      assert.deepEqual(readNativeImages(reply), ['image/jpeg 1376x768']);
    });
});

describe('the video generator VeoGoogleAPI', () => {
  const start = (prompt: string, instance: object, parameters: object) =>
    google.post('/v1beta/models/veo-3.1-generate-preview:predictLongRunning', {
      instances: [{ prompt, ...instance }],
      parameters,
    });
  const defaults = { durationSeconds: 8, aspectRatio: '16:9', resolution: '1080p' };

  test('starts a video from text, and one from an image', async () => {
    readOperation(await start(HELD_BACK, {}, defaults));
    const image = { bytesBase64Encoded: PNG.toString('base64'), mimeType: 'image/png' };
    readOperation(await start(HELD_BACK, { image }, defaults));
  });

  test('downloads a video', async () => {
    const parameters = { durationSeconds: 4, aspectRatio: '16:9', resolution: '720p' };
    const address = await finishOperation(google, await start('a quiet harbour', {}, parameters));
    const id = /files\/([a-z0-9]+)/.exec(address)?.[1];
    assert.equal(readSeconds(await google.get(`/v1beta/files/${id}:download?alt=media`)), 4);
  });
});

/** A base URL that contains `yunwu.ai` or `openrouter.ai` selects these classes, which call paths of those services. */
describe('the other classes get a clear 404:', () => {
  const image = dataUri(PNG, 'image/png');
  const REQUESTS: readonly (readonly [name: string, path: string, body: object])[] = [
    [
      'ImageGeneratorOpenRouterAPI',
      '/v1/images',
      { model: 'openai/gpt-image-2', prompt: PROMPT, n: 1, quality: 'auto', background: 'auto' },
    ],
    [
      'VideoGeneratorVeoYunwuAPI',
      '/v1/video/create',
      {
        prompt: PROMPT,
        model: 'veo3.1-fast',
        images: [image],
        enhance_prompt: true,
        aspect_ratio: '16:9',
      },
    ],
    [
      'VideoGeneratorDoubaoSeedanceYunwuAPI',
      '/volc/v1/contents/generations/tasks',
      {
        model: 'doubao-seedance-1-0-lite-t2v-250428',
        content: [{ type: 'text', text: `${PROMPT} --rs 720p --rt 16:9 --dur 5` }],
      },
    ],
  ];
  for (const [name, path, body] of REQUESTS)
    test(name, async () => {
      await app.refuses(() => openAi.post(path, body), /no such endpoint/, 404);
    });
});

test('VideoGeneratorOpenRouterAPI is told that audio cannot be chosen', async () => {
  const body = {
    model: 'google/veo-3.1-lite',
    prompt: PROMPT,
    aspect_ratio: '16:9',
    duration: 8,
    resolution: '720p',
    generate_audio: true,
  };
  await app.refuses(() => openAi.post('/v1/videos', body), /generate_audio/);
});

test('the agent is told to use another model for its plans', async () => {
  const tools = [{ type: 'function', function: { name: 'write_script', parameters: { type: 'object' } } }];
  const body = {
    messages: [{ role: 'user', content: PROMPT }],
    model: 'gpt-image-1',
    stream: false,
    tools,
    tool_choice: 'auto',
  };
  await app.refuses(() => openAi.post('/v1/chat/completions', body), /text model/);
});
