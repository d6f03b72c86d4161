import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { UpstreamError } from '../../../../functions/upstream/domain/faults.ts';
import { choice, onlyUpstream } from '../../../../functions/upstream/domain/pool.ts';
import { upstreamPauses } from '../../../../functions/upstream/domain/process-pauses.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import { upstreamSchema } from '../../../../functions/upstream/kinds/kinds.ts';
import { ANY_IMAGE, aVideo } from '../../../support/builders/needs.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';

const NOW = 1000;
const MODEL = 'video-3.1-generate-preview';
const OTHER = 'video-3.1-fast-generate-preview';
const video = { model: MODEL, tried: new Set<string>(), needs: aVideo() } as const;
const ONLY = anUpstream('default');
const DEFINITION =
  '{"name":"default","kind":"gemini","baseUrl":"https://default.test","keyHeader":"x-goog-api-key","models":{},"priority":1,"weight":1}';
const CHOSEN = {
  kind: 'chosen',
  upstream: { name: 'default', definition: DEFINITION },
  place: undefined,
  isIdempotent: false,
};

const newPool = () =>
  onlyUpstream(
    ONLY,
    upstreamPauses(() => NOW),
    () => NOW,
  );

const busyPool = async () => {
  const pool = newPool();
  const busy = new UpstreamError('busy', 'no', { httpStatus: 429, retryAfterSeconds: 30 });
  for (let count = 0; count < 3; count += 1) await pool.note('default', MODEL, busy);
  return pool;
};

describe('the only upstream', () => {
  test('is chosen once for each request', async () => {
    const pool = newPool();
    assert.deepEqual(await pool.choose(video), CHOSEN);
    assert.deepEqual(await pool.choose({ ...video, tried: new Set(['default']) }), { kind: 'none' });
    assert.deepEqual([pool.hasOthers, await pool.freeForLine(MODEL)], [false, []]);
  });

  test('pauses for videos of the model after three refusals, but not for images', async () => {
    const pool = await busyPool();
    assert.deepEqual(await pool.choose(video), { kind: 'paused', until: NOW + 30_000 });
    assert.deepEqual(await pool.choose({ ...video, model: OTHER }), CHOSEN);
    assert.deepEqual(await pool.choose({ ...video, model: IMAGE_MODEL, needs: ANY_IMAGE }), CHOSEN);
  });
});

describe('the definition of an upstream in its tasks', () => {
  const definition = (upstream: Upstream): unknown => {
    const chosen = choice(upstream, MODEL, undefined);
    assert.ok(chosen.kind === 'chosen');
    return upstreamSchema.parse(JSON.parse(chosen.upstream.definition ?? ''));
  };
  const limits = { submitsPerMinute: 10, videosAtOnce: 5, offers: { seconds: [8] } } as const;

  test('has no models, limits and offers, which its operations do not need', () => {
    assert.deepEqual(definition(anUpstream('default', limits)), anUpstream('default', { models: {} }));
  });

  test('has the models if a submit may be repeated after the upstream has left the settings', () => {
    const { name, models, priority, weight } = anUpstream('inner');
    const address = { kind: 'openai', baseUrl: 'https://inner.test', options: 'media-generation' } as const;
    const inner: Upstream = { name, models, priority, weight, ...address };
    assert.deepEqual(definition({ ...inner, ...limits }), inner);
  });
});
