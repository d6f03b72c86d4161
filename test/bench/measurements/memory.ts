import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { LEAN_SDK } from '../../../lib/lambda/bundle-options.ts';
import { createVideo, waitFor } from '../../support/http.ts';
import type { Service } from '../../support/service.ts';
import { buildBundles, functionFile } from '../build.ts';
import type { Figure } from '../measurement.ts';
import { inlineVideoOfMegabytes, videoOfMegabytes } from '../prompts.ts';
import type { Stage } from '../stage.ts';
import { workerSteps } from '../worker-steps.ts';

const MEDIA = '/videos/adapters/s3-media.ts';
const BUFFERED_MEDIA = join(import.meta.dirname, '..', 'memory', 'buffered-media.ts');

/** The worker's store of videos, which buffers them first. */
const bufferedMedia: Plugin = {
  name: 'buffered-media',
  setup: ({ onResolve, onEnd }) => {
    let replaced = 0;
    onResolve({ filter: /s3-media\.ts$/ }, ({ path, importer, resolveDir }) => {
      if (importer === BUFFERED_MEDIA || !resolve(resolveDir, path).endsWith(MEDIA)) return undefined;
      replaced += 1;
      return { path: BUFFERED_MEDIA };
    });
    onEnd(() => {
      if (replaced === 0) throw new Error(`the worker does not import ${MEDIA}`);
    });
  },
};

/** Replaces the worker of the assembly while `act` runs; only its upload differs. */
const withBufferingWorker = async <Value>(stage: Stage, act: () => Promise<Value>): Promise<Value> => {
  const { bundle } = stage.definition('video-worker', 'http://127.0.0.1:9');
  const outdir = join(stage.folder, 'buffering');
  const entries = { worker: functionFile('video-worker') };
  const buffering = await buildBundles(entries, outdir, {
    ...LEAN_SDK,
    plugins: [...LEAN_SDK.plugins, bufferedMedia],
  });
  const [installed, kept] = [join(bundle, 'index.mjs'), join(outdir, 'own.mjs')];
  await copyFile(installed, kept);
  try {
    await copyFile(buffering('worker'), installed);
    return await act();
  } finally {
    await copyFile(kept, installed);
  }
};

const BUDGETS = { againstBuffering: 0.2, largeAgainstSmall: 1.5 } as const;

/** Peak memory of a new worker process in megabytes, before and after the fetch. */
type Peaks = { readonly idle: number; readonly peak: number; readonly milliseconds: number };

const measureFetch = async (
  service: Service,
  megabytes: number,
  toPrompt = videoOfMegabytes,
): Promise<Peaks> => {
  const steps = await workerSteps(service.cloud, async () => {
    const { body } = await waitFor(service, await createVideo(service, toPrompt(megabytes)));
    if (body.status !== 'completed') throw new Error(`${megabytes} MB: ${JSON.stringify(body.error)}`);
  });
  const [idle, last] = steps.slice(-2);
  if (idle === undefined || last === undefined) throw new Error('the worker took too few steps');
  return {
    idle: idle.maxMemoryMegabytes,
    peak: last.maxMemoryMegabytes,
    milliseconds: last.milliseconds,
  };
};

const describe = ({ idle, peak, milliseconds }: Peaks): string =>
  `${peak.toFixed(0)} MB (${idle.toFixed(0)} idle, ${(milliseconds / 1000).toFixed(1)} s)`;

const added = ({ idle, peak }: Peaks): number => peak - idle;

const figureAgainstBuffering = (megabytes: number, streaming: Peaks, buffering: Peaks): Figure => ({
  name: `memory, ${megabytes} MB relative to buffering`,
  measured: added(streaming) / added(buffering),
  unit: '',
  budget: BUDGETS.againstBuffering,
  note: `peak over idle: ${describe(streaming)}, buffering ${describe(buffering)}; whole process ${(streaming.peak / buffering.peak).toFixed(2)}`,
});

/** Peak memory of the step that fetches the video, each time in a new worker process. */
export const memory = async (stage: Stage): Promise<readonly Figure[]> => {
  await using service = await stage.start();
  const buffered = (megabytes: number) => withBufferingWorker(stage, () => measureFetch(service, megabytes));
  if (stage.size(false, true))
    return [figureAgainstBuffering(1, await measureFetch(service, 1), await buffered(1))];
  const small = await measureFetch(service, 20);
  const middle = await measureFetch(service, 200);
  const large = await measureFetch(service, 800);
  const smallInline = await measureFetch(service, 20, inlineVideoOfMegabytes);
  const inline = await measureFetch(service, 200, inlineVideoOfMegabytes);
  return [
    figureAgainstBuffering(200, middle, await buffered(200)),
    {
      name: 'memory, 800 MB relative to 20 MB',
      measured: large.peak / small.peak,
      unit: '',
      budget: BUDGETS.largeAgainstSmall,
      note: `whole process: 800 MB ${describe(large)}, 20 MB ${describe(small)}`,
    },
    {
      name: 'memory, 200 MB inline relative to 20 MB',
      measured: inline.peak / smallInline.peak,
      unit: '',
      budget: BUDGETS.largeAgainstSmall,
      note: `whole process: 200 MB in Base64 ${describe(inline)}, 20 MB ${describe(smallInline)}`,
    },
  ];
};
