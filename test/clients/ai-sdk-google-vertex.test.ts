import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createGoogleVertex } from '@ai-sdk/google-vertex';
import { APICallError, generateImage, generateText, experimental_generateVideo as generateVideo } from 'ai';
import { describePicture, expectedPicture } from '../support/images/pictures.ts';
import { PNG } from '../support/images.ts';
import { readDuration } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const PROJECT = '/v1beta1/projects/my-project/locations/us-central1/publishers/google';
const vertex = (path = PROJECT, apiKey = service.apiKey) =>
  createGoogleVertex({ apiKey, baseURL: `${service.baseUrl}${path}` });
const prompt = 'A fox in the snow';

/** The SDK's own download refuses loopback addresses. */
const download = async ({ url }: { readonly url: URL }) => {
  const response = await fetch(url);
  return { data: new Uint8Array(await response.arrayBuffer()), mediaType: 'video/mp4' };
};
type Video = Parameters<typeof generateVideo>[0];
const makeVideo = (options: Partial<Video>, provider = vertex()) =>
  generateVideo({
    model: provider.video('veo-3.1-fast-generate-001'),
    prompt: 'a quiet harbour',
    duration: 8,
    maxRetries: 0,
    providerOptions: { googleVertex: { pollIntervalMs: 1500 } },
    download,
    ...options,
  });

describe('@ai-sdk/google-vertex', { concurrency: 4 }, () => {
  for (const [title, options, seconds] of [
    ['a text', { duration: 4 }, '4.0'],
    ['a first frame', { prompt: { text: 'a quiet harbour', image: PNG }, duration: 4 }, '4.0'],
    [
      'a first and a last frame',
      {
        frameImages: [
          { image: PNG, frameType: 'first_frame' },
          { image: PNG, frameType: 'last_frame' },
        ],
      },
      '8.0',
    ],
    ['reference images', { inputReferences: [PNG, PNG] }, '8.0'],
  ] satisfies [string, Partial<Video>, string][])
    test(`generates a video from ${title}`, async () => {
      const { video, warnings } = await makeVideo(options);
      assert.deepEqual(warnings, []);
      assert.equal(readDuration(Buffer.from(video.uint8Array)).toFixed(1), seconds);
    });

  test('generates images on both paths of Vertex AI', async () => {
    for (const [path, name] of [
      [PROJECT, 'gemini-nano-banana-2.1'],
      ['/v1/publishers/google', 'gemini-3.1-flash-image'],
    ] as const) {
      const { image } = await generateImage({ model: vertex(path).image(name), prompt, aspectRatio: '16:9' });
      assert.equal(describePicture(image.base64), expectedPicture('16:9', '1K'));
    }
    const { files } = await generateText({
      model: vertex()('gemini-3.1-flash-image'),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: prompt },
            { type: 'image', image: PNG },
          ],
        },
      ],
    });
    assert.deepEqual(
      files.map(({ base64 }) => describePicture(base64)),
      [expectedPicture('1:1', '1K')],
    );
  });

  test('throws its own errors for a refused option, a failed video and a wrong key', async () => {
    const refused = makeVideo({ generateAudio: false });
    await assert.rejects(refused, (error) => APICallError.isInstance(error) && error.statusCode === 400);
    const failed = makeVideo({ prompt: 'x [sample: error 400]' });
    await assert.rejects(failed, { message: /Video generation failed/ });
    const unknown = makeVideo({}, vertex(PROJECT, 'mg_wrong'));
    await assert.rejects(unknown, (error) => APICallError.isInstance(error) && error.statusCode === 401);
  });
});
