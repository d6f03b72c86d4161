import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { vertexClient, vertexImages } from '../../../../../functions/upstream/kinds/vertex/adapter.ts';
import { IMAGE_REQUEST } from '../../../../support/builders/requests.ts';
import { aTask } from '../../../../support/builders/task.ts';
import { RECORDED_FAILURES } from '../../recorded/failures.ts';
import { RECORDED_OPERATIONS, VERTEX_OPERATION } from '../../recorded/video-operations.ts';

type Sent = {
  readonly url: string;
  readonly method: string;
  readonly token: string | null;
  readonly body: string;
};
type Place = { location?: string; baseUrl?: string; storageUri?: string; personGeneration?: string };

/** A client that receives these answers in turn, and the requests that it sent. */
const answering = (answers: readonly Response[], place: Place = {}) => {
  const sent: Sent[] = [];
  let tokens = 0;
  const options = {
    name: 'vertex-us',
    project: 'acme',
    location: 'us-central1',
    ...place,
    modelName: (model: string) => (model === 'video-3.1-generate-preview' ? 'veo-3.1-generate-001' : model),
    token: {
      read: async () => `token-${tokens}`,
      renew: async (_: string, httpStatus: number | undefined) => {
        tokens += 1;
        return httpStatus === 401;
      },
    },
    fetch: async (url: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const token = new Headers(init?.headers).get('authorization');
      const body = await new Response(init?.body).text();
      sent.push({ url: String(url), method: init?.method ?? '', token, body });
      return answers[sent.length - 1] ?? assert.fail('one call too many');
    },
  };
  return { client: { ...vertexClient(options), images: vertexImages(options) }, sent };
};

const MODEL = 'v1/projects/acme/locations/us-central1/publishers/google/models/veo-3.1-generate-001';
const HOST = 'https://us-central1-aiplatform.googleapis.com';
const STORED = { kind: 'address', uri: 'gs://acme-out/a folder/1/sample_0.mp4' } as const;
const OBJECT = 'https://storage.googleapis.com/storage/v1/b/acme-out/o/a%20folder%2F1%2Fsample_0.mp4';
const TIMEOUT = 5000;

describe('a video of Vertex AI', () => {
  const started = () => Response.json({ name: VERTEX_OPERATION });

  test('is requested with its images, sound, a token and the bucket for the result', async () => {
    const { client, sent } = answering([started()], { storageUri: 'gs://acme-out/' });
    const inputs = (['first_frame', 'last_frame', 'reference'] as const).map((role, index) => ({
      role,
      bytes: new Uint8Array(3).fill(index),
      mimeType: 'image/png' as const,
    }));
    assert.equal(await client.videos(TIMEOUT).submit(aTask().request, inputs, 'key'), VERTEX_OPERATION);
    const [{ body, ...call } = assert.fail()] = sent;
    assert.deepEqual(call, {
      url: `${HOST}/${MODEL}:predictLongRunning`,
      method: 'POST',
      token: 'Bearer token-0',
    });
    assert.deepEqual(JSON.parse(body), {
      instances: [
        {
          prompt: 'a lighthouse',
          image: { bytesBase64Encoded: 'AAAA', mimeType: 'image/png' },
          lastFrame: { bytesBase64Encoded: 'AQEB', mimeType: 'image/png' },
          referenceImages: [
            { image: { bytesBase64Encoded: 'AgIC', mimeType: 'image/png' }, referenceType: 'asset' },
          ],
        },
      ],
      parameters: {
        sampleCount: 1,
        durationSeconds: 6,
        aspectRatio: '16:9',
        resolution: '720p',
        seed: 0,
        generateAudio: true,
        storageUri: 'gs://acme-out/',
      },
    });
  });

  for (const [place, url] of [
    [
      { location: 'europe-west4' },
      'https://europe-west4-aiplatform.googleapis.com/v1/projects/acme/locations/europe-west4/',
    ],
    [{ location: 'global' }, 'https://aiplatform.googleapis.com/v1/projects/acme/locations/global/'],
    [{ location: 'us' }, 'https://aiplatform.us.rep.googleapis.com/v1/projects/acme/locations/us/'],
    [{ location: 'eu' }, 'https://aiplatform.eu.rep.googleapis.com/v1/projects/acme/locations/eu/'],
    [
      { baseUrl: 'https://proxy.test/vertex/' },
      'https://proxy.test/vertex/v1/projects/acme/locations/us-central1/',
    ],
  ] as const)
    test(`is requested at ${url}`, async () => {
      const { client, sent } = answering([started()], place);
      await client.videos(TIMEOUT).submit(aTask().request, [], 'key');
      assert.ok(sent[0]?.url.startsWith(url), sent[0]?.url);
      for (const name of ['storageUri', 'personGeneration'])
        assert.equal(sent[0]?.body.includes(name), false);
    });

  test('is requested with the setting for persons, if there is one', async () => {
    const { client, sent } = answering([started()], { personGeneration: 'allow_all' });
    await client.videos(TIMEOUT).submit(aTask().request, [], 'key');
    assert.equal(JSON.parse(sent[0]?.body ?? '').parameters.personGeneration, 'allow_all');
  });

  test('is possibly started by a response without the name of an operation of Vertex AI', async () => {
    for (const name of [undefined, 'models/veo/operations/1', `${VERTEX_OPERATION}/../x`]) {
      const { client } = answering([Response.json({ name })]);
      await assert.rejects(client.videos(TIMEOUT).submit(aTask().request, [], 'key'), {
        fault: 'unanswered',
      });
    }
  });

  test('is checked at the model of its operation', async () => {
    const { client, sent } = answering([Response.json(RECORDED_OPERATIONS.vertexStored)]);
    const state = await client.videos(TIMEOUT).check(VERTEX_OPERATION);
    assert.deepEqual(state, {
      state: 'done',
      source: { kind: 'address', uri: 'gs://bucket/1762941823/sample_0.mp4' },
    });
    assert.deepEqual(sent, [
      {
        url: `${HOST}/v1/projects/flash-rock-470314-u1/locations/us-central1/publishers/google/models/veo-3.0-generate-preview:fetchPredictOperation`,
        method: 'POST',
        token: 'Bearer token-0',
        body: JSON.stringify({ operationName: VERTEX_OPERATION }),
      },
    ]);
  });

  test('is read from Cloud Storage, and deleted there', async () => {
    const { client, sent } = answering([new Response('mp4'), new Response(null, { status: 204 })]);
    const videos = client.videos(TIMEOUT);
    const video = await Array.fromAsync(await videos.open(VERTEX_OPERATION, STORED));
    assert.equal(Buffer.concat(video).toString(), 'mp4');
    await videos.discard?.(VERTEX_OPERATION, STORED);
    assert.deepEqual(
      sent.map(({ method, url, token }) => [method, url, token]),
      [
        ['GET', `${OBJECT}?alt=media`, 'Bearer token-0'],
        ['DELETE', OBJECT, 'Bearer token-0'],
      ],
    );
  });

  test('that is inline is read from its operation, and leaves nothing to delete', async () => {
    const { client, sent } = answering([Response.json(RECORDED_OPERATIONS.vertexInline)]);
    const videos = client.videos(TIMEOUT);
    const video = await Array.fromAsync(await videos.open(VERTEX_OPERATION, { kind: 'inline' }));
    assert.equal(Buffer.concat(video).subarray(4, 8).toString(), 'ftyp');
    await videos.discard?.(VERTEX_OPERATION, { kind: 'inline' });
    assert.equal(sent.length, 1);
  });

  test('that is gone already counts as deleted, but one that may not be deleted is an error', async () => {
    const { client } = answering([
      new Response('Not Found', { status: 404 }),
      new Response('', { status: 403 }),
    ]);
    const videos = client.videos(TIMEOUT);
    await videos.discard?.(VERTEX_OPERATION, STORED);
    await assert.rejects(async () => videos.discard?.(VERTEX_OPERATION, STORED), { httpStatus: 403 });
  });

  for (const uri of ['https://elsewhere.test/1', 'gs://bucket', 'gs:///object', 'file:///etc/passwd'])
    test(`is not read from ${uri}`, async () => {
      const { client } = answering([]);
      const source = { kind: 'address', uri } as const;
      await assert.rejects(client.videos(TIMEOUT).open(VERTEX_OPERATION, source), { fault: 'rejected' });
    });

  test('of another kind of upstream is not checked', async () => {
    const { client } = answering([]);
    await assert.rejects(client.videos(TIMEOUT).check('models/veo/operations/1'), { fault: 'rejected' });
  });
});

describe('a model of Vertex AI', () => {
  const notFound = () => Response.json(RECORDED_FAILURES.vertexUnknown, { status: 404 });

  test('that is unknown is retired for videos and images', async () => {
    const { client } = answering([notFound(), notFound()]);
    await assert.rejects(client.videos(TIMEOUT).submit(aTask().request, [], 'key'), { fault: 'retired' });
    await assert.rejects(client.images.generate(IMAGE_REQUEST, { timeoutMs: TIMEOUT }), { fault: 'retired' });
  });

  test('is looked up by its name at the publisher', async () => {
    const { client, sent } = answering([Response.json({ name: 'publishers/google/models/veo' }), notFound()]);
    assert.equal(await client.probe('veo', TIMEOUT, 'video'), 'offered');
    assert.equal(await client.probe('veo', TIMEOUT, 'video'), 'missing');
    const requests = sent.map(({ method, url }) => `${method} ${url}`);
    assert.deepEqual(requests, Array(2).fill(`GET ${HOST}/v1/publishers/google/models/veo`));
  });
});

const refused = () => Response.json({ error: { code: 401, message: 'no' } }, { status: 401 });

test('a refused token that stays refused says what to check', async () => {
  const { client } = answering([refused(), refused()]);
  await assert.rejects(client.verify(TIMEOUT), {
    fault: 'operator',
    httpStatus: 401,
    message:
      'Vertex AI refused a new access token of the upstream "vertex-us"; check that its service account is enabled and that its token lifetime is not restricted.',
  });
});
test('an image of Vertex AI has the same request and response as one of the Gemini API', async () => {
  const inlineData = { mimeType: 'image/jpeg', data: 'AAAA' };
  const answer = { candidates: [{ content: { parts: [{ inlineData }] }, finishReason: 'STOP' }] };
  const { client, sent } = answering([Response.json(answer)]);
  const image = await client.images.generate(IMAGE_REQUEST, { timeoutMs: TIMEOUT });
  assert.ok(image.outcome === 'image');
  assert.equal(image.image.base64, 'AAAA');
  assert.equal(
    sent[0]?.url,
    `${HOST}/v1/projects/acme/locations/us-central1/publishers/google/models/${IMAGE_REQUEST.model}:generateContent`,
  );
  assert.match(sent[0]?.body ?? '', /"contents":\[\{"role":"user"/);
});
