import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { generateImage, generateText, experimental_generateVideo as generateVideo } from 'ai';
import { describePicture, expectedPicture } from '../support/images/pictures.ts';
import { PNG } from '../support/images.ts';
import { readDuration } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const google = createGoogleGenerativeAI({ apiKey: service.apiKey, baseURL: `${service.baseUrl}/v1beta` });
const MODEL = 'gemini-3.1-flash-image-preview';
const imageConfig = { imageSize: '512' as const };

describe('@ai-sdk/google', { concurrency: 2 }, () => {
  test('generates an image', async () => {
    const { image } = await generateImage({
      model: google.image(MODEL),
      prompt: 'A fox in the snow',
      aspectRatio: '9:16',
    });
    assert.equal(describePicture(image.base64), expectedPicture('9:16', '1K'));
  });

  // The SDK calls predict for all names that do not begin with gemini-.
  for (const name of ['imagen-4.0-generate-001', 'image-3.1-flash-image-preview'])
    test(`generates images with ${name} in the format of Imagen`, async () => {
      const { images } = await generateImage({
        model: google.image(name),
        prompt: 'A fox in the snow',
        n: 2,
        aspectRatio: '3:4',
        providerOptions: { google: { personGeneration: 'allow_adult' } },
      });
      assert.deepEqual(
        images.map(({ base64 }) => describePicture(base64)),
        [expectedPicture('3:4', '1K'), expectedPicture('3:4', '1K')],
      );
    });

  test('generates an image with text, and edits one', async () => {
    const photo = { type: 'image' as const, image: PNG };
    for (const content of [[], [photo]]) {
      const { files } = await generateText({
        model: google(MODEL),
        messages: [{ role: 'user', content: [{ type: 'text', text: 'A fox' }, ...content] }],
        providerOptions: { google: { responseModalities: ['TEXT', 'IMAGE'], imageConfig } },
      });
      assert.deepEqual(
        files.map(({ base64 }) => describePicture(base64)),
        [expectedPicture('1:1', '512')],
      );
    }
  });

  test('generates a video from a first frame', async () => {
    const { video } = await generateVideo({
      model: google.video('veo-3.1-fast-generate-preview'),
      prompt: { text: 'a quiet harbour', image: PNG },
      aspectRatio: '16:9',
      duration: 4,
      providerOptions: { google: { pollIntervalMs: 1500, personGeneration: 'allow_adult' } },
      // The SDK's own download refuses loopback addresses.
      download: async ({ url }) => {
        const response = await fetch(url);
        return { data: new Uint8Array(await response.arrayBuffer()), mediaType: 'video/mp4' };
      },
    });
    assert.equal(readDuration(Buffer.from(video.uint8Array)).toFixed(1), '4.0');
  });
});
