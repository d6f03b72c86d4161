import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { LEAN_SDK } from '../../../lib/lambda/bundle-options.ts';
import { buildBundles, functionFile } from '../build.ts';
import type { Stage } from '../stage.ts';

const bufferedUpload: Plugin = {
  name: 'buffered-upload',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/s3-upload\.ts$/ }, () => ({
      path: join(import.meta.dirname, 'buffered-upload.ts'),
    })),
};

/** While this runs, the assembly's worker is one that differs in its upload only. */
export const withBufferingWorker = async <Value>(stage: Stage, act: () => Promise<Value>): Promise<Value> => {
  const { bundle } = await stage.definition('video-worker', 'http://127.0.0.1:9');
  const outdir = join(stage.folder, 'buffering');
  const entries = { worker: functionFile('video-worker') };
  const buffering = await buildBundles(entries, outdir, {
    ...LEAN_SDK,
    plugins: [...LEAN_SDK.plugins, bufferedUpload],
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
