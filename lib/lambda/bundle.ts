// Runs in its own process: esbuild runs plugins only asynchronously, and CDK creates constructs synchronously.
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS, evaluatedModules, functionFiles, LEAN_SDK } from './bundle-options.ts';
import { mergeContents, readContents, writeContents } from './shipped-packages.ts';
import { addThreads } from './threads.ts';

const [outdir = ''] = process.argv.slice(2);

const { metafile } = await build({
  ...BUNDLE_OPTIONS,
  ...LEAN_SDK,
  plugins: [...LEAN_SDK.plugins, evaluatedModules],
  entryPoints: Array.from(functionFiles(), ([name, file]) => ({ in: file, out: join(name, 'index') })),
  outdir,
  metafile: true,
});

// Outputs are `…/create-video/index.mjs` and its source map.
const contents = readContents(metafile, (output) => basename(dirname(output)));
writeContents(outdir, (await addThreads(outdir, metafile)).reduce(mergeContents, contents));
