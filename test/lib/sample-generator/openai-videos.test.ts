import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { readDuration, readSize } from '../../support/mp4.ts';
import * as jobs from './support/job-servers.ts';
import { API_KEY } from './support/running-generator.ts';
import { png, RIPPLES, SUNRISE } from './support/test-pictures.ts';

const server = await jobs.runOpenAi();
after(() => server.stop());

const picture = async (paint = SUNRISE) =>
  new Blob([new Uint8Array(await png(paint, 64, 64))], { type: 'image/png' });

describe('the Videos API', () => {
  test('a create request is answered with a queued video', async () => {
    const response = await server.create('A cat [sample: delay 30s]', { seconds: '6', size: '1080x1920' });
    const { id, created_at: created, ...video } = await jobs.readJson(response);
    assert.equal(response.status, 200);
    assert.match(id, /^video_[0-9a-f]{48}$/);
    assert.ok(Math.abs(created - Date.now() / 1000) < 60);
    assert.deepEqual(video, {
      object: 'video',
      model: 'video-3.1-generate-preview',
      status: 'queued',
      progress: 0,
      completed_at: null,
      expires_at: null,
      seconds: '6',
      size: '1080x1920',
      prompt: 'A cat',
      remixed_from_video_id: null,
      error: null,
    });
    assert.equal((await server.content(id)).status, 400);
  });

  test("OpenAI's SDK creates, polls and downloads a video", async () => {
    const client = new OpenAI({ apiKey: API_KEY, baseURL: `${server.url}/v1` });
    const input = new File([await picture()], 'first.png', { type: 'image/png' });
    const created = await client.videos.create({
      model: 'video-3.1-generate-preview',
      prompt: 'A cat',
      seconds: '8',
      size: '1280x720',
      input_reference: input,
    });
    let video = created;
    while (video.status !== 'completed') {
      assert.notEqual(video.status, 'failed');
      await sleep(50);
      video = await client.videos.retrieve(created.id);
    }
    assert.equal(video.progress, 100);
    const film = Buffer.from(await (await client.videos.downloadContent(created.id)).arrayBuffer());
    assert.deepEqual([readSize(film), readDuration(film)], ['1280x720', 8]);
  });

  test('the content redirects to another path of the same host, which requires the key', async () => {
    const { id } = await jobs.generateJob(server, 'A cat');
    const { status, headers } = await server.content(id, { redirect: 'manual' });
    const location = headers.get('location') ?? '';
    assert.deepEqual([status, new URL(location).host], [302, new URL(server.url).host]);
    assert.equal((await fetch(location)).status, 401);
    assert.equal((await fetch(location, { headers: jobs.BEARER })).status, 200);
  });

  test('status processing is reported until the video ends', async () => {
    const response = await server.create('A cat [sample: status processing, delay 0.5s]');
    const { id, status } = await jobs.readJson(response);
    assert.equal(status, 'processing');
    assert.equal((await jobs.readJson(await server.poll(id))).status, 'processing');
    assert.equal((await jobs.finishJob(server, id)).status, 'completed');
  });

  const filtered = 'The request was blocked by our moderation system. This is a sample of a filtered answer.';
  for (const [testPrompt, error] of [
    ['filtered', { code: 'moderation_blocked', message: filtered }],
    ['filtered, error as text', filtered],
    ['filtered, error as null', null],
    ['done with error 3', { code: 'invalid_request_error', message: 'A test prompt makes this video fail.' }],
    ['done with error 13', { code: 'server_error', message: 'A test prompt makes this video fail.' }],
  ] as const)
    test(`${testPrompt} gives the error ${JSON.stringify(error)}`, async () => {
      const job = await jobs.generateJob(server, `A cat [sample: ${testPrompt}]`);
      assert.deepEqual([job.status, job.error], ['failed', error]);
    });

  for (const [name, more, param] of [
    ['5 seconds', { seconds: '5' }, 'seconds'],
    ['an unknown size', { size: '100x100' }, 'size'],
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['no model', { model: undefined }, 'model'],
  ] as const)
    test(`${name} is 400 and names ${param}`, async () => {
      const response = await server.create('A cat', more);
      const { error } = await jobs.readJson(response);
      assert.deepEqual([response.status, error.type, error.param], [400, 'invalid_request_error', param]);
    });

  test('JSON is 415, and a form without an end is 400', async () => {
    const send = (body: string, type: string) =>
      fetch(server.jobs, { method: 'POST', headers: { ...jobs.BEARER, 'content-type': type }, body });
    assert.equal((await send('{"prompt":"A cat"}', 'application/json')).status, 415);
    assert.equal((await send('--x\r\n', 'multipart/form-data; boundary=x')).status, 400);
    assert.equal((await send('', 'multipart/form-data')).status, 400);
  });

  test('a wrong key and a used-up quota have the codes of OpenAI', async () => {
    const code = async (response: Response) => (await jobs.readJson(response)).error.code;
    const wrong = await server.create('A cat', {}, { headers: { authorization: 'Bearer wrong' } });
    assert.equal(await code(wrong), 'invalid_api_key');
    assert.equal(await code(await server.create('[sample: error 429 per-day]')), 'insufficient_quota');
    assert.equal(await code(await server.create('[sample: busy]')), 'rate_limit_exceeded');
  });
});

describe('options beyond the Videos API', () => {
  const METADATA = JSON.stringify({ resolution: '1080p', aspectRatio: '9:16', seed: 7, durationSeconds: 6 });
  const TOP_LEVEL = { resolution: '1080p', aspectRatio: '9:16', seed: '7', negative_prompt: 'rain' };

  const CASES = {
    none: [[{ metadata: METADATA, ...TOP_LEVEL }, '1280x720', '4']],
    metadata: [
      [{ metadata: METADATA }, '1080x1920', '6'],
      [TOP_LEVEL, '1280x720', '4'],
    ],
    'top-level': [
      [TOP_LEVEL, '1080x1920', '4'],
      [{ metadata: METADATA }, '1280x720', '4'],
    ],
    'media-generation': [
      [{ metadata: METADATA }, '1080x1920', '6'],
      [TOP_LEVEL, '1280x720', '4'],
    ],
  } as const;
  for (const options of ['none', 'metadata', 'top-level', 'media-generation'] as const)
    test(`${options}: reads the options of this style, and rejects metadata only if it reads it`, async (t) => {
      const own = await jobs.runOpenAi({ options });
      t.after(() => own.stop());
      const create = (more: object) => own.create('A cat [sample: never done]', { ...more });
      for (const [more, ...expected] of CASES[options]) {
        const { size, seconds } = await jobs.readJson(await create(more));
        assert.deepEqual([size, seconds], expected, JSON.stringify(more));
      }
      const isRead = options === 'metadata' || options === 'media-generation';
      for (const metadata of ['no JSON', '[]', '{"resolution":"8k"}'])
        assert.equal((await create({ metadata })).status, isRead ? 400 : 200, metadata);
    });

  test('only media-generation uses a last frame and reference images', async (t) => {
    const own = await jobs.runOpenAi({ options: 'media-generation' });
    t.after(() => own.stop());
    const frames = { input_reference: await picture(), last_frame: await picture(RIPPLES) };
    const references = { reference_images: [await picture(), await picture(RIPPLES)] };
    const isChanged = async (where: typeof own, more: object, less: object) =>
      !(await jobs.generateFile(where, 'A cat', { ...more })).equals(
        await jobs.generateFile(where, 'A cat', { ...less }),
      );
    const firstOnly = { input_reference: await picture() };
    assert.equal(await isChanged(own, frames, firstOnly), true);
    assert.equal(await isChanged(own, references, {}), true);
    assert.equal(await isChanged(server, frames, firstOnly), false);
    assert.equal(await isChanged(server, references, {}), false);
  });
});

describe('the Idempotency-Key', () => {
  const create = (own: typeof server, key: string, prompt = 'A cat [sample: never done]') =>
    fetch(own.jobs, {
      method: 'POST',
      headers: { ...jobs.BEARER, 'idempotency-key': key },
      body: jobs.toForm({ model: 'video-x', prompt }),
    });
  const ids = async (own: typeof server, keys: readonly string[]) =>
    Promise.all(keys.map(async (key): Promise<string> => (await jobs.readJson(await create(own, key))).id));

  test('is ignored by default', async () => {
    assert.equal(new Set(await ids(server, ['a', 'a'])).size, 2);
  });

  test('starts one video per key at another deployment of this service, also at the same time', async (t) => {
    const own = await jobs.runOpenAi({ options: 'media-generation' });
    t.after(() => own.stop());
    const [one, same, other] = await ids(own, ['a', 'a', 'b']);
    assert.equal(one, same);
    assert.notEqual(one, other);
    assert.deepEqual(await ids(own, ['a']), [one]);
    const reused = await create(own, 'a', 'A dog [sample: never done]');
    assert.deepEqual(
      [reused.status, (await jobs.readJson(reused)).error.code],
      [409, 'idempotency_key_reused'],
    );
    assert.notEqual(await jobs.startJob(own, 'A cat [sample: never done]'), one);
  });
});
