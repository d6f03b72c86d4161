import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { type ImageService, startImages } from '../../../../functions/images/usecases/generate-image.ts';
import { failoverPool } from '../../../../functions/upstream/domain/failover.ts';
import { UpstreamError, type UpstreamFault } from '../../../../functions/upstream/domain/faults.ts';
import type { ImageAnswer } from '../../../../functions/upstream/domain/image-request.ts';
import { buildLimiter } from '../../../support/builders/limiter.ts';
import { GENERATED_IMAGE, IMAGE_REQUEST } from '../../../support/builders/requests.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';
import { MemoryPool, poolStatesPort } from '../../../support/in-memory/upstreams.ts';

const START = 5000;
const fault = (kind: UpstreamFault, httpStatus?: number, retryAfterSeconds?: number) =>
  new UpstreamError(kind, 'no', { ...(httpStatus && { httpStatus }), retryAfterSeconds });

/** A service with two upstreams; each call takes so many milliseconds. */
const build = (answers: Readonly<Record<'a' | 'b', ImageAnswer | UpstreamError>>, duration = 0) => {
  let time = START;
  const calls: (readonly [upstream: string, timeoutMs: number])[] = [];
  const charged: string[] = [];
  const logger = { info: () => {}, error: () => {} };
  const upstreams = [anUpstream('a', { priority: 1, submitsPerMinute: 1 }), anUpstream('b', { priority: 2 })];
  const states = poolStatesPort(new MemoryPool());
  const pool = failoverPool({ upstreams, states, logger, now: () => time, random: () => 0 });
  const service: ImageService = {
    upstreams,
    pool,
    generator: {
      generate: async (_, { timeoutMs }, { name }) => {
        calls.push([name, timeoutMs]);
        time += duration;
        const answer = answers[name === 'a' ? 'a' : 'b'];
        if (answer instanceof UpstreamError) throw answer;
        return answer;
      },
    },
    charges: { record: async ({ upstream }) => void charged.push(upstream) },
    limiter: buildLimiter(),
    keeping: undefined,
    logger,
    now: () => time,
    prices: { currency: 'USD', videoSecond: {}, image: {} },
    timeoutMs: 1000,
    retryDelayMs: 1,
  };
  const order = {
    caller: { account: 'a', keyId: 'k' },
    requestId: 'r',
    request: IMAGE_REQUEST,
    indexes: [0],
  };
  const run = async () => (await startImages(service, order)).images[0];
  const runWith = async (change: Partial<ImageService>) =>
    (await startImages({ ...service, ...change }, order)).images[0];
  return { run, runWith, pool, calls, charged, names: () => calls.map(([name]) => name) };
};

describe('an image', () => {
  test('comes from the next upstream after 503, which is charged', async () => {
    const { run, names, charged } = build({ a: fault('failing', 503), b: GENERATED_IMAGE });
    await run();
    assert.deepEqual([names(), charged], [['a', 'b'], ['b']]);
  });

  test('does not come from another upstream after 500, but is repeated once', async () => {
    const { run, names } = build({ a: fault('failing', 500), b: GENERATED_IMAGE });
    await assert.rejects(run());
    assert.deepEqual(names(), ['a', 'a']);
  });

  test('is refused without an upstream', async () => {
    const { runWith, pool } = build({ a: GENERATED_IMAGE, b: GENERATED_IMAGE });
    const choosing = (kind: 'retired' | 'none') =>
      runWith({ pool: { ...pool, choose: async () => ({ kind }) } });
    await assert.rejects(choosing('retired'), { code: 'model_unavailable' });
    await assert.rejects(choosing('none'), { code: 'upstream_unavailable' });
  });

  test('leaves the remaining time to the next upstream', async () => {
    const { run, calls } = build({ a: fault('busy', 429), b: GENERATED_IMAGE }, 400);
    await run();
    assert.deepEqual(calls.flat(), ['a', 1000, 'b', 600]);
  });

  test('is not asked for elsewhere when the time is over', async () => {
    const { run, names } = build({ a: fault('busy', 429, 7), b: GENERATED_IMAGE }, 1000);
    await assert.rejects(run(), { code: 'rate_limited', retryAfterSeconds: 7 });
    assert.deepEqual(names(), ['a']);
  });

  test('fails with the last refusal if there is no further upstream', async () => {
    const { run, names } = build({ a: fault('operator', 401), b: fault('busy', 429, 9) });
    await assert.rejects(run(), { code: 'rate_limited', retryAfterSeconds: 9 });
    assert.deepEqual(names(), ['a', 'b']);
  });

  test('is refused with a Retry-After and without a call while every upstream pauses', async () => {
    const { run, pool, names } = build({ a: GENERATED_IMAGE, b: GENERATED_IMAGE });
    await pool.note('a', IMAGE_MODEL, fault('operator', 401));
    await pool.note('b', IMAGE_MODEL, fault('busy', 429, 12.2));
    await assert.rejects(run(), { code: 'rate_limited', retryAfterSeconds: 13 });
    assert.deepEqual(names(), []);
  });
});

test('the result of a call is noted before the next upstream is chosen, and saved before the image is returned', async () => {
  for (const answer of [GENERATED_IMAGE, fault('busy', 429)]) {
    const { runWith, pool } = build({ a: answer, b: GENERATED_IMAGE });
    const events: string[] = [];
    const watched: typeof pool = {
      ...pool,
      choose: (wanted) => {
        events.push('choose');
        return pool.choose(wanted);
      },
      note: async (name) => {
        await setImmediate();
        events.push(`noted ${name}`);
      },
      saveCounts: async () => {
        await setImmediate();
        events.push('saved');
      },
    };
    await runWith({ pool: watched });
    const others = answer === GENERATED_IMAGE ? [] : ['choose', 'noted b'];
    assert.deepEqual(events, ['choose', 'noted a', ...others, 'saved']);
  }
});
