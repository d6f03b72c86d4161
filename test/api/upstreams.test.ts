import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { TEST_CONFIG } from '../support/assembly.ts';
import { fewAtOnce } from '../support/few-at-once.ts';
import { call, createVideo } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { startPooledService } from '../support/pooled-service.ts';
import { until } from '../support/until.ts';

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
    const ids = await fewAtOnce(8, () => createVideo(service, 'a lighthouse'));
    const statuses = new Map<string, unknown>();
    // Four videos at most leave the line at once, when the sweeper runs or a video is finished.
    await until(async () => {
      await service.cloud.runSchedule('EveryMinute');
      for (const id of ids)
        if (statuses.get(id) !== 'completed')
          statuses.set(id, (await call(service, 'GET', `/v1/videos/${id}`)).body.status);
      assert.ok(!statuses.values().some((status) => status === 'failed'), JSON.stringify([...statuses]));
      return statuses.values().every((status) => status === 'completed');
    }, 1000);
    // Each worker process may learn of a pause a few seconds late.
    assert.ok(submits('limited') <= 2 + WORKERS, `${submits('limited')} submits to the limited upstream`);
    assert.ok(submits('blocked') <= WORKERS, `${submits('blocked')} submits with the blocked key`);
    assert.equal(submits('vertex'), 6);
  });

  test('an image is made by the next upstream', async () => {
    const prompt = '[sample: on=limited busy] [sample: on=blocked busy] a fox';
    const answer = await call(service, 'POST', '/v1/images/generations', {
      json: { model: IMAGE_MODEL, prompt },
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 300));
  });
});
