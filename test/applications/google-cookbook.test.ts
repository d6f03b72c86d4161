// google-gemini/cookbook f1e7e3d (quickstarts/Get_started_Veo.ipynb), with google-genai 2.19.0 for Python.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HELD_BACK } from '../support/http.ts';
import { JPEG, PNG } from '../support/images.ts';
import { openApplication } from './application.ts';
import { readNativeImages, readOperation } from './replies.ts';

const app = await openApplication();
/** GOOGLE_GEMINI_BASE_URL, or `base_url` of the client's `http_options`. */
const google = app.google('');

const image = { bytesBase64Encoded: PNG.toString('base64'), mimeType: 'image/png' };
/** The library sends Pillow's name of a format instead of a type. */
const photo = { bytesBase64Encoded: JPEG.toString('base64'), mimeType: 'JPEG' };

const start = (model: string, instance: object, parameters: object) =>
  google.post(`/v1beta/models/${model}:predictLongRunning`, { instances: [instance], parameters });

describe('the notebook starts a video', () => {
  const lite = 'veo-3.1-lite-generate-preview';
  const large = 'veo-3.1-generate-preview';
  const CELLS: readonly (readonly [title: string, model: string, instance: object, parameters: object])[] = [
    [
      'from text',
      lite,
      { prompt: HELD_BACK },
      { aspectRatio: '16:9', resolution: '1080p', negativePrompt: 'barking, woofing' },
    ],
    [
      'with an empty negative prompt',
      'veo-3.1-fast-generate-preview',
      { prompt: HELD_BACK },
      { aspectRatio: '16:9', resolution: '720p', negativePrompt: '' },
    ],
    [
      'from reference images',
      large,
      {
        prompt: HELD_BACK,
        referenceImages: [
          { image, referenceType: 'asset' },
          { image, referenceType: 'asset' },
        ],
      },
      { aspectRatio: '16:9', resolution: '720p' },
    ],
  ];
  for (const [title, model, instance, parameters] of CELLS)
    test(title, async () => {
      readOperation(await start(model, instance, parameters));
    });

  /** The only one that is rendered, because its prompt cannot hold it back. */
  test('from an image with an empty prompt', async () => {
    const parameters = { aspectRatio: '9:16', resolution: '720p', negativePrompt: 'ugly, low quality' };
    readOperation(await start(lite, { prompt: '', image: photo }, parameters));
  });
});

test('the notebook is told that videos are not extended', async () => {
  const video = { uri: `${app.baseUrl}/v1beta/files/abc:download?alt=media`, encodedVideo: 'AAAA' };
  const parameters = { sampleCount: 1, resolution: '720p', negativePrompt: 'ugly' };
  await app.refuses(
    () => start('veo-3.1-generate-preview', { prompt: '', video }, parameters),
    /video.*images/,
  );
});

test('the notebook draws the image that it animates', async () => {
  const reply = await google.post('/v1beta/models/gemini-2.5-flash-image:generateContent', {
    contents: [{ parts: [{ text: 'A fox in the snow' }], role: 'user' }],
    generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '16:9' } },
  });
  assert.deepEqual(readNativeImages(reply), ['image/jpeg 1376x768']);
});
