/** Requests of applications that depend on earlier responses; all others are data, in `recorded`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { HELD_BACK } from '../support/http.ts';
import { PNG } from '../support/images.ts';
import { download, form, openApplication } from './application.ts';
import {
  fetchVideo,
  finishOperation,
  readJson,
  readNativeImages,
  readSeconds,
  readVideo,
} from './replies.ts';

const app = await openApplication();
const bearer = { authorization: `Bearer ${app.apiKey}` };
const google = app.google('');
const inAddress = app.provider('', {});
const KEY = `key=${app.apiKey}`;

const PROMPT = 'a quiet harbour';
const fields = (prompt: string) =>
  form([
    ['model', 'sora-2'],
    ['prompt', prompt],
    ['seconds', '4'],
    ['size', '1280x720'],
  ]);

describe('a video of the OpenAI API is downloaded by', () => {
  test('n8n and new-api', async () => {
    const openAi = app.provider('/v1', { ...bearer, 'openai-organization': '', accept: 'application/json' });
    const created = await openAi.post('/videos', fields(PROMPT));
    assert.equal(readSeconds(await fetchVideo(openAi, created)), 4);
  });

  const page = app.provider('/v1', { ...bearer, origin: 'https://app.example.com' });

  test('sora-webui, whose page may read the responses', async () => {
    const created = await page.post('/videos', fields(PROMPT));
    assert.equal(created.headers.get('access-control-allow-origin'), 'https://app.example.com');
    assert.equal(readSeconds(await fetchVideo(page, created)), 4);
  });

  test('sora-webui, which is told that there are no thumbnails', async () => {
    const { id } = readVideo(await page.post('/videos', fields(HELD_BACK)));
    for (const variant of ['thumbnail', 'spritesheet'])
      await app.refuses(() => page.get(`/videos/${id}/content?variant=${variant}`), /variant/);
  });
});

describe('a video of the Gemini API is downloaded by', () => {
  const start = (provider: typeof google, query: string, parameters: object) =>
    provider.post(`/v1beta/models/veo-3.1-fast-generate-preview:predictLongRunning${query}`, {
      instances: [{ prompt: PROMPT }],
      parameters: { durationSeconds: 4, ...parameters },
    });

  test('n8n and new-api, with the key in the address', async () => {
    const started = await start(inAddress, `?${KEY}`, { sampleCount: 1 });
    const address = await finishOperation(inAddress, started, `?${KEY}`);
    assert.equal(readSeconds(await download(`${address}&${KEY}`)), 4);
    assert.equal(readSeconds(await download(`${address}&${KEY}`, { 'x-goog-api-key': app.apiKey })), 4);
  });

  test('dify and ViMax, by the id of the file', async () => {
    const started = await start(google, '', { aspectRatio: '16:9', resolution: '720p' });
    const id = /files\/([a-z0-9]+)/.exec(await finishOperation(google, started))?.[1];
    assert.equal(readSeconds(await google.get(`/v1beta/files/${id}:download?alt=media`)), 4);
  });
});

test('the Gemini node of n8n uploads an image and edits it', async () => {
  const start = await inAddress.post(`/upload/v1beta/files?${KEY}`, undefined, {
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
  const { file } = z
    .object({ file: z.object({ name: z.string(), uri: z.string(), mimeType: z.string() }) })
    .parse(await response.json());
  const stored = await inAddress.get(`/v1beta/${file.name}?${KEY}`);
  assert.equal(readJson(z.object({ state: z.string() }), stored).state, 'ACTIVE');
  const reply = await inAddress.post(`/v1beta/models/gemini-3.1-flash-image-preview:generateContent?${KEY}`, {
    contents: [
      {
        role: 'user',
        parts: [{ fileData: { fileUri: file.uri, mimeType: file.mimeType } }, { text: 'A fox in the snow' }],
      },
    ],
    generationConfig: { responseModalities: ['IMAGE'] },
  });
  assert.deepEqual(readNativeImages(reply), ['image/jpeg 1024x1024']);
});
