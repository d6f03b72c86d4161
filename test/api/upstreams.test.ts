import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { TEST_CONFIG } from '../support/assembly.ts';
import { call, createVideo, waitFor } from '../support/http.ts';
import { startPooledService } from '../support/pooled-service.ts';

const service = await startPooledService([
  { name: 'limited', limits: { submitsPerMinute: 2 } },
  { name: 'blocked', limits: { blocked: true } },
  { name: 'vertex-us', kind: 'vertex', priority: 2, videosAtOnce: 3 },
]);
after(service.close);

const { pool } = service;
const WORKERS = TEST_CONFIG.workerConcurrency;

/** The submits that an upstream has received. */
const submits = (name: 'limited' | 'blocked' | 'vertex'): number => {
  const generators = { limited: pool.gemini[0], blocked: pool.gemini[1], vertex: pool.vertex[0] };
  const requests = generators[name]?.requests() ?? [];
  return requests.filter(({ method, path }) => method === 'POST' && path.endsWith(':predictLongRunning'))
    .length;
};

describe('a service with one rate-limited upstream, one with a blocked key and one on Vertex AI', () => {
  test('completes every video and charges each once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => createVideo(service, 'a lighthouse')));
    // Four videos at most leave the line at once, when the sweeper runs or a video is finished.
    const sweeping = setInterval(() => void service.cloud.runSchedule('EveryMinute'), 1000);
    try {
      for (const id of ids) assert.equal((await waitFor(service, id)).body.status, 'completed', id);
    } finally {
      clearInterval(sweeping);
    }
    // Each worker process may learn of a pause a few seconds late.
    assert.ok(submits('limited') <= 2 + WORKERS, `${submits('limited')} submits to the limited upstream`);
    assert.ok(submits('blocked') <= WORKERS, `${submits('blocked')} submits with the blocked key`);
    assert.equal(submits('vertex'), 6);
  });

  test('an image is made by the next upstream', async () => {
    const prompt = '[sample: on=limited busy] [sample: on=blocked busy] a fox';
    const answer = await call(service, 'POST', '/v1/images/generations', { json: { prompt } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 300));
  });
});
