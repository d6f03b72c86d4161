import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const CONSOLE = join(import.meta.dirname, '..', '..', 'console');

/** What the server replaces with the path that the stage has, `/prod` or nothing. */
export const PREFIX_PLACEHOLDER = '{{prefix}}';

const OPTIONS = {
  absWorkingDir: CONSOLE,
  entryPoints: ['main.tsx'],
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome123', 'firefox128', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  assetNames: 'assets/[name]-[hash]',
  alias: { 'lucide-preact': join(CONSOLE, 'icons.mjs') },
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
} satisfies BuildOptions;

/** Named for what the page loads first; the rest follows when a page is opened. */
type FirstFiles = { script: string; style: string; preloads: readonly string[] };

const firstFiles = ({ outputs }: Metafile): FirstFiles => {
  const [script, main] =
    Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'main.tsx') ?? [];
  if (script === undefined || main?.cssBundle === undefined)
    throw new Error('The console was built without its script or style');
  return {
    script: basename(script),
    style: basename(main.cssBundle),
    preloads: main.imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => basename(path)),
  };
};

const preloadLink = (name: string): string =>
  `<link rel="modulepreload" href="${PREFIX_PLACEHOLDER}/console/assets/${name}">`;

/** Part of the page: a file of its own would be one more request to the function. */
const icon = (): string =>
  `data:image/svg+xml;base64,${readFileSync(join(CONSOLE, 'icon.svg')).toString('base64')}`;

const indexPage = (files: FirstFiles): string =>
  readFileSync(join(CONSOLE, 'index.html'), 'utf8')
    .replace('{{script}}', files.script)
    .replace('{{style}}', files.style)
    .replace('{{icon}}', icon())
    .replace('{{preloads}}', files.preloads.map(preloadLink).join('\n    '));

/** Brotli's highest quality would take longer than all the rest of the build. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const writeCompressed = (path: string, bytes: Uint8Array): void => {
  writeFileSync(path, bytes);
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, BROTLI));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
};

/**
 * Builds the console into a folder: `index.html`, which still needs its prefix, and `assets/`, whose names change
 * with their content; the assets also as `.br` and `.gz`.
 */
export const buildConsole = (folder: string): void => {
  const { outputFiles, metafile } = buildSync({ ...OPTIONS, outdir: folder });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const { path, contents } of outputFiles) writeCompressed(path, contents);
  writeFileSync(join(folder, 'index.html'), indexPage(firstFiles(metafile)));
};
