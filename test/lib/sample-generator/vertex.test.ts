import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VideoGenerator } from '../../../functions/upstream/domain/video-generator.ts';
import { checkedVideo } from '../../../functions/videos/domain/mp4.ts';
import { openSampleVertex, vertexAt } from '../../functions/upstream/adapters/sample-vertex.ts';
import { IMAGE_REQUEST } from '../../support/builders/requests.ts';
import { aTask } from '../../support/builders/task.ts';
import { readCodecs } from '../../support/mp4.ts';

const vertex = await openSampleVertex({ drafts: true });
after(() => vertex[Symbol.asyncDispose]());

const request = (prompt: string) => ({ ...aTask().request, prompt, seconds: 4 as const });
const storageUri = 'gs://acme-out/videos/';
const stored = vertexAt(vertex.url, vertex.federation('video-worker'), { storageUri });

const finish = async (videos: VideoGenerator, prompt: string) => {
  const operation = await videos.submit(request(prompt), [], 'key');
  for (;;) {
    const state = await videos.check(operation);
    if (state.state !== 'pending') return { operation, state };
    await sleep(100);
  }
};

/** Reads the whole video, which must be an MP4, and returns its length. */
const readVideo = async (video: AsyncIterable<Uint8Array>): Promise<number> => {
  let length = 0;
  for await (const _ of checkedVideo(video, ({ bytes }) => {
    length = bytes;
  }));
  return length;
};

describe('Vertex AI with federation', () => {
  const videos = stored.client.videos(60_000);

  test('stores a real MP4 in Cloud Storage, where it can be read and deleted', async () => {
    const { operation, state } = await finish(videos, 'A cat');
    assert.ok(state.state === 'done' && state.source.kind === 'address');
    assert.match(state.source.uri, /^gs:\/\/acme-out\/videos\/[a-z0-9]{11}\/sample_0\.mp4$/);
    assert.ok((await readVideo(await videos.open(operation, state.source))) > 1000);
    await videos.discard?.(operation, state.source);
    await assert.rejects(videos.open(operation, state.source), { httpStatus: 404 });
    await videos.discard?.(operation, state.source);
  });

  test('returns a padded video inline without a bucket', async () => {
    const inline = vertexAt(vertex.url, vertex.account).client.videos(60_000);
    const { operation, state } = await finish(inline, 'A cat [sample: size 3MB]');
    assert.deepEqual(state, { state: 'done', source: { kind: 'inline' } });
    assert.equal(await readVideo(await inline.open(operation, { kind: 'inline' })), 3_000_000);
  });

  for (const [prompt, code] of [
    ['[sample: filtered]', 'content_blocked'],
    ['[sample: done with error 3]', 'upstream_rejected'],
    ['[sample: done without video]', 'upstream_unavailable'],
  ] as const)
    test(`fails for ${prompt} with ${code}`, async () => {
      const { state } = await finish(videos, `A cat ${prompt}`);
      assert.equal(state.state === 'failed' && state.error.code, code);
    });

  test('does not know an operation of another upstream', async () => {
    const operation = await videos.submit(request('A cat [sample: never done]'), [], 'key');
    await assert.rejects(videos.check(operation.replace(/.$/, '-')), { httpStatus: 404 });
  });

  test('makes a video without a sound track if the request says so', async () => {
    const token = await stored.token.read();
    const call = async (method: string, body: object) => {
      const url = `${vertex.url}/v1/projects/acme/locations/us-central1/publishers/google/models/veo-x:${method}`;
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return JSON.parse(await response.text());
    };
    const generate = async (generateAudio: boolean) => {
      const parameters = { durationSeconds: 4, generateAudio };
      const { name } = await call('predictLongRunning', { instances: [{ prompt: 'A cat' }], parameters });
      for (;;) {
        const { done, response } = await call('fetchPredictOperation', { operationName: name });
        if (done === true) return Buffer.from(response.videos[0].bytesBase64Encoded, 'base64');
        await sleep(50);
      }
    };
    assert.deepEqual(readCodecs(await generate(true)), ['avc1', 'mp4a']);
    assert.deepEqual(readCodecs(await generate(false)), ['avc1']);
  });

  test('makes images', async () => {
    const answer = await stored.client.images.generate(
      { ...IMAGE_REQUEST, config: { aspectRatio: '16:9', imageSize: '512' } },
      { timeoutMs: 60_000 },
    );
    assert.ok(answer.outcome === 'image');
    assert.equal(Buffer.from(answer.image.base64, 'base64').readUInt16BE(0), 0xffd8);
  });
});

test('an upstream obeys the test prompts for its name only', async () => {
  const submit = (prompt: string) => stored.client.videos(60_000).submit(request(prompt), [], 'key');
  await assert.rejects(submit('A cat [sample: never done, on=vertex-us busy]'), { fault: 'busy' });
  await submit('A cat [sample: never done, on=studio-a busy]');
  await assert.rejects(submit('A cat [sample: on=studio-a dance]'), /Unknown test prompt "dance"/);
});
