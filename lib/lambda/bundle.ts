// Runs in its own process: esbuild runs plugins only asynchronously, and CDK creates constructs synchronously.
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS, evaluatedModules, functionFiles, LEAN_SDK } from './bundle-options.ts';
import { buildConsole, CONSOLE_BUNDLE } from './console-build.ts';
import {
  type BundleContents,
  LICENSES_FILE,
  licenseNotices,
  mergeContents,
  readContents,
  writeContents,
} from './shipped-packages.ts';
import { addThreads } from './threads.ts';

const [outdir = ''] = process.argv.slice(2);

const buildFunctions = async (): Promise<BundleContents> => {
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
  return (await addThreads(outdir, metafile)).reduce(mergeContents, contents);
};

const contents = mergeContents(
  ...(await Promise.all([buildFunctions(), buildConsole(join(outdir, 'get-console', 'console'))])),
);
writeContents(outdir, contents);
for (const [name, packages] of Object.entries(contents.bundles))
  if (name !== CONSOLE_BUNDLE) writeFileSync(join(outdir, name, LICENSES_FILE), licenseNotices(packages));
