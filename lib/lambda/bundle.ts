// Runs in its own process: esbuild runs plugins only asynchronously, and CDK creates constructs synchronously.
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS, FUNCTIONS, LEAN_SDK } from './bundle-options.ts';
import { readContents, writeContents } from './shipped-packages.ts';

const [outdir = ''] = process.argv.slice(2);

const { metafile } = await build({
  ...BUNDLE_OPTIONS,
  ...LEAN_SDK,
  entryPoints: readdirSync(FUNCTIONS)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ in: join(FUNCTIONS, file), out: join(basename(file, '.ts'), 'index') })),
  outdir,
  metafile: true,
});

// Outputs are `…/create-video/index.mjs` and its source map.
writeContents(
  outdir,
  readContents(metafile, (output) => basename(dirname(output))),
);
