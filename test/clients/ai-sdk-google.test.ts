import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createGoogle } from '@ai-sdk/google';
import { APICallError, generateImage, generateText, experimental_generateVideo as generateVideo } from 'ai';
import { describePicture, expectedPicture } from '../support/images/pictures.ts';
import { PNG } from '../support/images.ts';
import { readDuration } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const google = createGoogle({ apiKey: service.apiKey, baseURL: `${service.baseUrl}/v1beta` });
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

  const frame = (frameType: 'first_frame' | 'last_frame') => ({ image: PNG, frameType });
  for (const [title, options, seconds] of [
    ['a first frame', { prompt: { text: 'a quiet harbour', image: PNG }, duration: 4 }, '4.0'],
    ['a first and a last frame', { frameImages: [frame('first_frame'), frame('last_frame')] }, '8.0'],
    ['reference images', { inputReferences: [PNG, PNG] }, '8.0'],
  ] satisfies [string, Partial<Parameters<typeof generateVideo>[0]>, string][])
    test(`generates a video from ${title}`, async () => {
      const { video, warnings } = await generateVideo({
        model: google.video('veo-3.1-fast-generate-preview'),
        prompt: 'a quiet harbour',
        aspectRatio: '16:9',
        duration: 8,
        providerOptions: { google: { pollIntervalMs: 1500, personGeneration: 'allow_adult' } },
        // The SDK's own download refuses loopback addresses.
        download: async ({ url }) => {
          const response = await fetch(url);
          return { data: new Uint8Array(await response.arrayBuffer()), mediaType: 'video/mp4' };
        },
        ...options,
      });
      assert.deepEqual(warnings, []);
      assert.equal(readDuration(Buffer.from(video.uint8Array)).toFixed(1), seconds);
    });

  test('throws its own error for a refused prompt and a wrong key', async () => {
    const model = (apiKey = service.apiKey) =>
      createGoogle({ apiKey, baseURL: `${service.baseUrl}/v1beta` }).image(MODEL);
    const isRefused = (status: number) => (error: unknown) =>
      APICallError.isInstance(error) && error.statusCode === status;
    const make = { prompt: 'A fox', maxRetries: 0 } as const;
    await assert.rejects(generateImage({ ...make, model: model(), prompt: ' ' }), isRefused(400));
    await assert.rejects(generateImage({ ...make, model: model('mg_wrong') }), isRefused(401));
  });
});
