import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../functions/catalogue/domain/models.ts';
import { fewAtOnce } from '../support/few-at-once.ts';
import { call, FAST_MODEL, MODEL, readId, waitFor } from '../support/http.ts';
import { dataUri, PNG } from '../support/images.ts';
import { startPooledService } from '../support/pooled-service.ts';
import { until } from '../support/until.ts';

/** One upstream of every kind, and two servers of the Videos API that know different options. */
const NAMES = ['server', 'hub', 'router', 'vertex-us', 'images'] as const;
type Name = (typeof NAMES)[number];

/** Among upstreams of one priority the choice is random; these priorities leave one upstream for each request. */
const service = await startPooledService([
  {
    name: 'server',
    kind: 'openai',
    options: 'metadata',
    models: { [FAST_MODEL]: null },
    priority: 1,
    recordBodies: true,
  },
  {
    name: 'hub',
    kind: 'openai',
    options: 'media-generation',
    models: { [MODEL]: null },
    priority: 1,
    recordBodies: true,
  },
  { name: 'router', kind: 'openrouter', priority: 2, recordBodies: true },
  { name: 'vertex-us', kind: 'vertex', models: { [IMAGE_MODEL]: null }, priority: 3, recordBodies: true },
  {
    name: 'images',
    models: { [MODEL]: null, [FAST_MODEL]: null, [IMAGE_MODEL]: 'gemini-3.1-flash-image' },
    recordBodies: true,
  },
]);
after(service.close);

const IMAGE = dataUri(PNG, 'image/png');
const MODES = {
  text: {},
  first_frame: { input_reference: IMAGE },
  first_and_last_frame: { input_reference: IMAGE, last_frame: IMAGE },
  references: { reference_images: [IMAGE] },
} as const;
type Mode = keyof typeof MODES;

type Wanted = {
  readonly model: string;
  readonly mode: Mode;
  readonly resolution: '720p' | '1080p' | '4k';
  readonly aspectRatio: '16:9' | '9:16';
  readonly seed: number | undefined;
  readonly negativePrompt: string | undefined;
};

/** The first upstream by priority that can do all of it, as the vendors' documents say. */
const chosen = ({ model, mode }: Wanted): Exclude<Name, 'images'> => {
  if (model === FAST_MODEL) return 'hub';
  if (mode === 'references') return 'vertex-us';
  return mode === 'first_and_last_frame' ? 'router' : 'server';
};

/** Every model and mode; resolutions, ratios and the other options in turn. */
const REQUESTS: readonly Wanted[] = [MODEL, FAST_MODEL].flatMap((model, large) =>
  (['text', 'first_frame', 'first_and_last_frame', 'references'] as const).map((mode, row): Wanted => {
    const turn = large + row;
    return {
      model,
      mode,
      resolution: (['720p', '1080p', '4k'] as const)[turn % 3] ?? '720p',
      aspectRatio: turn % 2 === 0 ? '16:9' : '9:16',
      seed: turn % 3 === 0 ? 0 : undefined,
      negativePrompt: turn % 3 === 1 && mode !== 'references' ? 'rain' : undefined,
    };
  }),
);

/** A test prompt is neither shown nor rendered, so that it marks a request without a rendering of its own. */
const mark = (index: number): string => `[sample: delay 0.${String(index).padStart(3, '0')}1s]`;

/** The create request that contains the mark, at whichever upstream it arrived. */
const findReceived = (index: number): Name[] =>
  NAMES.flatMap((upstream) =>
    service
      .generatorNamed(upstream)
      .requests()
      .filter(({ method, body }) => method === 'POST' && JSON.stringify(body ?? '').includes(mark(index)))
      .map(() => upstream),
  );

/** The submits that an upstream has received. */
const findSubmits = (name: Name): number =>
  service
    .generatorNamed(name)
    .requests()
    .filter(({ method, path }) => method === 'POST' && /\/videos$|:predictLongRunning$/.test(path)).length;

const create = (wanted: Wanted, prompt: string) => {
  const { mode, seed, negativePrompt, resolution, aspectRatio, model } = wanted;
  const metadata = { resolution, aspectRatio };
  const json = {
    model,
    prompt,
    seconds: 8,
    metadata,
    ...MODES[mode],
    ...(negativePrompt && { negativePrompt }),
  };
  return call(service, 'POST', '/v1/videos', { json: seed === undefined ? json : { ...json, seed } });
};

describe('a service with an upstream of every kind', () => {
  test('completes every mode where all options work, each at the first upstream that can do it', async () => {
    const tasks = await fewAtOnce(REQUESTS.length, async (index) => {
      const wanted = REQUESTS[index] ?? assert.fail();
      const prompt = `a paper boat ${mark(index)}`;
      const id = readId(await create(wanted, prompt));
      return { wanted, id, index };
    });
    for (const { wanted, id, index } of tasks) {
      const { body } = await waitFor(service, id);
      const title = JSON.stringify(wanted);
      assert.equal(body.status, 'completed', `${title}: ${JSON.stringify(body.error)}`);
      const [received, ...others] = findReceived(index);
      assert.ok(received !== undefined && others.length === 0, `${title} arrived ${others.length + 1} times`);
      assert.equal(received, chosen(wanted), title);
      const { body: detail } = await call(service, 'GET', `/v1/videos/${id}?include[]=file`);
      assert.deepEqual(Object(detail.file).differs, [], title);
    }
  });

  test('makes images at the upstreams that offer them', async () => {
    const answer = await call(service, 'POST', '/v1/images/generations', {
      json: { model: IMAGE_MODEL, prompt: 'a fox' },
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 200));
  });
});

describe('a model that an upstream retires', () => {
  const log = (words: string): string[] => service.logs().filter((line) => line.includes(words));

  const createOne = async (): Promise<string> => {
    const json = { model: MODEL, prompt: 'a lighthouse', seconds: 8, ...MODES.first_and_last_frame };
    const id = readId(await call(service, 'POST', '/v1/videos', { json }));
    await waitFor(service, id, ['in_progress', 'completed', 'failed']);
    return id;
  };

  test('is generated elsewhere, while videos are created, and nothing is charged twice', async () => {
    const before = findSubmits('router');
    service.generatorNamed('router').limit({ retired: { 'google/veo-3.1': 'google/veo-9' } });
    const ids = await fewAtOnce(8, createOne);
    for (const id of ids) assert.equal((await waitFor(service, id)).body.status, 'completed');
    // Each worker may find out for itself.
    const submits = findSubmits('router') - before;
    assert.ok(submits >= 1 && submits <= 4, `${submits} submits`);
    const { body } = await call(service, 'POST', '/v1/videos', {
      json: { model: FAST_MODEL, prompt: 'a lighthouse', seconds: 4 },
    });
    assert.equal((await waitFor(service, String(body.id))).body.status, 'completed');
  });

  test('is reported to the operator', async () => {
    await until(async () => log('"upstream model retired"').length > 0, 100);
    const [line = ''] = log('"upstream model retired"');
    const { upstream, model, httpStatus, UpstreamNeedsOperator } = JSON.parse(line);
    assert.deepEqual(
      { upstream, model, httpStatus, UpstreamNeedsOperator },
      { upstream: 'router', model: MODEL, httpStatus: 404, UpstreamNeedsOperator: 1 },
    );
  });

  test('is found by the daily check, which spends nothing', async () => {
    const submits = NAMES.map(findSubmits);
    await service.cloud.runSchedule('EveryDay');
    await until(async () => log('"upstreams checked"').length > 0, 100);
    const [line = ''] = log('"upstreams checked"');
    const { models, problems } = JSON.parse(line);
    assert.deepEqual({ models, problems }, { models: 8, problems: 1 });
    assert.deepEqual(NAMES.map(findSubmits), submits);
  });
});
