import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type Built, licenseNotices, readContents } from './shipped-packages.ts';

const CONSOLE = join(import.meta.dirname, '..', '..', 'console');

/** The console's name in the list of bundles; it is deployed with the function that serves it. */
export const CONSOLE_BUNDLE = 'console';

/** The server replaces this with the path of the stage, `/prod` or nothing. */
export const PREFIX_PLACEHOLDER = '{{prefix}}';

const SMALL_ICONS: Plugin = {
  name: 'small-icons',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/createLucideIcon\.mjs$/ }, () => ({ path: join(CONSOLE, 'lucide-icon.mjs') })),
};

const OPTIONS = {
  absWorkingDir: CONSOLE,
  // As an entry of its own: styles that a lazy page imports would join those of the first page.
  entryPoints: ['main.tsx', 'styles/pages.css'],
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
  plugins: [SMALL_ICONS],
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
} satisfies BuildOptions;

/** Files that the page names: all that it loads at once, and the styles of the other pages. */
type PageFiles = { script: string; style: string; preloads: readonly string[]; pageStyles: string };

const findOutput = ({ outputs }: Metafile, name: string) => {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === name);
  if (found === undefined) throw new Error(`The console was built without ${name}`);
  return found;
};

const pageFiles = (metafile: Metafile): PageFiles => {
  const [script, main] = findOutput(metafile, 'main.tsx');
  if (main.cssBundle === undefined) throw new Error('The console was built without its style');
  return {
    script: basename(script),
    style: basename(main.cssBundle),
    pageStyles: basename(findOutput(metafile, 'styles/pages.css')[0]),
    preloads: main.imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => basename(path)),
  };
};

const preloadLink = (name: string): string =>
  `<link rel="modulepreload" href="${PREFIX_PLACEHOLDER}/console/assets/${name}">`;

/** Inlined, since a file would be one more request to the function. */
const icon = (): string =>
  `data:image/svg+xml;base64,${readFileSync(join(CONSOLE, 'icon.svg')).toString('base64')}`;

const indexPage = (files: PageFiles, licenses: string): string =>
  readFileSync(join(CONSOLE, 'index.html'), 'utf8')
    .replace('{{script}}', files.script)
    .replace('{{style}}', files.style)
    .replace('{{pageStyles}}', files.pageStyles)
    .replace('{{icon}}', icon())
    .replace('{{licenses}}', licenses)
    .replace('{{preloads}}', files.preloads.map(preloadLink).join('\n    '));

/** Brotli's highest quality would take longer than the rest of the build. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const writeCompressed = (path: string, bytes: Uint8Array): void => {
  writeFileSync(path, bytes);
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, BROTLI));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
};

/** Browsers receive copies of the packages, so the console also offers their licenses. */
const writeLicenses = (folder: string, packages: readonly string[]): string => {
  const text = licenseNotices(packages);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
  const name = `licenses-${hash}.txt`;
  writeCompressed(join(folder, 'assets', name), Buffer.from(text));
  return name;
};

/**
 * Builds the console into a folder: `index.html` with a placeholder for the prefix, and `assets/`, whose names contain
 * a hash of their content. Assets are also stored as `.br` and `.gz`.
 */
export const buildConsole = async (folder: string): Promise<Built> => {
  const { outputFiles, metafile } = await build({ ...OPTIONS, outdir: folder });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const { path, contents } of outputFiles) writeCompressed(path, contents);
  const built = { metafile, bundleName: () => CONSOLE_BUNDLE };
  const licenses = writeLicenses(folder, readContents([built]).bundles[CONSOLE_BUNDLE] ?? []);
  writeFileSync(join(folder, 'index.html'), indexPage(pageFiles(metafile), licenses));
  return built;
};
