import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { VideoSpec } from '../../../lib/sample-generator/media-spec.ts';
import { pictureStore } from '../../../lib/sample-generator/pictures.ts';
import type { RenderJob, RenderOutcome } from '../../../lib/sample-generator/render/render-job.ts';
import {
  type CacheFolders,
  prepareCache,
  type RenderCache,
  renderCache,
} from '../../../lib/sample-generator/studio.ts';

const ORDER: VideoSpec = {
  model: 'video-x',
  prompt: 'A cat',
  testPrompts: { faults: [] },
  width: 1280,
  height: 720,
  seconds: 4,
  seed: 7,
  samples: 1,
  references: [],
};

describe('renderCache', () => {
  let root: string;
  let folders: CacheFolders;
  let jobs: RenderJob[];
  let outcome: RenderOutcome;
  let clips: RenderCache;
  let drafts: RenderCache;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'renderCache-'));
  });
  after(() => rm(root, { recursive: true }));
  beforeEach(async () => {
    await rm(root, { recursive: true });
    folders = await prepareCache(root);
    jobs = [];
    outcome = { outcome: 'rendered' };
    const run = async (job: RenderJob) => {
      jobs.push(job);
      await writeFile(job.output, 'film');
      return outcome;
    };
    const pictures = pictureStore(folders.pictures);
    const queue = { run, close: () => {} };
    clips = renderCache(folders, pictures, queue);
    drafts = renderCache(folders, pictures, queue, true);
  });

  test('renders the same request once, for concurrent and later callers', async () => {
    await Promise.all([
      clips(ORDER, 0),
      clips(ORDER, 0),
      clips({ ...ORDER, testPrompts: { faults: [], delaySeconds: 3 } }, 0),
    ]);
    const { outcome: later } = await clips(ORDER, 0);
    assert.deepEqual([jobs.length, later], [1, 'rendered']);
  });

  const DIFFERENCES: readonly Partial<VideoSpec>[] = [
    { prompt: 'A dog' },
    { model: 'video-y' },
    { seed: 8 },
    { seconds: 6 },
    { width: 720, height: 1280 },
    { isSilent: true },
    { first: { digest: 'a', kind: 'png' } },
    { references: [{ digest: 'a', kind: 'png' }] },
  ];
  const SHARED_BY_DRAFTS = ['prompt', 'model', 'seed'];
  for (const other of DIFFERENCES) {
    const [name = ''] = Object.keys(other);
    const isShared = SHARED_BY_DRAFTS.includes(name);
    test(`a different ${name} gives another clip${isShared ? ', but not with drafts' : ''}`, async () => {
      for (const spec of [ORDER, { ...ORDER, ...other }]) await clips(spec, 0);
      assert.equal(jobs.length, 2);
      for (const spec of [ORDER, { ...ORDER, ...other }]) await drafts(spec, 0);
      assert.equal(jobs.length, isShared ? 3 : 4);
    });
  }

  test('with drafts, a clip has one frame per second and no sound; a silent clip has no sound track', async () => {
    for (const cache of [clips, drafts])
      for (const isSilent of [false, true]) await cache({ ...ORDER, isSilent }, 0);
    const facts = jobs.map((job) => job.kind === 'video' && [job.framesPerSecond, job.sound?.silent]);
    assert.deepEqual(facts, [
      [24, false],
      [24, undefined],
      [1, true],
      [1, undefined],
    ]);
  });

  test('does not cache failures', async () => {
    outcome = { outcome: 'failed', message: 'no' };
    assert.deepEqual(await clips(ORDER, 0), outcome);
    outcome = { outcome: 'rendered' };
    assert.equal((await clips(ORDER, 0)).outcome, 'rendered');
  });

  test('removes scratch files after the job', async () => {
    await clips(ORDER, 0);
    assert.deepEqual(await readdir(folders.jobs), []);
  });
});
