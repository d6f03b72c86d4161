import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { TEST_CONFIG } from '../../support/assembly.ts';
import { fewAtOnce } from '../../support/few-at-once.ts';
import { call, createVideo, readError } from '../../support/http.ts';
import { longOr } from '../../support/long-tests.ts';
import { until } from '../../support/until.ts';
import { service } from './service.ts';

const busy = await service.issueKey('with-slow-tasks');
const other = await service.issueKey('another');

const inParallel = <T>(count: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, act));

test('during a flood with one key another account is served, and the flood is told its limit', async () => {
  const store = { clientConfig: service.operator, outputs: service.outputs };
  const flooding = await issueApiKey(store, { account: 'flooding', name: 'limited', requestsPerSecond: 1 });
  // Events are handled in turn, so the flood lasts as long as the other account needs for its requests.
  const flood = inParallel(longOr(10, 20), () =>
    Array.fromAsync({ length: longOr(12, 20) }, () => call(service, 'GET', '/v1/videos', { key: flooding })),
  );
  const served = await Array.fromAsync({ length: 10 }, () =>
    call(service, 'GET', '/v1/videos', { key: other }),
  );
  assert.deepEqual(
    served.map(({ status }) => status),
    Array(10).fill(200),
  );
  const answers = (await flood).flat();
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0 && refused.length < answers.length, `${refused.length} are refused`);
  for (const answer of refused) {
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [429, '1']);
    assert.equal(readError(answer).code, 'rate_limited');
    assert.match(readError(answer).message, /from the API key: limit 1/);
  }
});

/** Those that hold all workers, and twice as many that wait. */
const SLOW_TASKS = longOr(3 * TEST_CONFIG.workerConcurrency, 30);

test(`beside ${SLOW_TASKS} tasks with slow submits, the task of another account starts within 10 seconds`, async () => {
  const slow = await fewAtOnce(SLOW_TASKS, () =>
    createVideo(service, 'a slow one [sample: slow start 30s]', busy),
  );
  const started = Date.now();
  const id = await createVideo(service, 'a quick one [sample: filtered]', other);
  await until(async () => {
    const { body } = await call(service, 'GET', `/v1/videos/${id}`, { key: other });
    return body.status !== 'queued';
  }, 100);
  assert.ok(Date.now() - started < 10_000, `it starts after ${Date.now() - started} ms`);
  const waiting = await call(service, 'GET', '/v1/videos?limit=100&status=queued', { key: busy });
  const stillWaiting = JSON.stringify(waiting.body).split('"queued"').length - 1;
  assert.ok(stillWaiting > SLOW_TASKS / 2, 'most of the slow ones still wait');
  // They would keep the workers busy during the tests that follow.
  for (const each of slow) await call(service, 'POST', `/v1/videos/${each}/cancel`, { key: busy });
});
