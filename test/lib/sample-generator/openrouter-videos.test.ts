import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readCodecs, readDuration, readSize } from '../../support/mp4.ts';
import * as jobs from './support/job-servers.ts';
import { png, RIPPLES, SUNRISE } from './support/test-pictures.ts';

const server = await jobs.runOpenRouter();
after(() => server.stop());
const base = `${server.url}/api/v1`;

const frame = async (type: string, paint = SUNRISE) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${(await png(paint, 64, 64)).toString('base64')}` },
  frame_type: type,
});

describe('videos of OpenRouter', () => {
  test('a create request is answered with 202 and a relative address for polls', async () => {
    const response = await server.create('A cat [sample: never done]');
    const { id, ...job } = await jobs.readJson(response);
    assert.equal(response.status, 202);
    assert.match(id, /^gen-vid-\d{10}-[a-z0-9]{20}$/);
    assert.deepEqual(job, { polling_url: `/api/v1/videos/${id}`, status: 'pending' });
  });

  test('a completed video has an address that requires the key, and a cost', async () => {
    const { id, ...job } = await jobs.generateJob(server, 'A cat');
    const address = `${base}/videos/${id}/content?index=0`;
    assert.partialDeepStrictEqual(job, {
      status: 'completed',
      unsigned_urls: [address],
      usage: { cost: 1.6, is_byok: false },
    });
    assert.equal((await fetch(address)).status, 401);
    const { status, headers } = await fetch(address, { headers: jobs.BEARER });
    assert.deepEqual([status, headers.get('content-type')], [200, 'video/mp4']);
  });

  test('the content of an unfinished video is 409', async () => {
    const id = await jobs.startJob(server, 'A cat [sample: delay 30s]');
    assert.equal((await server.content(id)).status, 409);
  });

  for (const [more, size, seconds] of [
    [{ duration: 6, aspect_ratio: '9:16' }, '720x1280', 6],
    [{ duration: 8, resolution: '1080p' }, '1920x1080', 8],
  ] as const)
    test(`${JSON.stringify(more)} gives a video of ${size} and ${seconds} seconds`, async () => {
      const film = await jobs.generateFile(server, 'A cat', more);
      assert.deepEqual([readSize(film), readDuration(film)], [size, seconds]);
    });

  test('without generate_audio the video has no sound track and costs half', async () => {
    const codecs = async (more: object) => readCodecs(await jobs.generateFile(server, 'A cat', { ...more }));
    assert.deepEqual(await codecs({ generate_audio: true }), ['avc1', 'mp4a']);
    assert.deepEqual(await codecs({ generate_audio: undefined }), ['avc1']);
    assert.equal((await jobs.generateJob(server, 'A cat', { generate_audio: false })).usage?.cost, 0.8);
  });

  for (const [more, cost] of [
    [{ duration: 8, resolution: '4K' }, 4.8],
    [{ model: 'google/veo-3.1-fast', duration: 6 }, 0.6],
    [{ model: 'google/veo-3.1-fast', duration: 8, resolution: '1080p' }, 0.96],
    [{ model: 'google/veo-3.1-fast', duration: 8, resolution: '4K' }, 2.4],
  ] as const)
    test(`${JSON.stringify(more)} costs ${cost} USD`, async () => {
      // Without a video, nothing is rendered.
      const { usage } = await jobs.generateJob(server, 'A cat [sample: done without video]', more);
      assert.equal(usage?.cost, cost);
    });

  test('samples 2 has two addresses with two videos', async () => {
    const { unsigned_urls: urls = [] } = await jobs.generateJob(server, 'A cat [sample: samples 2]');
    const films = await Promise.all(
      urls.map(async (url) => Buffer.from(await (await fetch(url, { headers: jobs.BEARER })).arrayBuffer())),
    );
    assert.equal(films.length, 2);
    assert.ok(!films[0]?.equals(films[1] ?? films[0]));
  });

  test('frames change the video', async () => {
    const plain = await jobs.generateFile(server, 'A cat');
    const frames = [await frame('first_frame'), await frame('last_frame', RIPPLES)];
    const framed = await jobs.generateFile(server, 'A cat', { frame_images: frames });
    assert.ok(!framed.equals(plain));
  });

  test('the error of a failed video is a text', async () => {
    const { error } = await jobs.generateJob(server, 'A cat [sample: filtered]');
    assert.match(String(error), /Support codes: 42237218$/);
  });
});

describe('refused requests of OpenRouter', () => {
  const nested = { provider: { options: { 'google-vertex': { parameters: { negativePrompt: 7 } } } } };
  const REFUSALS: readonly (readonly [string, object, string])[] = [
    ['5 seconds', { duration: 5 }, 'duration'],
    ['a duration in words', { duration: '8' }, 'duration'],
    ['4k in lower case', { duration: 8, resolution: '4k' }, 'resolution'],
    ['480p', { resolution: '480p' }, 'resolution'],
    ['1080p at 4 seconds', { resolution: '1080p' }, 'duration'],
    ['4K at 6 seconds', { duration: 6, resolution: '4K' }, 'duration'],
    ['a square', { aspect_ratio: '1:1' }, 'aspect_ratio'],
    ['a seed in words', { seed: '7' }, 'seed'],
    ['generate_audio in words', { generate_audio: 'true' }, 'generate_audio'],
    ['a negative prompt that is no text', nested, 'provider.options.google-vertex.parameters.negativePrompt'],
    ['no prompt and no frame', { prompt: '' }, 'prompt'],
    ['a missing model', { model: undefined }, 'model'],
    ['a misspelled field', { negative_prompt: 'rain' }, 'negative_prompt'],
    [
      'a frame without its type',
      { frame_images: [{ type: 'image_url', image_url: { url: 'data:' } }] },
      'frame_images.0.frame_type',
    ],
  ];
  for (const [name, more, field] of REFUSALS)
    test(`${name} is 400 and names ${field}`, async () => {
      const response = await server.create('A cat', { ...more });
      const { error } = await jobs.readJson(response);
      assert.deepEqual([response.status, error.code, error.metadata.field], [400, 400, field]);
      assert.equal(typeof error.message, 'string');
    });

  test('a last frame alone, two first frames and a remote image are 400', async () => {
    const [first, last] = [await frame('first_frame'), await frame('last_frame')];
    const remote = { ...first, image_url: { url: 'https://example.com/a.png' } };
    for (const frames of [[last], [first, first], [remote]]) {
      const response = await server.create('A cat', { frame_images: frames });
      assert.deepEqual(
        [response.status, (await jobs.readJson(response)).error.metadata],
        [400, { field: 'frame_images' }],
      );
    }
  });

  test('a request of more than 50 MiB is 413', async () => {
    const body = JSON.stringify(jobs.routerBody('x'.repeat(51 * 1024 * 1024)));
    const response = await fetch(server.jobs, { method: 'POST', headers: jobs.BEARER, body });
    assert.equal(response.status, 413);
  });
});

describe('the catalogue of OpenRouter', () => {
  test('lists the video models with their abilities, without a key', async () => {
    const { data } = await jobs.readJson(await fetch(`${base}/videos/models`));
    const ids = data.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, ['google/veo-3.1', 'google/veo-3.1-fast']);
    assert.partialDeepStrictEqual(data[0], {
      supported_durations: [4, 6, 8],
      supported_resolutions: ['720p', '1080p', '4K'],
      supported_aspect_ratios: ['16:9', '9:16'],
      supported_frame_images: ['first_frame', 'last_frame'],
      generate_audio: true,
      seed: true,
    });
  });

  test('lists the image models by their output', async () => {
    const list = async (query: string) => (await jobs.readJson(await fetch(`${base}/models${query}`))).data;
    const [model] = await list('?output_modalities=image');
    assert.equal(model.id, 'google/gemini-3.1-flash-image');
    assert.deepEqual(model.architecture.output_modalities, ['image', 'text']);
    assert.deepEqual(await list('?output_modalities=audio'), []);
  });

  test('describes the key of the request', async () => {
    const { data } = await jobs.readJson(await fetch(`${base}/key`, { headers: jobs.BEARER }));
    assert.equal(data.is_free_tier, false);
    const refused = await fetch(`${base}/key`, { headers: { authorization: 'Bearer wrong' } });
    assert.deepEqual(await jobs.readJson(refused), {
      error: { code: 401, message: 'User not found.' },
      user_id: 'user_sample',
    });
  });
});
