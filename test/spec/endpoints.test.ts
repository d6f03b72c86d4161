import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, MODEL, readError } from '../support/http.ts';
import { describePicture, expectedPicture, IMAGE_MODEL, picturesIn } from '../support/images/pictures.ts';
import { bearer, CHAT, NATIVE, post, vendor } from '../support/images/requests.ts';
import { dataUri, file, JPEG, PNG } from '../support/images.ts';
import {
  acceptedOptions,
  assertRefused,
  completedVideo,
  createForm,
  createJson,
  service,
} from './requests.ts';

describe('create video task', { concurrency: 3 }, () => {
  test('The request is `application/json` or `multipart/form-data`.', async () => {
    assert.equal((await createJson()).status, 200);
    assert.equal((await createForm()).status, 200);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await call(service, 'POST', '/v1/videos', { body: 'model=x', headers });
    assert.deepEqual([answer.status, readError(answer).code], [415, 'unsupported_media_type']);
  });

  test('1. `prompt` is required.', async () => {
    for (const prompt of [undefined, '', ' \n']) assertRefused(await createJson({ prompt }), 'prompt');
  });

  test('2. Image-to-video: the start image field name must be `input_reference`.', async () => {
    assert.equal((await createForm(['input_reference', file(PNG, 'a.png', 'image/png')])).status, 200);
  });

  test('3. First-and-last-frame: both frames must be present.', async () => {
    const [first, last] = [dataUri(PNG, 'image/png'), dataUri(JPEG, 'image/jpeg')];
    for (const name of ['last_frame', 'lastFrame'])
      assert.deepEqual(acceptedOptions(await createJson({ input_reference: first, [name]: last })), [
        '8',
        '1280x720',
      ]);
    assertRefused(await createJson({ last_frame: last }), 'input_reference');
  });

  test('4. Reference images: at most 3, duration 8 seconds, `referenceType` = `asset`, no `negativePrompt`.', async () => {
    const image = { bytesBase64Encoded: PNG.toString('base64'), mimeType: 'image/png' };
    const create = (count: number, fields: object = {}, referenceType = 'asset') =>
      createJson({
        ...fields,
        metadata: { referenceImages: Array.from({ length: count }, () => ({ image, referenceType })) },
      });
    assert.deepEqual(acceptedOptions(await create(3)), ['8', '1280x720']);
    assertRefused(await create(4), 'metadata.referenceImages');
    assertRefused(await create(1, { seconds: 6 }), 'seconds');
    assertRefused(await create(1, {}, 'style'), 'metadata.referenceImages[0].referenceType');
    assertRefused(await create(1, { negativePrompt: 'rain' }), 'negativePrompt', 'INVALID_ARGUMENT');
  });

  test('5. Duration: `metadata.durationSeconds`, then `duration`, then `seconds`, then default 8.', async () => {
    const seconds = async (fields: object) => acceptedOptions(await createJson({ ...fields }))[0];
    assert.equal(await seconds({ metadata: { durationSeconds: 4 }, duration: 6, seconds: 8 }), '4');
    assert.equal(await seconds({ duration: 6, seconds: 4 }), '6');
    assert.equal(await seconds({ seconds: 4 }), '4');
    assert.equal(await seconds({}), '8');
  });

  test('6. Resolution: `metadata.resolution`, then `size`, then default `720p`.', async () => {
    const size = async (fields: object) => acceptedOptions(await createJson({ ...fields }))[1];
    assert.equal(await size({ metadata: { resolution: '4k' }, size: '1080x1920' }), '2160x3840');
    assert.equal(await size({ size: '1920x1080' }), '1920x1080');
    assert.equal(await size({}), '1280x720');
  });

  test('7. Aspect ratio: explicit `aspectRatio`, then derived from `size`, then `16:9`.', async () => {
    const size = async (fields: object) => acceptedOptions(await createJson({ ...fields }))[1];
    assert.equal(await size({ aspectRatio: '9:16', size: '1280x720' }), '720x1280');
    assert.equal(await size({ metadata: { aspectRatio: '9:16' }, size: '1280x720' }), '720x1280');
    assert.equal(await size({ size: '720x1280' }), '720x1280');
    assert.equal(await size({ resolution: '1080p' }), '1920x1080');
    assert.deepEqual(acceptedOptions(await createForm(['aspectRatio', '9:16'])), ['8', '720x1280']);
  });

  test('8. 1080p and 4k require 8 seconds.', async () => {
    assertRefused(await createJson({ seconds: 4, resolution: '1080p' }), 'seconds');
    assertRefused(await createJson({ seconds: '6', size: '1920x1080' }), 'seconds');
    assertRefused(await createJson({ duration: 6, metadata: { resolution: '4k' } }), 'duration');
    assert.deepEqual(acceptedOptions(await createJson({ seconds: 8, size: '3840x2160' })), [
      '8',
      '3840x2160',
    ]);
  });

  test('9. Do not send `generateAudio`.', async () => {
    for (const fields of [
      { generateAudio: true },
      { generateAudio: false },
      { metadata: { generateAudio: null } },
    ])
      assertRefused(await createJson(fields), 'generateAudio', 'INVALID_ARGUMENT');
  });
});

test('query, download and result address: `data.url` points to the download endpoint, which serves an MP4', async () => {
  const { body } = await completedVideo();
  const result = await call(service, 'GET', `/v1/video/generations/${body.id}`);
  const url = String(Reflect.get(Object(result.body.data), 'url'));
  assert.equal(url, `${service.baseUrl}/v1/videos/${body.id}/content`);
  const redirect = await call(service, 'GET', `/v1/videos/${body.id}/content`);
  assert.equal(redirect.status, 302);
  const video = await fetch(url, { headers: bearer(service.apiKey) });
  assert.deepEqual([video.redirected, video.headers.get('content-type')], [true, 'video/mp4']);
});

test('generate image, native format', async () => {
  const { status, body } = await post(service, NATIVE, vendor(service.apiKey), {
    contents: [{ parts: [{ text: 'a lighthouse' }] }],
    generationConfig: {
      responseModalities: ['image'],
      imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
    },
  });
  assert.equal(status, 200);
  const parts: readonly { inlineData?: { data: string } }[] = body.candidates[0].content.parts;
  const data = parts.find(({ inlineData }) => inlineData !== undefined)?.inlineData?.data;
  assert.equal(describePicture(data), expectedPicture('16:9', '1K'));
});

describe('generate image, chat-completion-compatible format', () => {
  const USER = { role: 'user', content: [{ type: 'text', text: 'a lighthouse' }] };
  const CONFIG = { aspectRatio: '9:16', imageSize: '1K' };
  const picture = async (body: object) => {
    const answer = await post(service, CHAT, bearer(service.apiKey), { model: IMAGE_MODEL, ...body });
    assert.equal(answer.status, 200);
    return picturesIn(answer.body.choices[0].message.content)[0];
  };

  test('`imageConfig` may be given in `extra_body`.', async () => {
    const body = { extra_body: { imageConfig: CONFIG }, messages: [USER], max_tokens: 100, temperature: 0.5 };
    assert.equal(await picture(body), expectedPicture('9:16', '1K'));
  });

  test('`imageConfig` may be given as a JSON-encoded string in the `content` of a `system` message.', async () => {
    const system = { role: 'system', content: JSON.stringify(CONFIG) };
    assert.equal(await picture({ messages: [system, USER] }), expectedPicture('9:16', '1K'));
  });
});

test('the model of a video request is one of the two video models', async () => {
  const answer = await call(service, 'POST', '/v1/videos', { json: { model: 'sora-1', prompt: 'a' } });
  assert.deepEqual([answer.status, readError(answer).code], [404, 'model_not_found']);
  assert.match(readError(answer).message, new RegExp(MODEL));
});
