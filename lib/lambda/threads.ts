import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle-options.ts';
import type { Built } from './shipped-packages.ts';

/** Files that run in a thread of their own, by the module that starts the thread. */
const THREADS = { 'functions/images/adapters/convert-image.ts': 'functions/images/adapters/image-worker.ts' };

const WASM_FILE = /import\.meta\.resolve\('([^']+\.wasm)'\)/g;

/** Node finds a wasm file in its package, which is not deployed; in a bundle, the file is next to the code. */
export const wasmFiles: Plugin = {
  name: 'wasm-files',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]functions[\\/]images[\\/]adapters[\\/]image-codecs\.ts$/ }, async ({ path }) => {
      const imports: string[] = [];
      const code = (await readFile(path, 'utf8')).replace(WASM_FILE, (_, file: string) => {
        imports.push(`import wasm${imports.length} from '${file}';`);
        return `new URL(wasm${imports.length - 1}, import.meta.url).href`;
      });
      return { contents: [...imports, code].join('\n'), loader: 'ts' };
    }),
};

/** Bundles the file of a thread; the codecs' wasm files keep their names. */
export const buildThread = (file: string, folder: string) =>
  build({
    ...BUNDLE_OPTIONS,
    plugins: [wasmFiles],
    loader: { '.wasm': 'file' },
    assetNames: '[name]',
    entryPoints: [file],
    outdir: folder,
    metafile: true,
    write: false,
  });

/** The functions whose bundles contain code of the module. */
const functionsWith = (module: string, metafiles: readonly Metafile[]): readonly string[] =>
  metafiles
    .flatMap(({ outputs }) => Object.entries(outputs))
    .filter(([, { inputs }]) => (inputs[module]?.bytesInOutput ?? 0) > 0)
    .map(([output]) => basename(dirname(output)));

const writeFiles = (folder: string, files: readonly OutputFile[]): void => {
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of files) writeFileSync(join(folder, basename(path)), contents);
};

/** Adds the files of its threads to every function that starts one. */
export const addThreads = async (
  outdir: string,
  functions: readonly Metafile[],
): Promise<readonly Built[]> => {
  const builds: Built[] = [];
  for (const [module, thread] of Object.entries(THREADS)) {
    const names = functionsWith(module, functions);
    if (names.length === 0) continue;
    // Built once; all folders of functions have the same depth, and so the same paths in source maps.
    const { metafile, outputFiles } = await buildThread(thread, join(outdir, names[0] ?? ''));
    for (const name of names) {
      writeFiles(join(outdir, name), outputFiles);
      builds.push({ metafile, bundleName: () => name });
    }
  }
  return builds;
};
