import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  type GenerateVideosConfig,
  GenerateVideosOperation,
  GoogleGenAI,
  VideoGenerationReferenceType,
} from '@google/genai';
import { MAX_INLINE_VIDEO_BYTES } from '../../functions/google/api/vertex-operation.ts';
import { HELD_BACK, listInputs, MODEL } from '../support/http.ts';
import { describePicture, expectedPicture } from '../support/images/pictures.ts';
import { JPEG, PNG } from '../support/images.ts';
import { putVideo } from '../support/library-items.ts';
import { readDuration } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { joined, mp4Box, wholeMp4 } from '../support/sample-video.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const service = await openSharedService();
const folder = await temporaryFolder('google-vertex');

const PROJECT = { project: 'my-project', location: 'us-central1' };
const client = (options: object = {}, apiKey = service.apiKey) =>
  new GoogleGenAI({ vertexai: true, apiKey, httpOptions: { baseUrl: service.baseUrl }, ...options });
const FORMS = [
  ['the express form of v1beta1', () => client(), 'projects/-/locations/-'],
  ['the project form of v1beta1', () => client(PROJECT), 'projects/my-project/locations/us-central1'],
  ['the express form of v1', () => client({ apiVersion: 'v1' }), 'projects/-/locations/-'],
  [
    'the project form of v1',
    () => client({ apiVersion: 'v1', ...PROJECT }),
    'projects/my-project/locations/us-central1',
  ],
] as const;

const photo = (bytes: Buffer, mimeType: string) => ({ imageBytes: bytes.toString('base64'), mimeType });
const [png, jpeg] = [photo(PNG, 'image/png'), photo(JPEG, 'image/jpeg')];
const create = (config: GenerateVideosConfig = {}, source: object = {}, vertex = client()) =>
  vertex.models.generateVideos({
    model: 'veo-3.1-generate-001',
    source: { prompt: HELD_BACK, ...source },
    config,
  });
const readTaskId = ({ name }: GenerateVideosOperation): string => name?.split('/').at(-1) ?? assert.fail();
const operationOf = (id: string): GenerateVideosOperation =>
  Object.assign(new GenerateVideosOperation(), {
    name: `projects/-/locations/-/publishers/google/models/${MODEL}/operations/${id}`,
  });
const fetchOperation = (id: string) => client().operations.getVideosOperation({ operation: operationOf(id) });
const putMp4 = (bytes: Uint8Array) =>
  putVideo(service, service.account, { prompt: 'a quiet harbour', createdAt: Date.now(), bytes });
const hugeMp4 = (): Uint8Array => joined(wholeMp4(), mp4Box('free', new Uint8Array(MAX_INLINE_VIDEO_BYTES)));

describe('@google/genai with vertexai', { concurrency: 4 }, () => {
  test('generates a video, polls its operation and saves its bytes', async () => {
    let operation = await create({ durationSeconds: 4 }, { prompt: 'a quiet harbour' });
    while (operation.done !== true) {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      operation = await client().operations.getVideosOperation({ operation });
    }
    const [file = assert.fail('no video')] = operation.response?.generatedVideos ?? [];
    const downloadPath = join(folder, 'inline.mp4');
    await client().files.download({ file, downloadPath });
    assert.equal(readDuration(await readFile(downloadPath)).toFixed(1), '4.0');
  });

  for (const [form, make, place] of FORMS)
    test(`creates and finds a task with ${form}`, async () => {
      const vertex = make();
      const operation = await create({}, {}, vertex);
      const name = `${place}/publishers/google/models/${MODEL}/operations/${readTaskId(operation)}`;
      assert.deepEqual([operation.name, operation.done], [name, false]);
      const found = await vertex.operations.getVideosOperation({ operation });
      assert.deepEqual([found.name, found.done], [name, false]);
    });

  const referenceType = VideoGenerationReferenceType.ASSET;
  for (const [title, config, source, inputs] of [
    ['a first frame', { aspectRatio: '9:16' }, { image: png }, ['first_frame image/png']],
    [
      'a first and a last frame',
      { lastFrame: jpeg },
      { image: png },
      ['first_frame image/png', 'last_frame image/jpeg'],
    ],
    ['reference images', { referenceImages: [{ image: png, referenceType }] }, {}, ['reference image/png']],
  ] as const)
    test(`creates a task from ${title}`, async () => {
      const { referenceImages, ...rest } = { referenceImages: undefined, ...config };
      const list = referenceImages === undefined ? {} : { referenceImages: [...referenceImages] };
      const operation = await create({ ...rest, ...list }, source);
      assert.deepEqual(await listInputs(service, readTaskId(operation)), inputs);
    });

  test('downloads a video that does not fit the response from its address, with and without the key', async () => {
    const bytes = hugeMp4();
    const { response } = await fetchOperation(await putMp4(bytes));
    const [file = assert.fail('no video')] = response?.generatedVideos ?? [];
    assert.equal(file.video?.videoBytes, undefined);
    const downloadPath = join(folder, 'huge.mp4');
    await client().files.download({ file, downloadPath });
    assert.ok(Buffer.from(bytes).equals(await readFile(downloadPath)));
    const withoutKey = await fetch(file.video?.uri ?? '');
    assert.equal((await withoutKey.arrayBuffer()).byteLength, bytes.length);
  });

  test('downloads a file of /v1beta1/files as Google names it in an https address', async () => {
    const id = await putMp4(wholeMp4());
    const downloadPath = join(folder, 'by-name.mp4');
    await client().files.download({ file: `files/${id.slice('task_'.length)}`, downloadPath });
    assert.ok(Buffer.from(wholeMp4()).equals(await readFile(downloadPath)));
  });

  test('receives the reason for a filtered video', async () => {
    const id = await putVideo(service, service.account, { prompt: 'x', createdAt: Date.now() });
    const { response, error } = await fetchOperation(id);
    assert.deepEqual(
      [error, response?.raiMediaFilteredCount, response?.raiMediaFilteredReasons],
      [undefined, 1, ['Blocked.']],
    );
  });

  test('receives an error for a bucket, which says where the video is instead', async () => {
    await assert.rejects(create({ outputGcsUri: 'gs://mine/videos' }), {
      name: 'ApiError',
      status: 400,
      message: /parameters\.storageUri is not supported.*finished operation/,
    });
  });

  test('receives errors for a wrong key, an unknown model and an operation of nobody', async () => {
    const wrong = client({}, 'mg_wrong').models.generateContent({ model: MODEL, contents: 'x' });
    await assert.rejects(wrong, { name: 'ApiError', status: 401, message: /UNAUTHENTICATED/ });
    const unknown = client().models.generateVideos({ model: 'veo-2.0-generate-001', prompt: 'x' });
    await assert.rejects(unknown, { status: 404, message: /video-3\.1-generate-preview/ });
    const counted = client().models.countTokens({ model: MODEL, contents: 'x' });
    await assert.rejects(counted, { status: 404, message: /generateContent.*predictLongRunning/ });
    const missing = fetchOperation('task_01kf0xw3g0a1b2c3d4e5f6g7h8');
    await assert.rejects(missing, { status: 404, message: /NOT_FOUND/ });
  });

  test('generates an image, whole and streamed, and several in the format of Imagen', async () => {
    const imageConfig = { aspectRatio: '9:16', imageSize: '512' };
    const request = { model: 'gemini-3.1-flash-image', contents: 'A fox', config: { imageConfig } };
    const { models } = client(PROJECT);
    const whole = await models.generateContent(request);
    assert.equal(describePicture(whole.data), expectedPicture('9:16', '512'));
    for await (const { data } of await models.generateContentStream(request))
      assert.equal(describePicture(data), expectedPicture('9:16', '512'));
    const { generatedImages = [] } = await models.generateImages({
      model: 'imagen-4.0-generate-001',
      prompt: 'A fox',
      config: { numberOfImages: 2, aspectRatio: '4:3', imageSize: '512' },
    });
    assert.deepEqual(
      generatedImages.map(({ image }) => describePicture(image?.imageBytes)),
      [expectedPicture('4:3', '512'), expectedPicture('4:3', '512')],
    );
  });

  test('lists and describes the models', async () => {
    const names: (string | undefined)[] = [];
    for await (const { name } of await client().models.list({ config: { pageSize: 20 } })) names.push(name);
    assert.equal(names[0], `publishers/google/models/${MODEL}`);
    assert.ok(names.includes('publishers/google/models/gemini-nano-banana-2.1'));
    const { name, version } = await client(PROJECT).models.get({ model: 'sora-2' });
    assert.deepEqual([name, version], ['publishers/google/models/sora-2', '3.1']);
  });
});
