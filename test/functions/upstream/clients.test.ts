import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient, createImages, probeUpstream } from '../../../functions/upstream/clients.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import { upstreamSchema } from '../../../functions/upstream/kinds/kinds.ts';
import { IMAGE_REQUEST } from '../../support/builders/requests.ts';
import { aTask } from '../../support/builders/task.ts';
import { FAST, IMAGE, STANDARD } from '../../support/builders/upstream.ts';
import { anInteractionsApi } from '../../support/builders/upstream-kinds.ts';
import { credentialFrom } from './adapters/answering-client.ts';
import { startRecorder } from './adapters/recording-server.ts';
import { openSampleVertex, PLACE, SIGNER } from './adapters/sample-vertex.ts';
import { json } from './adapters/upstream-answers.ts';

const TIMEOUT = 20_000;

const shared = { name: 'upstream', models: {}, priority: 1, weight: 1 } as const;
const credential = credentialFrom(async () => 'secret');

const gemini = (baseUrl: string, models: Upstream['models'] = {}): Upstream => ({
  ...shared,
  kind: 'gemini',
  baseUrl,
  keyHeader: 'x-key',
  models,
});
const openRouter = (url: string): Upstream => ({ ...shared, kind: 'openrouter', baseUrl: `${url}/api/v1` });
const openAi = (baseUrl: string, models: Upstream['models'] = {}): Upstream => ({
  ...shared,
  kind: 'openai',
  baseUrl,
  options: 'none',
  models,
});

/** Vertex AI with one video model and images. */
const openVertex = async () => {
  const vertex = await openSampleVertex();
  const upstream: Upstream = {
    ...shared,
    ...PLACE,
    kind: 'vertex',
    baseUrl: vertex.url,
    models: { [FAST]: null },
  };
  const account = credentialFrom(async () => JSON.stringify(vertex.account));
  return { ...vertex, upstream, account };
};

/** Answers by the path of the request; others are not found. */
const startPaths = (answers: Readonly<Record<string, object>>) =>
  startRecorder((response, at) => {
    const found = answers[at.request.line];
    json(found === undefined ? 404 : 200, found ?? { error: { message: 'Not found.' } })(response, at);
  });

describe('a probe', () => {
  const probe = (upstream: Upstream) => probeUpstream(upstream, credential, SIGNER, TIMEOUT);

  test('of the Gemini API looks up each model by its name', async () => {
    await using server = await startPaths({
      'GET /v1beta/models?pageSize=1': { models: [] },
      'GET /v1beta/models/gemini-3.1-flash-image': { name: 'models/gemini-3.1-flash-image' },
    });
    const found = await probe(gemini(server.url, { [STANDARD]: 'veo-gone', [FAST]: null }));
    assert.deepEqual(found, [
      { model: STANDARD, name: 'veo-gone', result: 'missing' },
      { model: IMAGE, name: 'gemini-3.1-flash-image', result: 'offered' },
    ]);
    assert.ok(server.seen.every(({ headers }) => headers['x-key'] === 'secret'));
  });

  test('of OpenRouter looks for videos and images in different lists', async () => {
    await using server = await startPaths({
      'GET /api/v1/key': {},
      'GET /api/v1/videos/models': { data: [{ id: 'google/veo-3.1' }] },
      'GET /api/v1/models?output_modalities=image': { data: [{ id: 'google/gemini-3.1-flash-image' }] },
    });
    const found = await probe(openRouter(server.url));
    const results = found.map(({ model, result }) => [model, result]);
    assert.deepEqual(results, [
      [STANDARD, 'offered'],
      [FAST, 'missing'],
      [IMAGE, 'offered'],
    ]);
  });

  test('of Vertex AI fails if its project does not work, and looks up models of the publisher', async () => {
    await using vertex = await openVertex();
    const { upstream, account } = vertex;
    const found = await probeUpstream(upstream, account, SIGNER, TIMEOUT);
    const models = found.map(({ model, name }) => [model, name]);
    assert.deepEqual(models, [
      [STANDARD, 'veo-3.1-generate-001'],
      [IMAGE, 'gemini-3.1-flash-image'],
    ]);
    assert.ok(vertex.paths().includes('GET /v1/publishers/google/models/veo-3.1-generate-001'));
    await assert.rejects(probeUpstream({ ...upstream, project: 'other' }, account, SIGNER, TIMEOUT), {
      name: 'UpstreamError',
    });
  });
});

describe('the client of an upstream', () => {
  for (const [kind, upstream, video, image] of [
    [
      'gemini',
      (url: string) => gemini(url, { [STANDARD]: 'veo' }),
      '/v1beta/models/veo:predictLongRunning',
      '/v1beta/models/gemini-3.1-flash-image:generateContent',
    ],
    ['openrouter', openRouter, '/api/v1/videos', '/api/v1/chat/completions'],
    ['openai', (url: string) => openAi(url, { [IMAGE]: 'gpt' }), '/v1/videos', '/v1/images/generations'],
  ] as const)
    test(`of the kind ${kind} makes videos with ${video} and images with ${image}`, async () => {
      await using server = await startRecorder(json(400, { error: { message: 'No.' } }));
      const at = upstream(server.url);
      const images = createImages(at, credential);
      const request = { ...aTask().request, seed: undefined };
      await assert.rejects(createClient(at, credential).videos(TIMEOUT).submit(request, [], 'key'), /No\./);
      await assert.rejects(images.generate(IMAGE_REQUEST, { timeoutMs: TIMEOUT }), /No\./);
      const seen = server.seen.map(({ line }) => line);
      assert.deepEqual(seen, [`POST ${video}`, `POST ${image}`]);
    });

  test('of the kind vertex makes images, and of the kind interactions none', async () => {
    await using vertex = await openVertex();
    const images = createImages(vertex.upstream, vertex.account);
    const { outcome } = await images.generate(IMAGE_REQUEST, { timeoutMs: TIMEOUT });
    assert.equal(outcome, 'image');
    assert.throws(() => createImages(anInteractionsApi(), credential), /The upstream "omni" makes no images/);
  });

  test('does not send a request for a model that the upstream has no name for', async () => {
    const videos = createClient(gemini('http://127.0.0.1:1'), credential).videos(TIMEOUT);
    await assert.rejects(videos.submit(aTask().request, [], 'key'), {
      fault: 'operator',
      message: `The upstream "upstream" has no name for ${STANDARD}.`,
    });
  });
});

test('a field that a later release added to the settings is passed over', () => {
  const given = gemini('https://gemini.test');
  const later = { ...given, added: 1, offers: { resolutions: ['720p'], added: true } };
  assert.deepEqual(upstreamSchema.parse(later), { ...given, offers: { resolutions: ['720p'] } });
});
