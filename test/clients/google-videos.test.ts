import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  type GenerateVideosOperation,
  type GenerateVideosParameters,
  GoogleGenAI,
  VideoGenerationReferenceType,
} from 'google-genai-2';
import { call, HELD_BACK, MODEL } from '../support/http.ts';
import { JPEG, PNG } from '../support/images.ts';
import { putVideo } from '../support/library-items.ts';
import { readCodecs, readDuration } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { wholeMp4 } from '../support/sample-video.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const service = await openSharedService();
const client = (apiKey = service.apiKey) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: service.baseUrl } });
const folder = await temporaryFolder('google-videos');

type Parameters = Omit<GenerateVideosParameters, 'model'>;
const create = ({ config, ...rest }: Parameters, model = 'veo-3.1-generate-preview') =>
  client().models.generateVideos({ model, ...rest, config: { durationSeconds: 4, ...config } });
const finish = async (started: GenerateVideosOperation): Promise<GenerateVideosOperation> => {
  let operation = started;
  while (operation.done !== true) {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    operation = await client().operations.getVideosOperation({ operation });
  }
  return operation;
};
const readTaskId = ({ name }: GenerateVideosOperation): string => name?.split('/').at(-1) ?? assert.fail();

const photo = (bytes: Buffer, mimeType: string) => ({ imageBytes: bytes.toString('base64'), mimeType });
const [png, jpeg] = [photo(PNG, 'image/png'), photo(JPEG, 'image/jpeg')];

// Since version 3, the SDK makes videos only with `vertexai`.
describe('@google/genai 2', { concurrency: 4 }, () => {
  test('generates a video, polls its operation and downloads the file', async () => {
    const operation = await finish(await create({ source: { prompt: 'a quiet harbour' } }));
    assert.equal(operation.error, undefined);
    const [video = assert.fail('no video')] = operation.response?.generatedVideos ?? [];
    const downloadPath = join(folder, 'video.mp4');
    await client().files.download({ file: video, downloadPath });
    const mp4 = await readFile(downloadPath);
    assert.deepEqual(readCodecs(mp4).toSorted(), ['avc1', 'mp4a']);
    assert.equal(readDuration(mp4).toFixed(1), '4.0');
    const byId = join(folder, 'by-id.mp4');
    await client().files.download({ file: `files/${readTaskId(operation).slice(5)}`, downloadPath: byId });
    assert.ok(mp4.equals(await readFile(byId)));
  });

  const asset = VideoGenerationReferenceType.ASSET;
  const MODES: readonly (readonly [string, Parameters, size: string])[] = [
    [
      'a first frame',
      { source: { prompt: HELD_BACK, image: png }, config: { aspectRatio: '9:16' } },
      '720x1280',
    ],
    ['a prompt and an image without source', { prompt: HELD_BACK, image: jpeg }, '1280x720'],
    [
      'a first and a last frame',
      { source: { prompt: HELD_BACK, image: png }, config: { lastFrame: jpeg, durationSeconds: 8 } },
      '1280x720',
    ],
    [
      'reference images',
      {
        source: { prompt: HELD_BACK },
        config: {
          durationSeconds: 8,
          resolution: '1080p',
          numberOfVideos: 1,
          referenceImages: [png, jpeg].map((image) => ({ image, referenceType: asset })),
        },
      },
      '1920x1080',
    ],
  ];
  for (const [title, parameters, size] of MODES)
    test(`creates a task from ${title}, which /v1/videos returns`, async () => {
      const operation = await create(parameters, MODEL);
      const { status, body } = await call(service, 'GET', `/v1/videos/${readTaskId(operation)}`);
      assert.deepEqual([status, body.size, body.model], [200, size, MODEL]);
    });

  test('generates a video from an image with an empty prompt', async () => {
    const operation = await finish(await create({ source: { prompt: '', image: png } }));
    assert.deepEqual([operation.error, operation.response?.generatedVideos?.length], [undefined, 1]);
    const { body } = await call(service, 'GET', `/v1/videos/${readTaskId(operation)}`);
    assert.deepEqual([body.status, body.prompt], ['completed', '']);
  });

  test('finds the same on the paths of version 1', async () => {
    const create = { instances: [{ prompt: HELD_BACK }] };
    const path = '/v1/models/veo-3.1-generate-preview';
    const created = await call(service, 'POST', `${path}:predictLongRunning`, { json: create });
    assert.deepEqual([created.status, created.body.done], [200, false]);
    const name = String(created.body.name);
    assert.match(name, new RegExp(`^models/${MODEL}/operations/task_`));
    for (const asked of [name, `operations/${name.split('/').at(-1)}`]) {
      const { status, body } = await call(service, 'GET', `/v1/${asked}`);
      assert.deepEqual([status, body], [200, { name, done: false }]);
    }
    const elsewhere = await call(service, 'POST', `${path}:fetchPredictOperation`, { json: {} });
    assert.equal(elsewhere.status, 404);
  });

  test('finds a task of /v1/videos by operation name and by id', async () => {
    const video = { prompt: 'a quiet harbour', createdAt: Date.now(), bytes: wholeMp4() };
    const id = await putVideo(service, service.account, video);
    for (const name of [`models/${MODEL}/operations/${id}`, `operations/${id}`]) {
      const { status, body } = await call(service, 'GET', `/v1beta/${name}`);
      assert.deepEqual([status, body.name, body.done], [200, `models/${MODEL}/operations/${id}`, true]);
    }
  });

  test('receives the reason for a failed or filtered video', async () => {
    const refused = await finish(await create({ source: { prompt: 'x [sample: error 400]' } }));
    assert.equal(refused.error?.code, 3);
    assert.equal(typeof refused.error?.message, 'string');
    const { response, error } = await finish(await create({ source: { prompt: 'x [sample: filtered]' } }));
    assert.deepEqual([error, response?.raiMediaFilteredCount], [undefined, 1]);
    assert.equal(response?.raiMediaFilteredReasons?.length, 1);
  });

  test('receives the supported models for an unsupported one', async () => {
    const videos = /video-3\.1-generate-preview/;
    for (const model of ['gemini-3.1-flash-image-preview', 'veo-2.0-generate-001'])
      await assert.rejects(create({ source: { prompt: 'x' } }, model), { status: 404, message: videos });
    const image = client().models.generateContent({ model: 'veo-3.1-generate-preview', contents: 'x' });
    await assert.rejects(image, { status: 404, message: /image-3\.1-flash.*predictLongRunning/ });
    const counted = client().models.countTokens({ model: 'gemini-3.1-flash-image-preview', contents: 'x' });
    await assert.rejects(counted, { status: 404, message: /generateContent.*predictLongRunning/ });
  });
});
