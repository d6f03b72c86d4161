import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, HELD_BACK, MODEL, readId, waitFor } from '../support/http.ts';
import { describePicture, expectedPicture } from '../support/images/pictures.ts';
import { NATIVE, post, vendor } from '../support/images/requests.ts';
import { dataUri, file, JPEG, PNG, SVG, WEBP } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import {
  acceptedOptions,
  assertRefused,
  completedVideo,
  createForm,
  createJson,
  failedVideo,
  service,
} from './requests.ts';

describe('video task', { concurrency: 3 }, () => {
  test('The create response has `id`, `task_id`, `object`, `model`, `status`, `progress` and `created_at`.', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { body } = await createJson({ prompt: `A fox ${HELD_BACK}` });
    const { id, created_at, ...rest } = body;
    assert.match(String(id), /^task_[0-9a-z]{26}$/);
    assert.ok(Number(created_at) >= before && Number(created_at) <= before + 60);
    assert.partialDeepStrictEqual(rest, {
      task_id: id,
      object: 'video',
      model: MODEL,
      status: 'queued',
      progress: 0,
    });
  });

  test('`progress` is 0 at creation, 50 while in progress, 100 when completed; `completed_at` is present once completed.', async () => {
    const json = { model: MODEL, prompt: 'a quiet harbour [sample: delay 10s]', seconds: 4 };
    const created = await call(service, 'POST', '/v1/videos', { json });
    const started = await waitFor(service, readId(created), ['in_progress']);
    assert.deepEqual([created.body.progress, started.body.progress], [0, 50]);
    assert.equal('completed_at' in started.body, false);
    const { body } = await waitFor(service, readId(created));
    assert.deepEqual([body.status, body.progress], ['completed', 100]);
    assert.ok(Number(body.completed_at) >= Number(body.created_at));
  });
});

describe('video generation result', { concurrency: 3 }, () => {
  const result = async (id: string) => (await call(service, 'GET', `/v1/video/generations/${id}`)).body;
  const expected = (id: string, status: string, error: unknown = null) => ({
    code: 'success',
    message: '',
    data: {
      status,
      task_id: id,
      format: 'mp4',
      url: `${service.baseUrl}/v1/videos/${id}/content`,
      error,
      metadata: null,
    },
  });

  test('`data.error` is null when the task has succeeded.', async () => {
    const { body } = await completedVideo();
    assert.deepEqual(await result(String(body.id)), expected(String(body.id), 'succeeded'));
  });

  test('`data.error` is an object when the task has failed.', async () => {
    const { body } = await failedVideo();
    assert.equal(Reflect.get(Object(body.error), 'code'), 'upstream_rejected');
    assert.deepEqual(await result(String(body.id)), expected(String(body.id), 'failed', body.error));
  });
});

describe('video creation parameters', { concurrency: 3 }, () => {
  test('Each parameter can be sent as a multipart form field.', async () => {
    const fields = { seconds: '8', size: '720x1280', resolution: '1080p', aspectRatio: '9:16', seed: '7' };
    const answer = await createForm(...Object.entries(fields), ['negativePrompt', 'rain']);
    assert.deepEqual(acceptedOptions(answer), ['8', '1080x1920']);
  });

  test('Each parameter can be sent in a JSON body, at top level or inside `metadata`.', async () => {
    const options = { resolution: '1080p', aspectRatio: '9:16', seed: 7, negativePrompt: 'rain' };
    assert.deepEqual(acceptedOptions(await createJson(options)), ['8', '1080x1920']);
    assert.deepEqual(acceptedOptions(await createJson({ metadata: options })), ['8', '1080x1920']);
  });

  test('`seconds` is a string or an integer ("8", 8).', async () => {
    for (const seconds of ['4', 4])
      assert.deepEqual(acceptedOptions(await createJson({ seconds })), ['4', '1280x720']);
  });

  test('`size` is `<width>x<height>`; it gives aspect ratio and resolution.', async () => {
    for (const size of ['1280x720', '720x1280', '1920x1080', '1080x1920', '3840x2160', '2160x3840'])
      assert.deepEqual(acceptedOptions(await createJson({ size })), ['8', size]);
    assertRefused(await createJson({ size: '1024x1024' }), 'size');
  });

  test('`seed` is an integer.', async () => {
    assert.equal((await createJson({ seed: 0 })).status, 200);
    assertRefused(await createJson({ seed: 1.5 }), 'seed');
  });

  test('Reference images are sent as repeated files in `reference_image`, `reference_images` or `referenceImages`.', async () => {
    for (const name of ['reference_image', 'reference_images', 'referenceImages']) {
      const answer = await createForm(
        [name, file(PNG, 'a.png', 'image/png')],
        [name, file(JPEG, 'b.jpg', 'image/jpeg')],
        ['reference_type', 'asset'],
      );
      assert.deepEqual(acceptedOptions(answer), ['8', '1280x720']);
    }
    assertRefused(await createForm(['reference_type', 'style']), 'reference_type');
  });

  test('Image inputs have the MIME type `image/jpeg`, `image/png` or `image/webp`.', async () => {
    for (const [bytes, type] of [
      [JPEG, 'image/jpeg'],
      [PNG, 'image/png'],
      [WEBP, 'image/webp'],
    ] as const)
      assert.equal((await createJson({ input_reference: dataUri(bytes, type) })).status, 200, type);
    const svg = await createForm(['input_reference', file(SVG, 'a.svg', 'image/svg+xml')]);
    assertRefused(svg, 'input_reference', 'invalid_image');
  });

  test('Remote image URLs are discouraged: they are accepted with advice.', async () => {
    const { url, close } = await startServer((_request, response) => response.end(PNG));
    const answer = await createJson({ input_reference: `${url}/a.png` });
    await close();
    assert.deepEqual(
      [answer.status, answer.headers.get('x-advice')],
      [200, 'files or Base64 are recommended instead of addresses of images'],
    );
  });
});

describe('image generation configuration', () => {
  for (const [aspectRatio, imageSize] of [
    ['1:1', '2K'],
    ['9:16', '2K'],
    ['16:9', '4K'],
  ] as const)
    test(`\`imageConfig\` with ${aspectRatio} and ${imageSize} gives an image of that shape and resolution.`, async () => {
      const { body } = await post(service, NATIVE, vendor(service.apiKey), {
        contents: [{ parts: [{ text: 'a lighthouse' }] }],
        generationConfig: { responseModalities: ['image'], imageConfig: { aspectRatio, imageSize } },
      });
      const parts: readonly { inlineData?: { data: string } }[] = body.candidates[0].content.parts;
      const data = parts.find(({ inlineData }) => inlineData !== undefined)?.inlineData?.data;
      assert.equal(describePicture(data), expectedPicture(aspectRatio, imageSize));
    });
});
