import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { BUNDLE_OPTIONS, evaluatedModules, functionFiles, LEAN_SDK } from './bundle-options.ts';
import { buildConsole, CONSOLE_BUNDLE } from './console-build.ts';
import {
  type Built,
  LICENSES_FILE,
  licenseNotices,
  readContents,
  writeContents,
} from './shipped-packages.ts';
import { addThreads } from './threads.ts';

/** The function that serves the console, from its own bundle. */
const CONSOLE_FUNCTION = 'get-console';

type FunctionFiles = readonly (readonly [name: string, file: string])[];

/** Functions that load a part of their code only when it is needed, from files of its own. */
const SPLIT_FUNCTIONS: readonly string[] = ['get-video', 'mcp', 'run-model-action'];

const buildBundles = async (
  outdir: string,
  files: FunctionFiles,
  options: BuildOptions,
): Promise<Metafile> => {
  const { metafile } = await build({
    ...BUNDLE_OPTIONS,
    ...LEAN_SDK,
    ...options,
    plugins: [...LEAN_SDK.plugins, evaluatedModules],
    entryPoints: files.map(([name, file]) => ({ in: file, out: join(name, 'index') })),
    outdir,
    metafile: true,
  });
  return metafile;
};

/** Of one function per run, because functions must not share files. */
const buildSplit = (outdir: string, file: FunctionFiles[number]): Promise<Metafile> =>
  buildBundles(outdir, [file], { splitting: true, chunkNames: `${file[0]}/[name]-[hash]` });

const buildFunctions = async (outdir: string, files: FunctionFiles): Promise<readonly Built[]> => {
  const [split = [], whole = []] = [true, false].map((isSplit) =>
    files.filter(([name]) => SPLIT_FUNCTIONS.includes(name) === isSplit),
  );
  const metafiles = await Promise.all([
    ...(whole.length === 0 ? [] : [buildBundles(outdir, whole, {})]),
    ...split.map((file) => buildSplit(outdir, file)),
  ]);
  // Outputs are `…/create-video/index.mjs` and its source map.
  const bundleName = (output: string) => basename(dirname(output));
  return [
    ...metafiles.map((metafile) => ({ metafile, bundleName })),
    ...(await addThreads(outdir, metafiles)),
  ];
};

/** Bundles functions, each into the folder of its name, and lists their packages; all functions unless names are given. */
export const bundleFunctions = async (outdir: string, names?: readonly string[]): Promise<void> => {
  const files = [...functionFiles()].filter(([name]) => names?.includes(name) ?? true);
  const consoles = files.some(([name]) => name === CONSOLE_FUNCTION)
    ? [buildConsole(join(outdir, CONSOLE_FUNCTION, 'console'))]
    : [];
  const [functions, ...others] = await Promise.all([buildFunctions(outdir, files), ...consoles]);
  const contents = readContents([...functions, ...others]);
  writeContents(outdir, contents);
  for (const [name, packages] of Object.entries(contents.bundles))
    if (name !== CONSOLE_BUNDLE) writeFileSync(join(outdir, name, LICENSES_FILE), licenseNotices(packages));
};

// As a command: esbuild runs plugins only asynchronously, and CDK creates constructs synchronously.
if (import.meta.main) {
  const [outdir = '', ...names] = process.argv.slice(2);
  await bundleFunctions(outdir, names.length === 0 ? undefined : names);
}
