import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LoadedInput } from '../../../../../functions/upstream/domain/video-generator.ts';
import { openRouterClient } from '../../../../../functions/upstream/kinds/openrouter/adapter.ts';
import type { TaskRequest } from '../../../../../functions/videos/domain/task.ts';
import { aTask } from '../../../../support/builders/task.ts';
import { wholeMp4 } from '../../../../support/sample-video.ts';
import { credentialFrom } from '../../adapters/answering-client.ts';
import { readJson, startRecorder } from '../../adapters/recording-server.ts';
import { file, json } from '../../adapters/upstream-answers.ts';
import { JOB_ID, OPENROUTER_JOBS } from '../../recorded/openrouter.ts';

const videosAt = (url: string) =>
  openRouterClient({
    baseUrl: `${url}/api/v1`,
    credential: credentialFrom(async () => 'secret'),
    modelName: () => 'google/veo-3.1',
    fetch,
  }).videos(20_000);

const accepted = json(202, OPENROUTER_JOBS.pending);
const input = (role: LoadedInput['role'], byte: number, mimeType: LoadedInput['mimeType']): LoadedInput => ({
  role,
  mimeType,
  bytes: Uint8Array.of(byte),
});
const frame = (url: string, frame_type: string) => ({ type: 'image_url', image_url: { url }, frame_type });

describe('a request for a video at OpenRouter', () => {
  const submit = async (change: Partial<TaskRequest>, inputs: readonly LoadedInput[] = []) => {
    await using server = await startRecorder(accepted);
    const request = { ...aTask().request, ...change };
    assert.equal(await videosAt(server.url).submit(request, inputs, 'key'), JOB_ID);
    return server.only();
  };
  const BODY = {
    model: 'google/veo-3.1',
    prompt: 'a lighthouse',
    duration: 6,
    resolution: '720p',
    aspect_ratio: '16:9',
    generate_audio: true,
    seed: 0,
  };

  test('is a POST of JSON with a bearer token', async () => {
    const { line, authorization, headers } = await submit({});
    assert.deepEqual(
      [line, authorization, headers['content-type']],
      ['POST /api/v1/videos', 'Bearer secret', 'application/json'],
    );
  });

  for (const [title, change, inputs, expected] of [
    ['a text and a seed of 0', {}, [], BODY],
    ['no seed', { seed: undefined }, [], { ...BODY, seed: undefined }],
    [
      'the other values',
      { seconds: 8, resolution: '4k', aspectRatio: '9:16', seed: 4_294_967_295 },
      [],
      { ...BODY, duration: 8, resolution: '4K', aspect_ratio: '9:16', seed: 4_294_967_295 },
    ],
    ['1080p', { resolution: '1080p' }, [], { ...BODY, resolution: '1080p' }],
    [
      'a negative prompt',
      { negativePrompt: 'fog' },
      [],
      { ...BODY, provider: { options: { 'google-vertex': { parameters: { negativePrompt: 'fog' } } } } },
    ],
    [
      'a first frame without a prompt',
      { prompt: '' },
      [input('first_frame', 1, 'image/png')],
      { ...BODY, prompt: undefined, frame_images: [frame('data:image/png;base64,AQ==', 'first_frame')] },
    ],
    [
      'two frames',
      {},
      [input('first_frame', 1, 'image/png'), input('last_frame', 2, 'image/jpeg')],
      {
        ...BODY,
        frame_images: [
          frame('data:image/png;base64,AQ==', 'first_frame'),
          frame('data:image/jpeg;base64,Ag==', 'last_frame'),
        ],
      },
    ],
  ] as const)
    test(`with ${title} has the form that OpenRouter documents`, async () =>
      assert.deepEqual(readJson(await submit(change, inputs)), JSON.parse(JSON.stringify(expected))));

  test('is never sent with reference images, whose effect is not documented', async () => {
    await using server = await startRecorder(accepted);
    const references = [input('reference', 1, 'image/png')];
    await assert.rejects(videosAt(server.url).submit(aTask().request, references, 'key'), {
      fault: 'operator',
    });
    assert.equal(server.seen.length, 0);
  });
});

describe('the answer of OpenRouter to a submit', () => {
  for (const id of [undefined, '', 7, '../x', 'a/b', 'a b', 'a'.repeat(129), 'a?b', 'ä', 'a\n'])
    test(`counts as unanswered with the id ${JSON.stringify(id)?.slice(0, 20)}`, async () => {
      await using server = await startRecorder(json(202, { id, status: 'pending' }));
      const submitted = videosAt(server.url).submit(aTask().request, [], 'key');
      await assert.rejects(submitted, { fault: 'unanswered' });
    });
});

describe('a job of OpenRouter', () => {
  const check = async (answer: (url: string) => object, operation = JOB_ID) => {
    await using server = await startRecorder((response, at) => json(200, answer(server.url))(response, at));
    const state = await videosAt(server.url).check(operation);
    assert.deepEqual(
      [server.only().line, server.only().authorization],
      [`GET /api/v1/videos/${JOB_ID}`, 'Bearer secret'],
    );
    return state;
  };
  const { completed } = OPENROUTER_JOBS;

  const CONTENT = `/api/v1/videos/${JOB_ID}/content?index=0`;
  for (const [title, urls, uri] of [
    [
      'an absolute address of its own',
      (url: string) => [`${url}/api/v1/other/1?index=0`],
      '/api/v1/other/1?index=0',
    ],
    ['a relative address', () => ['/api/v1/videos/x/content?index=0'], '/api/v1/videos/x/content?index=0'],
    ['an address of another host', () => ['https://elsewhere.test/1'], CONTENT],
    ['an address without a scheme', () => ['//elsewhere.test/1'], CONTENT],
    ['an address with a path of two slashes', (url: string) => [`${url}//elsewhere.test/1`], CONTENT],
    ['an address that is none', () => ['http://['], CONTENT],
    ['no address', () => [], CONTENT],
    ['a missing list', () => undefined, CONTENT],
  ] as const)
    test(`with ${title} is done, with a relative address and its cost`, async () => {
      const state = await check((url) => ({ ...completed, unsigned_urls: urls(url) }));
      assert.deepEqual(state, {
        state: 'done',
        source: { kind: 'address', uri },
        cost: { amount: '3.2', currency: 'USD' },
      });
    });

  for (const usage of [undefined, null, {}, { cost: null }, { cost: '3.20' }, { cost: -1 }])
    test(`with the usage ${JSON.stringify(usage)} has no cost`, async () => {
      const state = await check(() => ({ ...completed, usage }));
      assert.ok(state.state === 'done');
      assert.equal(state.cost, undefined);
    });

  for (const operation of ['models/veo/operations/1', '..', ''])
    test(`is not looked up by the operation "${operation}" of another kind of upstream`, async () => {
      await using server = await startRecorder(accepted);
      await assert.rejects(videosAt(server.url).check(operation), { fault: 'rejected' });
      await assert.rejects(videosAt(server.url).open(operation, { kind: 'inline' }), { fault: 'rejected' });
      assert.equal(server.seen.length, 0);
    });
});

describe('the file of OpenRouter', () => {
  for (const [title, source, path] of [
    ['its stored address', { kind: 'address', uri: '/files/1?index=0' }, '/files/1?index=0'],
    ['the address of its job', { kind: 'inline' }, `/api/v1/videos/${JOB_ID}/content?index=0`],
  ] as const)
    test(`is downloaded with the key from ${title}`, async () => {
      await using server = await startRecorder(file);
      const video = await videosAt(server.url).open(JOB_ID, source);
      assert.ok(Buffer.concat(await Array.fromAsync(video)).equals(wholeMp4()));
      const { line, authorization } = server.only();
      assert.deepEqual([line, authorization], [`GET ${path}`, 'Bearer secret']);
    });
});
