/** A process of its own: esbuild takes plugins only where it need not block, and CDK builds its constructs in one go. */
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS, functionFiles, LEAN_SDK } from './bundle-options.ts';
import { readContents, writeContents } from './shipped-packages.ts';

const [outdir = ''] = process.argv.slice(2);

const { metafile } = await build({
  ...BUNDLE_OPTIONS,
  ...LEAN_SDK,
  entryPoints: Array.from(functionFiles(), ([name, file]) => ({ in: file, out: join(name, 'index') })),
  outdir,
  metafile: true,
});

// An output is `…/create-video/index.mjs` or its source map.
writeContents(
  outdir,
  readContents(metafile, (output) => basename(dirname(output))),
);
