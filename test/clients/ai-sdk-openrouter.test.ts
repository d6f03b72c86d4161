import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { APICallError, experimental_generateVideo as generateVideo } from 'ai';
import { PNG } from '../support/images.ts';
import { readDuration } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const veo = (apiKey = service.apiKey, modelId = 'google/veo-3.1') =>
  createOpenRouter({ baseURL: `${service.baseUrl}/v1`, apiKey }).videoModel(modelId, {
    pollIntervalMs: 500,
    generateAudio: true,
  });

/** The SDK's own download refuses loopback addresses. It sends no key either. */
const download = async ({ url }: { readonly url: URL }) => {
  const response = await fetch(url);
  return { data: await response.bytes(), mediaType: response.headers.get('content-type') ?? undefined };
};

describe('@openrouter/ai-sdk-provider', { concurrency: 4 }, () => {
  for (const [title, prompt] of [
    ['text', 'A fox in the snow'],
    ['a first frame', { text: 'It wakes up', image: PNG }],
  ] as const)
    test(`generates a video from ${title}, polls and downloads it`, async () => {
      const asked = { model: veo(), prompt, duration: 4, aspectRatio: '9:16', download } as const;
      const { video } = await generateVideo(asked);
      assert.equal(video.mediaType, 'video/mp4');
      assert.equal(readDuration(Buffer.from(video.uint8Array)).toFixed(1), '4.0');
    });

  for (const [title, ask, says] of [
    ['of a request', { model: veo(), prompt: 'A fox', duration: 5 }, /duration/],
    ['of a wrong key', { model: veo('wrong'), prompt: 'A fox' }, /API key/i],
    ['of an unknown model', { model: veo(service.apiKey, 'google/veo-9'), prompt: 'A fox' }, /model/],
    ['of the generator', { model: veo(), prompt: 'A fox [sample: done with error 13]' }, /./],
  ] as const)
    test(`throws the error ${title} as the type of the SDK`, () =>
      assert.rejects(generateVideo({ ...ask, maxRetries: 0 }), (error) => {
        assert.ok(APICallError.isInstance(error), String(error));
        assert.match(error.message, says);
        return true;
      }));
});
