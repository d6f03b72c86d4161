/** A process of its own: esbuild takes plugins only where it need not block, and CDK builds its constructs in one go. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS, FUNCTIONS, LEAN_SDK } from './bundle-options.ts';

const [outdir = ''] = process.argv.slice(2);

await build({
  ...BUNDLE_OPTIONS,
  ...LEAN_SDK,
  entryPoints: readdirSync(FUNCTIONS)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ in: join(FUNCTIONS, file), out: join(basename(file, '.ts'), 'index') })),
  outdir,
});
