import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpenRouter } from '@openrouter/sdk';
import {
  BadRequestResponseError,
  NotFoundResponseError,
  UnauthorizedResponseError,
} from '@openrouter/sdk/models/errors';
import { call, HELD_BACK, listInputs, MODEL } from '../support/http.ts';
import { dataUri, JPEG, PNG } from '../support/images.ts';
import { readDuration } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const service = await openSharedService();
const open = (apiKey = service.apiKey) =>
  new OpenRouter({ apiKey, serverURL: `${service.baseUrl}/v1`, retryConfig: { strategy: 'none' } });
type Request = Parameters<OpenRouter['videoGeneration']['generate']>[0]['videoGenerationRequest'];
const create = (fields: Partial<Request>) =>
  open().videoGeneration.generate({
    videoGenerationRequest: { model: 'google/veo-3.1', prompt: `A fox ${HELD_BACK}`, ...fields },
  });

const image = (url: string) => ({ type: 'image_url' as const, imageUrl: { url } });
const png = image(dataUri(PNG, 'image/png'));
const jpeg = image(dataUri(JPEG, 'image/jpeg'));

describe('videos of @openrouter/sdk 1.3.19', { concurrency: 4 }, () => {
  test('are created with fields that all clients share, polled and downloaded', async () => {
    const client = open();
    const videoGenerationRequest = { model: MODEL, prompt: 'a quiet harbour', duration: 4 };
    let video = await client.videoGeneration.generate({ videoGenerationRequest });
    assert.equal(video.status, 'pending');
    assert.equal(video.pollingUrl, `${service.baseUrl}/v1/videos/${video.id}`);
    while (video.status === 'pending' || video.status === 'in_progress') {
      await sleep(1500);
      video = await client.videoGeneration.getGeneration({ jobId: video.id });
    }
    assert.equal(video.status, 'completed');
    const content = await client.videoGeneration.getVideoContent({ jobId: video.id, index: 0 });
    const [url = ''] = video.unsignedUrls ?? [];
    const unsigned = Buffer.from(await (await fetch(url)).arrayBuffer());
    for (const mp4 of [await buffer(content), unsigned]) assert.equal(readDuration(mp4).toFixed(1), '4.0');
  });

  for (const [title, fields, inputs] of [
    ['text', { resolution: '4K', aspectRatio: '9:16', generateAudio: true, seed: 7 }, []],
    ['a first frame', { frameImages: [{ ...png, frameType: 'first_frame' }] }, ['first_frame image/png']],
    [
      'a first and a last frame',
      {
        frameImages: [
          { ...jpeg, frameType: 'last_frame' },
          { ...png, frameType: 'first_frame' },
        ],
      },
      ['first_frame image/png', 'last_frame image/jpeg'],
    ],
    ['references', { inputReferences: [png, jpeg] }, ['reference image/png', 'reference image/jpeg']],
  ] satisfies [string, Partial<Request>, string[]][])
    test(`are created from ${title}`, async () => {
      const { id } = await create(fields);
      assert.deepEqual(await listInputs(service, id), inputs);
    });

  test('are created from an image by address', async () => {
    const { url, close } = await startServer((_request, response) => response.end(PNG));
    const { id } = await create({ frameImages: [{ ...image(`${url}/a`), frameType: 'first_frame' }] });
    await close();
    assert.deepEqual(await listInputs(service, id), ['first_frame image/png']);
  });

  test('fail with the error of the generator, which also goes to the address of the request', async () => {
    const client = open();
    const { url, received } = await startReceiver(() => 204);
    let video = await create({ prompt: 'A fox [sample: done with error 13]', callbackUrl: url });
    while (video.status === 'pending' || video.status === 'in_progress') {
      await sleep(1000);
      video = await client.videoGeneration.getGeneration({ jobId: video.id });
    }
    assert.equal(video.status, 'failed');
    assert.equal(typeof video.error, 'string');
    await until(() => received.length > 0);
    assert.partialDeepStrictEqual(JSON.parse(received[0]?.body ?? ''), {
      type: 'video.failed',
      data: { id: video.id },
    });
  });

  for (const [title, fields, says] of [
    ['without sound', { generateAudio: false }, /generate_audio/],
    ['of 5 seconds', { duration: 5 }, /duration/],
    ['in 1:1', { aspectRatio: '1:1' }, /aspect_ratio/],
    ['in 768p', { resolution: '768p' }, /resolution/],
    ['with a last frame alone', { frameImages: [{ ...png, frameType: 'last_frame' }] }, /^frame_images/],
    [
      'with two first frames',
      {
        frameImages: [
          { ...png, frameType: 'first_frame' },
          { ...png, frameType: 'first_frame' },
        ],
      },
      /^frame_images has more than one/,
    ],
    [
      'with a broken image',
      { inputReferences: [image('data:image/png;base64,%')] },
      /^input_references\[0\]/,
    ],
    ['with a callback to a private address', { callbackUrl: 'https://10.0.0.1/' }, /^callback_url/],
    [
      'with an unknown option',
      { provider: { options: { googleVertex: { parameters: { conditioningScale: 1 } } } } },
      /conditioningScale/,
    ],
  ] satisfies [string, Partial<Request>, RegExp][])
    test(`are refused ${title}, with the error type of the client`, () =>
      assert.rejects(create(fields), (error) => {
        assert.ok(error instanceof BadRequestResponseError);
        assert.match(error.error.message, says);
        assert.equal(error.error.code, 400);
        return true;
      }));

  test('are refused with a wrong key, and not found, with error types of the client', async () => {
    const jobId = 'task_01kf0xw3g0a1b2c3d4e5f6g7h8';
    await assert.rejects(open('wrong').videoGeneration.getGeneration({ jobId }), UnauthorizedResponseError);
    await assert.rejects(open().videoGeneration.getGeneration({ jobId }), NotFoundResponseError);
  });
});

test('a request is recognized by its fields or its model alone; others get our own form', async () => {
  const post = (json: object) =>
    call(service, 'POST', '/v1/videos', { json: { prompt: HELD_BACK, ...json } });
  const frame_images = [
    { type: 'image_url', image_url: { url: dataUri(PNG, 'image/png') }, frame_type: 'first_frame' },
  ];
  for (const json of [{ model: MODEL, frame_images }, { model: 'google/veo-3.1-fast' }]) {
    const { status, body } = await post(json);
    assert.deepEqual([status, Object.keys(body)], [202, ['id', 'polling_url', 'status']]);
  }
  for (const model of [MODEL, 'veo-3.1-generate-preview']) {
    const { status, body } = await post({ model, aspect_ratio: '9:16' });
    assert.deepEqual([status, body.status], [200, 'queued']);
  }
});

test('fields for the records of the sender are named as ignored', async () => {
  const json = { model: 'google/veo-3.1', prompt: HELD_BACK, session_id: 'a', trace: { trace_id: 'b' } };
  const { status, headers } = await call(service, 'POST', '/v1/videos', { json });
  assert.deepEqual([status, headers.get('x-ignored-parameters')], [202, 'session_id, trace']);
});

test('options for the provider are read; preferences are refused', async () => {
  const post = (provider: object) =>
    call(service, 'POST', '/v1/videos', { json: { model: 'google/veo-3.1', prompt: HELD_BACK, provider } });
  const parameters = { negativePrompt: 'rain' };
  const { body } = await post({
    options: { 'google-vertex': { parameters }, other: { parameters: { a: 1 } } },
  });
  const shown = await call(service, 'GET', `/v1/videos/${body.id}?include[]=request`);
  assert.partialDeepStrictEqual(shown.body, { status: 'pending', request: { negative_prompt: 'rain' } });
  assert.equal((await post({ order: ['google-vertex'] })).status, 400);
});
