import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, FAST_MODEL, MODEL } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { bearer, CHAT, chatBody, NATIVE, nativeBody, post, vendor } from '../support/images/requests.ts';
import { dataUri, PNG } from '../support/images.ts';
import { readCodecs, readDuration } from '../support/mp4.ts';
import { acceptedOptions, assertRefused, completedVideo, createJson, download, service } from './requests.ts';

describe('what the service does', { concurrency: 3 }, () => {
  test('A client creates a task, polls its status, and downloads the video when the task is complete.', async () => {
    const { body } = await completedVideo();
    assert.equal(body.status, 'completed');
    const mp4 = await download(String(body.id));
    assert.equal(readDuration(mp4).toFixed(1), '4.0');
  });

  test('Both video models support the same options.', async () => {
    for (const model of [MODEL, FAST_MODEL])
      assert.deepEqual(
        acceptedOptions(
          await createJson({ model, seconds: 8, size: '1080x1920', seed: 1, negativePrompt: 'rain' }),
        ),
        ['8', '1080x1920'],
      );
  });

  test('The image model is reachable through a native request format and through a chat-completion-compatible format.', async () => {
    const native = await post(service, NATIVE, vendor(service.apiKey), nativeBody('a lighthouse'));
    const chat = await post(service, CHAT, bearer(service.apiKey), chatBody('a lighthouse'));
    assert.deepEqual([native.status, chat.status, chat.body.model], [200, 200, IMAGE_MODEL]);
  });

  test('Video models produce audio natively.', async () => {
    const { body } = await completedVideo();
    assert.deepEqual(readCodecs(await download(String(body.id))).toSorted(), ['avc1', 'mp4a']);
  });
});

describe('video model capabilities', { concurrency: 3 }, () => {
  test('Durations are 4, 6 and 8 seconds.', async () => {
    for (const seconds of [4, 6, 8])
      assert.deepEqual(acceptedOptions(await createJson({ seconds })), [String(seconds), '1280x720']);
    for (const seconds of [0, 5, 7, 10]) assertRefused(await createJson({ seconds }), 'seconds');
  });

  test('Resolutions are 720p, 1080p and 4k.', async () => {
    for (const [resolution, size] of [
      ['720p', '1280x720'],
      ['1080p', '1920x1080'],
      ['4k', '3840x2160'],
    ])
      assert.deepEqual(acceptedOptions(await createJson({ resolution })), ['8', size]);
    assertRefused(await createJson({ resolution: '480p' }), 'resolution');
  });

  test('Aspect ratios are 16:9 (landscape) and 9:16 (portrait); the default is 16:9.', async () => {
    assert.deepEqual(acceptedOptions(await createJson({ aspectRatio: '16:9' })), ['8', '1280x720']);
    assert.deepEqual(acceptedOptions(await createJson({ aspectRatio: '9:16' })), ['8', '720x1280']);
    assert.deepEqual(acceptedOptions(await createJson()), ['8', '1280x720']);
    assertRefused(await createJson({ aspectRatio: '1:1' }), 'aspectRatio');
  });

  test('Extending an existing video is not offered; no video input is accepted.', async () => {
    assertRefused(await createJson({ video: dataUri(PNG, 'video/mp4') }), 'video', 'not_offered');
    for (const path of ['/v1/videos/extensions', '/v1/videos/edits', '/v1/videos/task_x/remix'])
      assertRefused(await call(service, 'POST', path), null, 'not_offered');
  });
});
