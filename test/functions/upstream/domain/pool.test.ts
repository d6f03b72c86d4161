import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onlyUpstream } from '../../../../functions/upstream/domain/pool.ts';
import { UpstreamError, upstreamPauses } from '../../../../functions/upstream/domain/upstream.ts';

const NOW = 1000;
const video = { model: 'video', tried: new Set<string>(), kind: 'video' } as const;
const CHOSEN = { kind: 'chosen', upstream: { name: 'default' }, place: undefined };

const busyPool = async () => {
  const pool = onlyUpstream(
    'default',
    upstreamPauses(() => NOW),
    () => NOW,
  );
  const busy = new UpstreamError('busy', 'no', { httpStatus: 429, retryAfterSeconds: 30 });
  for (let count = 0; count < 3; count += 1) await pool.note('default', 'video', busy);
  return pool;
};

describe('the only upstream', () => {
  test('is chosen without a definition, and once for each request', async () => {
    const pool = onlyUpstream(
      'default',
      upstreamPauses(() => NOW),
      () => NOW,
    );
    assert.deepEqual(await pool.choose(video), CHOSEN);
    assert.deepEqual(await pool.choose({ ...video, tried: new Set(['default']) }), { kind: 'none' });
    assert.deepEqual([pool.hasOthers, await pool.canServeLine('video')], [false, false]);
  });

  test('pauses for videos of the model after three refusals, but not for images', async () => {
    const pool = await busyPool();
    assert.deepEqual(await pool.choose(video), { kind: 'paused', until: NOW + 30_000 });
    assert.deepEqual(await pool.choose({ ...video, model: 'other' }), CHOSEN);
    assert.deepEqual(await pool.choose({ ...video, kind: 'image' }), CHOSEN);
  });
});
